/** Whether the memory of a process grows, from readings over time. Pure. */

/** One reading. */
export type Reading = { readonly atMs: number; readonly megabytes: number }

/** The middle one by size; 0 of none. */
export const middle = (readings: readonly Reading[]): number =>
  readings.map(({ megabytes }) => megabytes).toSorted((a, b) => a - b)[Math.floor(readings.length / 2)] ?? 0

/** What may come and go: a heap that was collected late. */
const tolerated = { megabytes: 40, share: 0.15 }

/** A process still warms up for minutes; the time over which its memory says something. */
export const shortestMs = 9 * 60_000

/** True when the last third stands higher than the one before it by more than comes and goes; the first third is the warm-up. */
export function grown(readings: readonly Reading[]): boolean {
  const third = Math.floor(readings.length / 3)
  if (third === 0) return false
  const [before, after] = [middle(readings.slice(third, 2 * third)), middle(readings.slice(2 * third))]
  return after - before > Math.max(tolerated.megabytes, before * tolerated.share)
}
