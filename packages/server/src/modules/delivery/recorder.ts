/**
 * Recording what came back, for all steps of one process together: each few answers are one statement, and the fewer they are the less
 * a delivery costs. What is answered while some are being recorded is the next lot.
 */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { isOfTheWork } from '../../platform/work-in-hand.ts'
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

/** An attempt that has come to its end; `over` hears that it is recorded, or why it could not be. */
export type Finished = {
  readonly ready: Ready
  readonly at: Date
  readonly attempt: Attempt
  readonly over: (failure?: { readonly error: unknown }) => void
}

/** What records attempts. */
export type RecorderDeps = Pick<DeliveryDeps, 'unitOfWork' | 'faultPoint' | 'random' | 'log'>

/** The recorder of one process. */
export class Recorder {
  readonly #deps: RecorderDeps
  readonly #pace: Pace
  #finished: Finished[] = []
  #sinceMs = 0
  #busy = false

  constructor(deps: RecorderDeps, pace: Pace) {
    this.#deps = deps
    this.#pace = pace
  }

  /** Takes an attempt that is to be recorded. */
  put(finished: Finished, nowMs: number): void {
    if (this.#finished.length === 0) this.#sinceMs = nowMs
    this.#finished.push(finished)
  }

  /** True when what waits is to be recorded now: enough of it, or no more of it is about to come. */
  isRipe(nowMs: number): boolean {
    if (this.#busy || this.#finished.length === 0) return false
    return (
      this.#finished.length >= this.#pace.enough() || nowMs - this.#sinceMs >= lingerMs || !this.#pace.isExpecting()
    )
  }

  /** Records what waits; those whose attempts these are hear when that failed, and nobody else. */
  async record(): Promise<void> {
    const finished = this.#finished.splice(0)
    this.#busy = true
    let failure: { readonly error: unknown } | undefined
    try {
      for (const [teamId, of] of Map.groupBy(finished, ({ ready }) => ready.leased.teamId))
        await this.#recordOf(teamId, of)
    } catch (error) {
      failure = { error }
    }
    this.#busy = false
    for (const each of finished) each.over(failure)
    this.#pace.recorded(finished.length)
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
