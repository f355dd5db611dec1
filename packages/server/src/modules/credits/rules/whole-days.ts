/** Which UTC days lie wholly in a span of time: their sums are kept, and only what is left at its ends is added up line by line. */

const dayMs = 86_400_000

/**
 * A span between two instants, both inclusive, cut at midnight: `[days[0], days[1])` are whole days, `rests` what is
 * left, each `[from, until)`.
 */
export type CutSpan = {
  readonly days: readonly [Date, Date] | null
  readonly rests: readonly (readonly [from: Date, until: Date])[]
}

const midnightFrom = (at: number): number => Math.ceil(at / dayMs) * dayMs

/** Cuts a span; `to` null: it has no end. Instants are whole milliseconds, so the span ends just before the one behind `to`. */
export function cutSpan(from: Date, to: Date | null): CutSpan {
  const [begin, end] = [from.getTime(), to === null ? Number.POSITIVE_INFINITY : to.getTime() + 1]
  const first = midnightFrom(begin)
  const last = to === null ? null : Math.floor(end / dayMs) * dayMs
  const span = (a: number, b: number) => (a < b ? [[new Date(a), new Date(b)] as const] : [])
  if (last !== null && first >= last) return { days: null, rests: span(begin, end) }
  const farthest = new Date('9999-01-01T00:00:00.000Z')
  return {
    days: [new Date(first), last === null ? farthest : new Date(last)],
    rests: [...span(begin, first), ...(last === null ? [] : span(last, end))],
  }
}
