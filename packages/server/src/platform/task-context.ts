/**
 * The claimed row that the current step works on, and outside answers kept for it. A claim notes its row here, so that an
 * unexpected failure is recorded on exactly that row (`worker/steps.ts`).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { databaseTrouble } from './db/trouble.ts'
import type { Tx } from './db/tx.ts'
import { ArmedFault } from './faults.ts'

/**
 * Names for kinds of claimed rows; each has a function that records its unexpected failures (`unexpectedRecords` in
 * `worker/works.ts`).
 */
export type TaskName =
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

/** A claimed row. `fence`: its current fence; `failures`: consecutive unexpected failures so far. */
export type Work = {
  readonly taskName: TaskName
  readonly teamId: string
  readonly id: string
  readonly fence: number
  readonly failures: number
}

/** The result of recording a failure; `lost`: another worker has taken the row over, or it is finished. */
export type Recorded = 'put_off' | 'ended' | 'lost'

/**
 * Records an unexpected failure in a unit of work: reschedules the row to `dueAt`, or, when that is null, ends it with
 * `internal_error`.
 */
export type RecordUnexpected = (tx: Tx, work: Work, dueAt: Date | null) => Promise<Recorded>

/** The state of a step. `committed`: false until the claim's transaction has committed. */
export type Hand = {
  work: Work | undefined
  committed: boolean
  readonly answers: Map<string, unknown>
  kept: Promise<ReadonlyMap<string, unknown>> | undefined
  readonly recorder: Recorder | undefined
}

/** Records failures per row, for steps that work on several. */
type Recorder = {
  failed(hand: Hand & { readonly work: Work }, error: unknown): Promise<void>
  done(work: Work): Promise<void>
}

const hands = new AsyncLocalStorage<Hand>()

/** Runs a step with no row noted yet. */
export function withEmptyHand<T>(step: (hand: Hand) => Promise<T>, recorder?: Recorder): Promise<T> {
  const hand: Hand = { work: undefined, committed: false, answers: new Map(), kept: undefined, recorder }
  return hands.run(hand, () => step(hand))
}

/** Clears the noted row: from here on the step uses `taskContextOf` for each of its rows. */
export function putDown(): void {
  const hand = hands.getStore()
  if (hand) hand.work = undefined
}

/** One of several rows of a step: answers and unexpected failures inside `run` belong to that row only. */
export type TaskRow = {
  run<T>(part: () => Promise<T>): Promise<T>
  /** True for a failure to record on the row; false for database trouble and armed faults. */
  owns(error: unknown): boolean
  /** Records an unexpected failure of the row. */
  failed(error: unknown): Promise<void>
  /** The row has progressed: its kept answers are forgotten. */
  done(): Promise<void>
}

/** Makes the context of one of several claimed rows. */
export function taskContextOf(work: Work): TaskRow {
  const recorder = hands.getStore()?.recorder
  const hand = { work, committed: true, answers: new Map<string, unknown>(), kept: undefined, recorder }
  return {
    run: (part) => hands.run(hand, part),
    owns: isOfTheWork,
    failed: async (error) => {
      if (!isOfTheWork(error) || !recorder) throw error
      await recorder.failed(hand, error)
    },
    done: async () => {
      if (work.failures > 0) await recorder?.done(work)
    },
  }
}

/** The state of the current step; undefined outside of one. */
export const currentHand = (): Hand | undefined => hands.getStore()

/** Notes a claim made in this unit of work; `fenceBefore` is the row's fence if the unit is rolled back. */
export function enterTaskContext(tx: Tx, work: Work, fenceBefore: number): void {
  const hand = hands.getStore()
  if (!hand) return
  hand.work = { ...work, fence: fenceBefore }
  hand.committed = false
  tx.afterCommit(() => {
    hand.work = work
    hand.committed = true
  })
}

/** True for a lost database connection: leased rows stay leased until their leases expire. */
export const isLostDatabase = (error: unknown): boolean => databaseTrouble(error) === 'away'

/**
 * True for a failure to record on the row: an immediate retry would fail again. Database trouble is not the row's fault, and an
 * armed fault stands for a dead process: in both cases the lease expires and the work is tried again unchanged.
 */
export const isOfTheWork = (error: unknown): boolean =>
  !(error instanceof ArmedFault) && databaseTrouble(error) === null

const minute = 60_000
const waits = [minute, 5 * minute, 30 * minute, 120 * minute] as const

/** The longest wait, for work that is retried for ever. */
export const longestWaitMs = waits[3]

/** When to retry (service time) after `failures` earlier consecutive unexpected failures; null when this is the fifth. */
export function unexpectedRetryAt(failures: number, now: Date): Date | null {
  const wait = waits[failures]
  return wait === undefined ? null : new Date(now.getTime() + wait)
}
