import { AsyncLocalStorage } from 'node:async_hooks'
import { databaseTrouble } from './db/trouble.ts'
import type { Tx } from './db/tx.ts'
import { ArmedFault } from './faults.ts'

/** Kinds of claimed rows; `unexpectedRecords` (`worker/works.ts`) says how each records unexpected failures. */
export type RowKind =
  | 'run'
  | 'person'
  | 'job'
  | 'discover'
  | 'rule'
  | 'batch'
  | 'rescore'
  | 'agent'
  | 'push'
  | 'destination'
  | 'export'
  | 'send'
  | 'ranking'
  | 'feed'

/** A claimed row; `failures` counts consecutive unexpected ones. */
export type Work = {
  readonly rowKind: RowKind
  readonly teamId: string
  readonly id: string
  readonly fence: number
  readonly failures: number
}

/** `lost`: another worker took the row over, or it is finished. */
export type Recorded = 'put_off' | 'ended' | 'lost'

/** Records an unexpected failure: reschedules the row to `dueAt`, or, when that is null, ends it with `internal_error`. */
export type RecordUnexpected = (tx: Tx, work: Work, dueAt: Date | null) => Promise<Recorded>

/** The row that a step has claimed, on which its failure is recorded, and the outside answers kept for it. */
export type StepContext = {
  work: Work | undefined
  committed: boolean
  readonly answers: Map<string, unknown>
  kept: Promise<ReadonlyMap<string, unknown>> | undefined
  readonly recorder: Recorder | undefined
}

/** For steps that work on several rows. */
type Recorder = {
  failed(context: StepContext & { readonly work: Work }, error: unknown): Promise<void>
  done(work: Work): Promise<void>
}

const contexts = new AsyncLocalStorage<StepContext>()

/** Runs a step that has not claimed a row yet. */
export function withStepContext<T>(step: (context: StepContext) => Promise<T>, recorder?: Recorder): Promise<T> {
  const context: StepContext = { work: undefined, committed: false, answers: new Map(), kept: undefined, recorder }
  return contexts.run(context, () => step(context))
}

/** For steps that work on several rows: clears the claimed row, since each row gets its own context by `taskContextOf`. */
export function clearClaimedRow(): void {
  const context = contexts.getStore()
  if (context) context.work = undefined
}

/** One of several rows of a step: answers and failures inside `run` are that row's. */
export type TaskRow = {
  run<T>(part: () => Promise<T>): Promise<T>
  /** False for database trouble and armed faults. */
  owns(error: unknown): boolean
  failed(error: unknown): Promise<void>
  /** The row has progressed, so its kept answers are forgotten. */
  done(): Promise<void>
}

/** The context of one of several claimed rows. */
export function taskContextOf(work: Work): TaskRow {
  const recorder = contexts.getStore()?.recorder
  const context = { work, committed: true, answers: new Map<string, unknown>(), kept: undefined, recorder }
  return {
    run: (part) => contexts.run(context, part),
    owns: isFailureOfTheRow,
    failed: async (error) => {
      if (!isFailureOfTheRow(error) || !recorder) throw error
      await recorder.failed(context, error)
    },
    done: async () => {
      if (work.failures > 0) await recorder?.done(work)
    },
  }
}

/** The state of the current step, if any. */
export const currentStepContext = (): StepContext | undefined => contexts.getStore()

/** Notes a claim of this unit of work; a rollback leaves the row at `fenceBefore`. */
export function enterTaskContext(tx: Tx, work: Work, fenceBefore: number): void {
  const context = contexts.getStore()
  if (!context) return
  context.work = { ...work, fence: fenceBefore }
  context.committed = false
  tx.afterCommit(() => {
    context.work = work
    context.committed = true
  })
}

/** The connection is lost: leased rows wait for their leases to expire. */
export const isLostDatabase = (error: unknown): boolean => databaseTrouble(error) === 'away'

/** A failure that a retry would repeat: no database trouble and no armed fault (a dead process), for which leases expire. */
export const isFailureOfTheRow = (error: unknown): boolean =>
  !(error instanceof ArmedFault) && databaseTrouble(error) === null

/** Works on items together; if that fails because of one of them, on each alone, and passes those that fail to `failed`. */
export async function oneByOne<T>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<void>,
  failed: (item: T, error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await work(items)
  } catch (error) {
    if (!isFailureOfTheRow(error)) throw error
    if (items.length === 1) return failed(items[0]!, error)
    for (const item of items) await oneByOne([item], work, failed)
  }
}

const minute = 60_000
const waits = [minute, 5 * minute, 30 * minute, 120 * minute] as const

/** For work that is retried for ever. */
export const longestWaitMs = waits[3]

/** When to retry (service time), after `failures` consecutive ones before this; null at the fifth. */
export function unexpectedRetryAt(failures: number, now: Date): Date | null {
  const wait = waits[failures]
  return wait === undefined ? null : new Date(now.getTime() + wait)
}
