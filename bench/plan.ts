/** Which benchmarks there are, and how each is run at a size. */

/** A benchmark at a size; null where size means nothing to it. */
export type Slice = {
  readonly bench: string
  readonly size: number | null
  readonly arguments: readonly string[]
  /** How long it takes on two quiet cores, about. */
  readonly minutes: number
}

/** The sizes that everything is measured at which has one. */
export const sizes = [10_000, 100_000, 1_000_000] as const

type Size = (typeof sizes)[number]
type Plan = {
  readonly arguments: (size: Size) => readonly string[]
  /** Minutes at each of the sizes; null where it is not run: why is said beside it. */
  readonly minutes: readonly [number | null, number | null, number | null]
}

const leadsOverSources = (size: Size): readonly string[] => [
  '--leads',
  String(size),
  '--sources',
  String(Math.max(50, size / 500)),
]

/** What grows with rows. */
const sized: Readonly<Record<string, Plan>> = {
  lists: { arguments: leadsOverSources, minutes: [0.5, 1.5, 8] },
  dashboard: { arguments: leadsOverSources, minutes: [0.3, 0.5, 4] },
  'leads-read': {
    arguments: (size) => ['--many', String(size)],
    minutes: [0.5, 1, 4],
  },
  rescore: { arguments: (size) => ['--leads', String(size)], minutes: [0.5, 1.5, 14] },
  claims: { arguments: (size) => ['--rows', String(size)], minutes: [0.3, 1, 6] },
  enrichment: {
    arguments: (size) => ['--people', String(size)],
    minutes: [0.5, 1, 5],
  },
  // 4,500 rows a source. At a million, the rows that are inserted bare would not fit into memory.
  capture: {
    arguments: (size) => ['--sources', String(Math.round(size / 4_500))],
    minutes: [0.3, 2, null],
  },
  // A rate that does not depend on how many there are: a million would take a quarter of an hour to say the same.
  deliveries: { arguments: (size) => ['--deliveries', String(size)], minutes: [0.5, 2, null] },
  // Fifty updates a lead, so that a million is ten million updates of 200,000 leads. Of fewer than 20,000 all are turned over between two
  // rounds of autovacuum, whatever it is set to.
  bloat: { arguments: (size) => ['--leads', String(size / 5)], minutes: [null, 7, 60] },
}

/** What has one size of its own, with its minutes. */
const single: Readonly<Record<string, number>> = {
  start: 0.5,
  'agent-leads': 1.5,
  keyword: 2,
  rest: 5,
  nudges: 1,
  'delivery-kill': 2,
  'new-team': 1,
  'snapshot-held': 2,
}

/** Every slice there is: what is quick first, then size by size. */
export const slices: readonly Slice[] = [
  ...Object.entries(single).map(([bench, minutes]): Slice => ({ bench, size: null, arguments: [], minutes })),
  ...sizes.flatMap((size, nth) =>
    Object.entries(sized).flatMap(([bench, plan]): Slice[] => {
      const minutes = plan.minutes[nth]!
      return minutes === null ? [] : [{ bench, size, arguments: plan.arguments(size), minutes }]
    }),
  ),
]

/**
 * Those that were asked for; what has no size is left out where sizes are asked for, unless it is named. Refuses names and
 * sizes that nothing has.
 */
export function choose(asked: {
  readonly only: readonly string[] | null
  readonly sizes: readonly number[] | null
}): Slice[] {
  const { only } = asked
  for (const name of only ?? [])
    if (!slices.some(({ bench }) => bench === name)) throw new Error(`no benchmark is called ${name}`)
  for (const size of asked.sizes ?? [])
    if (!(sizes as readonly number[]).includes(size)) throw new Error(`a size is one of ${sizes.join(', ')}`)
  return slices.filter(
    ({ bench, size }) =>
      (only === null || only.includes(bench)) &&
      (asked.sizes === null || (size === null ? only !== null : asked.sizes.includes(size))),
  )
}
