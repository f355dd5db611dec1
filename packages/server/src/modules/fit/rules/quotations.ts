/** Finds quotations in a text: quoted words are another's, or are about the words themselves. */

/** The marks that close a quotation, by the mark that opens it. */
const closers: Readonly<Record<string, string>> = {
  '“': '”“"',
  '„': '“”"',
  '«': '»',
  '»': '«',
  '‘': '’',
  '‚': '‘’',
  '"': '"',
  "'": "'",
}

/** A longer quotation, in characters, is taken for a mark that was never closed. */
const longest = 1_000

const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

const isStraight = (mark: string): boolean => mark === '"' || mark === "'"

/** A straight mark opens only after a non-letter and before something other than space; typographic ones are unambiguous. */
function opens(text: string, at: number): boolean {
  const mark = text[at]!
  if (closers[mark] === undefined) return false
  if (!isStraight(mark)) return true
  return !isLetter(text[at - 1]) && /\S/u.test(text[at + 1] ?? ' ')
}

/** An apostrophe inside a word closes nothing. */
const closes = (text: string, at: number): boolean => !/['’]/u.test(text[at]!) || !isLetter(text[at + 1])

/** Finds the quotations of a text; the answer tells whether an index lies in one, and must be asked in ascending order. */
export function quotations(text: string): (at: number) => boolean {
  const spans: { readonly from: number; readonly to: number }[] = []
  const marks = [...text.matchAll(/["“”„«»‘’‚']/gu)].map((found) => found.index)
  let open: number | undefined
  for (const at of marks) {
    if (open !== undefined && at - open > longest) open = undefined
    if (open === undefined) {
      if (opens(text, at)) open = at
    } else if (closers[text[open]!]!.includes(text[at]!) && closes(text, at)) {
      spans.push({ from: open, to: at })
      open = undefined
    }
  }
  let next = 0
  return (at) => {
    while (next < spans.length && spans[next]!.to < at) next += 1
    const span = spans[next]
    return span !== undefined && at > span.from
  }
}
