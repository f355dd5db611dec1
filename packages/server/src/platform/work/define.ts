/** What a module says of a kind of work that it does: its rows, its step, and what becomes of a row whose step fails unexpectedly. */
import type { JobKind } from '../../job-catalog.ts'
import type { RecordUnexpected, WorkSort } from '../task-context.ts'
import type { WorkRows } from './rows.ts'

/** One unit of work: takes the next thing that is due, or finds nothing. One that would take many takes no more once `closing` says so. */
export type Step = (closing?: AbortSignal) => Promise<'worked' | 'idle'>

/** A kind of work. */
type WorkDefinition<Kind extends JobKind, Rows extends WorkRows, Deps> = {
  readonly kind: Kind
  /** The tables whose rows it works on; a team is at rest when none of them has something to claim. */
  readonly rows: readonly [Rows, ...Rows[]]
  readonly step: (deps: Deps) => Step
  /** For each sort of row that its step takes in hand; deliveries, many to a step, record theirs themselves. */
  readonly unexpected: Readonly<Record<Extract<Rows['sort'], WorkSort>, RecordUnexpected>>
}

/** Declares a kind of work. */
export const defineWork = <Kind extends JobKind, Rows extends WorkRows & { readonly kind: Kind }, Deps>(
  definition: WorkDefinition<Kind, Rows, Deps>,
): WorkDefinition<Kind, Rows, Deps> => definition

/** By the name they are counted under. */
export const workCounters = {
  leases_taken_over: {
    name: 'les_leases_taken_over_total',
    label: 'kind',
    help: 'Work taken over because whoever had it fell silent.',
  },
  leases_lost: {
    name: 'les_leases_lost_total',
    label: 'kind',
    help: 'Results thrown away because the work was taken over or ended meanwhile.',
  },
  unexpected_failures: {
    name: 'les_unexpected_failures_total',
    label: 'kind',
    help: 'Work that failed unexpectedly and was put off, or ended after the fifth time.',
  },
} as const

type WorkCounters = typeof workCounters
declare module '../metrics.ts' {
  interface Counters extends WorkCounters {}
}
