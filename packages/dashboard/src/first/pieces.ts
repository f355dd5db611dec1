/** Parts of a page that are drawn without the libraries it is made of. */

/** An element with its classes (Tailwind's) and what is in it; text is always text. */
export type Piece = { readonly tag?: string; readonly class: string; readonly in: string | readonly Piece[] }

/** What a page says first: its heading, where the document does not know it, and what stands above all else. */
export type Pieces = { readonly title?: string; readonly body: readonly Piece[] }

function elementOf(piece: Piece): HTMLElement {
  const element = document.createElement(piece.tag ?? 'div')
  element.className = piece.class
  if (typeof piece.in === 'string') element.textContent = piece.in
  else element.append(...piece.in.map(elementOf))
  return element
}

/** Puts it into the frame, in place of the bars; nothing when the page is there already. */
export function put({ title, body }: Pieces): void {
  const frame = document.getElementById('frame')
  if (title !== undefined)
    frame
      ?.querySelector('[data-first=title]')
      ?.replaceWith(elementOf({ tag: 'p', class: 'text-xl font-semibold tracking-tight break-words', in: title }))
  frame?.querySelector('[data-first=body]')?.prepend(...body.map(elementOf))
}
