import pc from 'picocolors'
import type { Io, Sink } from '../io.ts'

/** NO_COLOR turns colours off, FORCE_COLOR on; otherwise a terminal has them unless it is dumb. */
function wantsColor(sink: Sink, env: Io['env']): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return sink.isTty && env.TERM !== 'dumb'
}

export function colorsFor(sink: Sink, env: Io['env']): ReturnType<typeof pc.createColors> {
  return pc.createColors(wantsColor(sink, env))
}

/** Makes one line without control characters: text from strangers must not steer the terminal. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
}

/** Replaces control characters in text of several lines by a visible mark, so that JSON stays JSON and nothing is hidden. */
export function visible(text: string): string {
  return text.replace(/\r(?=\n)/g, '').replace(steering, '\uFFFD')
}

// C0 except tab and line feed, C1, and direction marks.
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Cuts text to `width` characters, ending in an ellipsis. */
export function shorten(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`
}

/** A narrower column is unreadable. */
const minWidth = 12
const maxWidth = 40
/** Ids and addresses are useless when cut. */
const isWhole = (text: string): boolean => text.startsWith('http') || /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text)
/** Instants are shown to the minute; `--json` has them in full. */
const shownInstant = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? `${text.slice(0, 10)} ${text.slice(11, 16)}` : text
const lengthOf = (text: string): number => [...text].length

type Column = { readonly at: number; readonly texts: readonly string[]; readonly width: number; readonly least: number }

function columnOf(table: readonly (readonly string[])[], at: number): Column {
  const texts = table.map((row) => shownInstant(row[at] ?? ''))
  const longest = Math.max(...texts.map(lengthOf))
  const isInstant = texts.some((text, row) => text !== (table[row]![at] ?? ''))
  const width = texts.some(isWhole) || isInstant ? longest : Math.min(longest, maxWidth)
  return { at, texts, width, least: texts.some(isWhole) || isInstant ? width : Math.min(width, minWidth) }
}

const gap = 2
const sumOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + gap, -gap)

/** A table for a terminal; `leftOut` are the columns that did not fit. */
type Fitted = { readonly text: string; readonly leftOut: readonly number[] }

/**
 * Fits rows into a terminal of `room` characters: takes columns from the left while they fit at 12 characters each, then narrows
 * the widest until all fit. Ids, addresses and instants are shown whole or left out.
 */
export function fitTable(table: readonly (readonly string[])[], room: number): Fitted {
  const all = Array.from({ length: table[0]?.length ?? 0 }, (_, at) => columnOf(table, at))
  const shown: Column[] = []
  for (const column of all)
    if (shown.length === 0 || sumOf([...shown, column].map(({ least }) => least)) <= room) shown.push(column)
  const widths = shown.map(({ width }) => width)
  while (sumOf(widths) > room) {
    const at = widths.reduce(
      (best, width, index) => (width > shown[index]!.least && (best < 0 || width > widths[best]!) ? index : best),
      -1,
    )
    if (at < 0) break
    widths[at] = widths[at]! - 1
  }
  const line = (row: number): string =>
    shown
      .map(({ texts }, column) => {
        const cut = shorten(texts[row]!, widths[column]!)
        return cut + ' '.repeat(Math.max(0, widths[column]! - lengthOf(cut)))
      })
      .join(' '.repeat(gap))
      .trimEnd()
  return {
    text: table.map((_, row) => `${line(row)}\n`).join(''),
    leftOut: all.filter((column) => !shown.includes(column)).map(({ at }) => at),
  }
}

export function align(table: readonly (readonly string[])[], cellWidth = 40): string {
  const cut = table.map((row) => row.map((text) => (text.startsWith('http') ? text : shorten(text, cellWidth))))
  const widths = (cut[0] ?? []).map((_, column) => Math.max(...cut.map((row) => (row[column] ?? '').length)))
  return cut
    .map(
      (row) =>
        `${row
          .map((text, column) => text.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
