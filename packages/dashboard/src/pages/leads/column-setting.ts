/** The columns of the grid as the address keeps them, and so the saved views: their order, widths and which stay in view. */

/** A column that is shown. */
export type ShownColumn = { readonly id: string; readonly width?: number; readonly pinned?: true }

/** The widths that can be chosen, in pixels. */
export const widths = { narrow: 120, medium: 200, wide: 320 } as const

const most = 40
const part = /^(!?)([a-z][a-zA-Z]{0,30})(?:~(\d{2,4}))?$/

/** Reads `!person~200,company,fit`: `!` stays in view, `~` is the width. What no column has is left out; nothing at all is undefined. */
export function readColumns(text: string | undefined, known: readonly string[]): readonly ShownColumn[] | undefined {
  if (text === undefined) return undefined
  const seen = new Set<string>()
  const columns = text.split(',', most).flatMap((each): ShownColumn[] => {
    const match = part.exec(each)
    const id = match?.[2]
    if (!match || id === undefined || !known.includes(id) || seen.has(id)) return []
    seen.add(id)
    const width = match[3] === undefined ? undefined : Math.min(600, Math.max(60, Number(match[3])))
    return [{ id, ...(width === undefined ? {} : { width }), ...(match[1] === '!' ? { pinned: true as const } : {}) }]
  })
  return columns.length === 0 ? undefined : columns
}

/** Writes what `readColumns` reads. */
export const writeColumns = (columns: readonly ShownColumn[]): string =>
  columns.map(({ id, width, pinned }) => `${pinned ? '!' : ''}${id}${width === undefined ? '' : `~${width}`}`).join(',')

/** The list with one column moved by some places; the others keep their order. */
export function moveColumn(columns: readonly ShownColumn[], id: string, by: -1 | 1): readonly ShownColumn[] {
  const at = columns.findIndex((column) => column.id === id)
  const to = at + by
  if (at < 0 || to < 0 || to >= columns.length) return columns
  const next = [...columns]
  ;[next[at], next[to]] = [next[to]!, next[at]!]
  return next
}

/** In the order in which they are drawn: those that stay in view first. */
export const drawn = (columns: readonly ShownColumn[]): readonly ShownColumn[] => [
  ...columns.filter(({ pinned }) => pinned),
  ...columns.filter(({ pinned }) => !pinned),
]
