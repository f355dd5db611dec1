/**
 * Recording what came back, for all steps of one process together: each few answers are one statement, and the fewer they are the less
 * a delivery costs. What is answered while some are being recorded is the next lot. A team whose rows somebody has locked is left to
 * itself after a moment: the others are recorded beside it, and nothing more of it is begun until it has come to its end.
 */
import { atMost } from '../../platform/clock.ts'
import { errorCode } from '../../platform/db/embedded-programs.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { ArmedFault } from '../../platform/faults.ts'
import { isLostDatabase, isOfTheWork } from '../../platform/work-in-hand.ts'
import type { Attempt } from './attempt.ts'
import type { Ready } from './claim.ts'
import type { DeliveryDeps } from './jobs.ts'
import type { LeasedDelivery } from './lease-store.ts'
import { giveBackUnsent } from './own-store.ts'
import type { Pace } from './pace.ts'
import { park, recordAccepted, recordFailures, type Failed, type Recorded } from './record.ts'
import { isAccepted, judge, type Fault } from './rules/outcome.ts'
import type { Accepted } from './settle-store.ts'

/** An answer waits so long for others at most, while more are about to come. */
export const lingerMs = 12

/** Others wait so long for the record of one team, and for so many teams none: each waits with a connection of the database. */
const [othersWaitMs, mostSlow] = [100, 3]

/** A record that a lock or a time limit ended is tried so often in all: together they are over before the lease is. */
const mostTries = 2

/** SQLSTATE of a statement that waited for a lock, or took, longer than it may. */
const isTimeLimit = (error: unknown): boolean => ['55P03', '57014'].includes(errorCode(error))

/** An attempt that has come to its end; `over` hears that it is recorded, or why it could not be. */
export type Finished = {
  readonly ready: Ready
  readonly at: Date
  readonly attempt: Attempt
  readonly over: (failure?: { readonly error: unknown }) => void
}

/** What records attempts. */
export type RecorderDeps = Pick<DeliveryDeps, 'unitOfWork' | 'faultPoint' | 'random' | 'log' | 'system'>

/** What of one team is recorded together. */
type Lot = { readonly teamId: string; readonly of: readonly Finished[]; isOver: boolean }

/** The recorder of one process. */
export class Recorder {
  readonly #deps: RecorderDeps
  readonly #pace: Pace
  #finished: Finished[] = []
  #sinceMs = 0
  #busy = false
  /** Teams whose record takes long, with how many of their answers do not count as exposed meanwhile. */
  readonly #slow = new Map<string, number>()

  constructor(deps: RecorderDeps, pace: Pace) {
    this.#deps = deps
    this.#pace = pace
  }

  /** Takes an attempt that is to be recorded. */
  put(finished: Finished, nowMs: number): void {
    if (this.#recordable().length === 0) this.#sinceMs = nowMs
    this.#finished.push(finished)
    this.#excuse(finished.ready.leased.teamId, 1)
  }

  /**
   * True when an attempt may begin: its endpoint has room, and the record of its team does not take long just now, since what else it
   * would have to record waits for that. The attempt has begun then.
   */
  take({ leased, atOnce }: Ready): boolean {
    return !this.#slow.has(leased.teamId) && this.#pace.take(leased, atOnce)
  }

  /** True when what waits is to be recorded now: enough of it, or no more of it is about to come. */
  isRipe(nowMs: number): boolean {
    const waiting = this.#recordable().length
    if (this.#busy || waiting === 0) return false
    return waiting >= this.#pace.enough() || nowMs - this.#sinceMs >= lingerMs || !this.#pace.isExpecting()
  }

  #recordable(): readonly Finished[] {
    if (this.#slow.size === 0) return this.#finished
    return this.#finished.filter(({ ready }) => !this.#slow.has(ready.leased.teamId))
  }

  /** Answers of a slow team keep no other from being sent: like those of slow receivers they are few. */
  #excuse(teamId: string, count: number): void {
    const already = this.#slow.get(teamId)
    if (already === undefined) return
    this.#slow.set(teamId, already + count)
    this.#pace.excuse(count)
  }

  /** Records what waits, team by team; those whose attempts could not be recorded hear so, and nobody else. */
  async record(): Promise<void> {
    const finished = this.#recordable()
    this.#finished = this.#finished.filter(({ ready }) => this.#slow.has(ready.leased.teamId))
    this.#busy = true
    for (const [teamId, of] of Map.groupBy(finished, ({ ready }) => ready.leased.teamId)) {
      const lot = { teamId, of, isOver: false }
      const recorded = this.#recordLot(lot)
      if (this.#slow.size >= mostSlow) await recorded
      else await atMost(this.#deps.system, othersWaitMs, recorded)
      if (!lot.isOver) this.#becomeSlow(lot)
    }
    this.#busy = false
  }

  #becomeSlow({ teamId, of }: Lot): void {
    const waiting = this.#finished.filter(({ ready }) => ready.leased.teamId === teamId)
    this.#slow.set(teamId, 0)
    this.#excuse(teamId, of.length + waiting.length)
  }

  /** Records one lot; never fails. */
  async #recordLot(lot: Lot): Promise<void> {
    const { teamId, of } = lot
    let failure: { readonly error: unknown } | undefined
    for (let tries = 1; ; tries++)
      try {
        await this.#recordOf(teamId, of)
        break
      } catch (error) {
        if (isTimeLimit(error) && tries < mostTries) continue
        failure = { error }
        break
      }
    const excused = this.#slow.get(teamId) ?? 0
    this.#slow.delete(teamId)
    lot.isOver = true
    for (const each of of) each.over(failure)
    this.#pace.recorded(of.length, excused)
  }

  async #recordOf(teamId: string, finished: readonly Finished[]): Promise<void> {
    const { random, unitOfWork, faultPoint } = this.#deps
    const [accepted, failed, interrupted]: [Accepted[], Failed[], LeasedDelivery[]] = [[], [], []]
    for (const { ready, at, attempt } of finished) {
      const { leased, url } = ready
      const { ending, elapsedMs, response } = attempt
      if (ending === 'interrupted') interrupted.push(leased)
      else if (isAccepted(ending)) accepted.push({ leased, url, at, elapsedMs, response, status: ending.status })
      else {
        const outcome = judge(ending, at)
        if (outcome.result === 'delivered') throw new Error('an accepted delivery is recorded with the others')
        failed.push({ leased, url, at, elapsedMs, response, outcome, random: random.next() })
      }
    }
    await this.#together(accepted, async (some) => {
      // A process that dies just before it commits: the statement is its own commit.
      await faultPoint('delivery.before-commit')
      await unitOfWork((tx) => recordAccepted(tx, teamId, some), 'statement')
    })
    await this.#together(failed, async (some) => {
      const recorded = await this.unit((tx) => recordFailures(tx, teamId, some))
      for (const [index, each] of some.entries()) this.#logFailure(each, recorded[index]!)
    })
    await this.giveBack(interrupted)
  }

  /** Records many at once; when one of them is to blame that this fails, one by one, for the others need not be sent twice for it. */
  async #together<T extends { readonly leased: LeasedDelivery }>(
    all: readonly T[],
    record: (some: readonly T[]) => Promise<void>,
  ): Promise<void> {
    if (all.length === 0) return
    if (all.length === 1) return this.orPark(all[0]!.leased, () => record(all))
    try {
      await record(all)
    } catch (error) {
      if (!isOfTheWork(error)) throw error
      for (const each of all) await this.#together([each], record)
    }
  }

  #logFailure({ leased: { teamId, ownerId, id }, outcome }: Failed, { state, disabled }: Recorded): void {
    const { log } = this.#deps
    const { label, status } = outcome
    log.info('delivery attempt failed', { teamId, ownerId, deliveryId: id, outcome: label, status, now: state })
    if (disabled !== null) log.warn('webhook endpoint disabled', { teamId, ownerId, reason: disabled })
  }

  /** Gives back what was leased and not sent. */
  async giveBack(leased: readonly LeasedDelivery[]): Promise<void> {
    for (const [teamId, of] of Map.groupBy(leased, (each) => each.teamId))
      await this.#deps.unitOfWork((tx) => giveBackUnsent(tx, teamId, of))
  }

  /**
   * Gives back what a step has not begun, also when the step ends with a failure: a lock or a time limit says nothing of what only
   * waited. What a death left behind stays leased, and what a lost database did is given back once that answers.
   */
  async giveBackAfter(leased: readonly LeasedDelivery[], failure?: { readonly error: unknown }): Promise<void> {
    if (!failure) return this.giveBack(leased)
    if (failure.error instanceof ArmedFault || isLostDatabase(failure.error)) return
    await this.giveBack(leased).catch(() => {})
  }

  /** Does something for a delivery, and parks it when that fails unexpectedly. */
  async orPark(leased: LeasedDelivery, something: () => Promise<unknown>): Promise<void> {
    try {
      await something()
    } catch (error) {
      if (!isOfTheWork(error)) throw error
      await this.park(leased, 'internal_error', error)
    }
  }

  /** Parks a delivery; one that cannot even be parked is left to its lease, so that nobody else waits for it. */
  async park(leased: LeasedDelivery, fault: Fault, error: unknown): Promise<void> {
    const { log } = this.#deps
    const about = logContextOf(leased)
    try {
      const now = await this.unit((tx) => park(tx, leased, fault))
      log.error('a delivery failed unexpectedly', { ...about, fault, now, error })
    } catch (failure) {
      if (!isOfTheWork(failure)) throw failure
      log.error('a delivery failed unexpectedly, and that could not be recorded', { ...about, fault, error: failure })
    }
  }

  /** A unit of work that can die just before it commits. */
  unit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#deps.unitOfWork(async (tx) => {
      const done = await work(tx)
      await this.#deps.faultPoint('delivery.before-commit')
      return done
    })
  }
}

/** What the lines of the log about one of many deliveries say of it. */
export const logContextOf = ({ teamId, ownerId, id }: LeasedDelivery) => ({ teamId, ownerId, deliveryId: id })
