import type { JobKind } from '../../job-catalog.ts'
import type { SystemClock } from '../clock.ts'
import type { Reader, UnitOfWork } from '../db/tx.ts'
import type { FaultPointHook } from '../faults.ts'
import type { RecordUnexpected, RowKind } from '../task-context.ts'
import type { WorkRows } from './rows.ts'

/** What every step needs. */
export type WorkDeps = {
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly system: SystemClock
  readonly faultPoint: FaultPointHook
  readonly processId: string
}

/** One bounded piece of work: does the next due thing, or is idle. A step over many rows starts no more once `closing` aborts. */
export type Step = (closing?: AbortSignal) => Promise<'worked' | 'idle'>

type WorkDefinition<Kind extends JobKind, Rows extends WorkRows, Deps> = {
  readonly kind: Kind
  /** The tables whose rows it works on; a team is at rest when none has anything claimable. */
  readonly rows: readonly [Rows, ...Rows[]]
  readonly step: (deps: Deps) => Step
  /** Records unexpected failures, per kind of row that the step claims; deliveries, many per step, record their own. */
  readonly unexpected: Readonly<Record<Extract<Rows['rowKind'], RowKind>, RecordUnexpected>>
}

/** Declares a kind of work: its rows, its step, and how failures are recorded. */
export const defineWork = <Kind extends JobKind, Rows extends WorkRows & { readonly kind: Kind }, Deps>(
  definition: WorkDefinition<Kind, Rows, Deps>,
): WorkDefinition<Kind, Rows, Deps> => definition
