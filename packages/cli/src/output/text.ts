/** Text for terminals. */
import pc from 'picocolors'
import type { Io, Sink } from '../io.ts'

/** Whether a stream gets colours: NO_COLOR refuses them, FORCE_COLOR asks for them, else a terminal that is not dumb has them. */
export function wantsColor(sink: Sink, env: Io['env']): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return sink.isTty && env.TERM !== 'dumb'
}

/** Colours for a stream. */
export function colorsFor(sink: Sink, env: Io['env']): ReturnType<typeof pc.createColors> {
  return pc.createColors(wantsColor(sink, env))
}

/** One line without control characters: names and comments come from strangers and must not steer the terminal. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
}

/** Cuts text to at most `width` characters, showing that it was cut. */
export function shorten(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`
}

/** Rows as columns of equal width. */
export function align(table: readonly (readonly string[])[], cellWidth = 40): string {
  // An address that is cut is of no use.
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
