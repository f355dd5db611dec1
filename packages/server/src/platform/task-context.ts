/**
 * The claimed row that the step under way works on, and what outside systems have answered it. A claim notes its row here, so that
 * an unexpected failure anywhere behind it is recorded on that row and on no other (worker/steps.ts).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { databaseTrouble } from './db/trouble.ts'
import type { Tx } from './db/tx.ts'
import { ArmedFault } from './faults.ts'

/** What rows that steps claim are called; each name has its record of unexpected failures (`unexpectedRecords` in worker/works.ts). */
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

/** A claimed row. `fence`: the one its row carries now; `failures`: unexpected failures in a row before this one. */
export type Work = {
  readonly taskName: TaskName
  readonly teamId: string
  readonly id: string
  readonly fence: number
  readonly failures: number
}

/** What recording a failure came to; `lost`: another worker has the row by now, or it is over. */
export type Recorded = 'put_off' | 'ended' | 'lost'

/**
 * Records an unexpected failure of claimed work in a unit of work: put off until `dueAt`, or, when that is null, ended
 * with `internal_error`.
 */
export type RecordUnexpected = (tx: Tx, work: Work, dueAt: Date | null) => Promise<Recorded>

/** What a step has in hand. `committed`: false while the claim itself could still be undone, or was. */
export type Hand = {
  work: Work | undefined
  committed: boolean
  readonly answers: Map<string, unknown>
  kept: Promise<ReadonlyMap<string, unknown>> | undefined
  readonly recorder: Recorder | undefined
}

/** What records the failures of rows, when a step has several in hand. */
type Recorder = {
  failed(hand: Hand & { readonly work: Work }, error: unknown): Promise<void>
  done(work: Work): Promise<void>
}

const hands = new AsyncLocalStorage<Hand>()

/** Runs a step with nothing in hand yet. */
export function withEmptyHand<T>(step: (hand: Hand) => Promise<T>, recorder?: Recorder): Promise<T> {
  const hand: Hand = { work: undefined, committed: false, answers: new Map(), kept: undefined, recorder }
  return hands.run(hand, () => step(hand))
}

/** Puts the work in hand down: from here on the step takes its rows in hand one by one. */
export function putDown(): void {
  const hand = hands.getStore()
  if (hand) hand.work = undefined
}

/** One of several rows that a step works on: what is asked for it and what fails unexpectedly is of that row alone. */
export type TaskRow = {
  run<T>(part: () => Promise<T>): Promise<T>
  /** True of a failure that is recorded on the row; trouble that is nobody's fault is not. */
  owns(error: unknown): boolean
  /** Records an unexpected failure of the row. */
  failed(error: unknown): Promise<void>
  /** The row has got on: what was kept for it is forgotten. */
  done(): Promise<void>
}

/** Takes one of several claimed rows in hand. */
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

/** What the step around this moment has in hand; undefined outside of one. */
export const currentHand = (): Hand | undefined => hands.getStore()

/** Notes a claim made in this unit of work; `fenceBefore` is what its row goes back to when the unit is undone. */
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

/** True of a failure because the connection to the database was lost: what was leased waits for its lease to run out. */
export const isLostDatabase = (error: unknown): boolean => databaseTrouble(error) === 'away'

/**
 * True of a failure that belongs to the work: trying again at once would fail again. Trouble of the database is nobody's fault,
 * and an armed fault stands for a process that died: their leases run out, and the work is tried again as it is.
 */
export const isOfTheWork = (error: unknown): boolean =>
  !(error instanceof ArmedFault) && databaseTrouble(error) === null

const minute = 60_000
const waits = [minute, 5 * minute, 30 * minute, 120 * minute] as const

/** The longest wait of work that goes on for ever. */
export const longestWaitMs = waits[3]

/** When work is tried again, in service time, after so many unexpected failures in a row before this one; null after the fifth. */
export function unexpectedRetryAt(failures: number, now: Date): Date | null {
  const wait = waits[failures]
  return wait === undefined ? null : new Date(now.getTime() + wait)
}
