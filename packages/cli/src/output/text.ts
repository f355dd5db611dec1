/** Text for terminals. */
import pc from 'picocolors'
import type { Io, Sink } from '../io.ts'

/** Colours for a stream: none unless it is a terminal that wants them. */
export function colorsFor(sink: Sink, env: Io['env']): ReturnType<typeof pc.createColors> {
  return pc.createColors(sink.isTty && !env.NO_COLOR && env.TERM !== 'dumb')
}

/** One line without control characters: names and comments come from strangers and must not steer the terminal. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
}

/** Cuts text to at most `width` characters, showing that it was cut. */
export function shorten(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`
}
