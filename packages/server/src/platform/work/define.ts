/** What a module says of a kind of work that it does: its rows, its step, and what becomes of a row whose step fails unexpectedly. */
import type { JobKind } from '../../job-catalog.ts'
import type { SystemClock } from '../clock.ts'
import type { Reader, UnitOfWork } from '../db/tx.ts'
import type { FaultPointHook } from '../faults.ts'
import type { RecordUnexpected, TaskName } from '../task-context.ts'
import type { WorkRows } from './rows.ts'

/** What every step works with. */
export type WorkDeps = {
  /** The root handle, for reads outside units of work. */
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly system: SystemClock
  readonly faultPoint: FaultPointHook
  /** Id of this process, written on its leases. */
  readonly processId: string
}

/** One unit of work: takes the next thing that is due, or finds nothing. One that would take many takes no more once `closing` says so. */
export type Step = (closing?: AbortSignal) => Promise<'worked' | 'idle'>

type WorkDefinition<Kind extends JobKind, Rows extends WorkRows, Deps> = {
  readonly kind: Kind
  /** The tables whose rows it works on; a team is at rest when none of them has something to claim. */
  readonly rows: readonly [Rows, ...Rows[]]
  readonly step: (deps: Deps) => Step
  /** How an unexpected failure is recorded on each kind of row that its step claims; deliveries, many to a step, record theirs themselves. */
  readonly unexpected: Readonly<Record<Extract<Rows['taskName'], TaskName>, RecordUnexpected>>
}

/** Declares a kind of work. */
export const defineWork = <Kind extends JobKind, Rows extends WorkRows & { readonly kind: Kind }, Deps>(
  definition: WorkDefinition<Kind, Rows, Deps>,
): WorkDefinition<Kind, Rows, Deps> => definition
