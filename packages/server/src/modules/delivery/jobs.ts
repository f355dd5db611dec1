/**
 * Deliveries (G49, G134; WHK-13..WHK-17, WHK-27). A row is one event for one owner, made in the unit of work that decides that it
 * goes out; it is never made twice, so what is sent is not sent again.
 *
 *   pending    waits for `due_at`; a pushed lead is serialised when it is first claimed.
 *              claimed, URL set, source tracked, endpoint not disabled        -> sending
 *              claimed, endpoint disabled                                     -> held (with all that wait for that endpoint)
 *              claimed, source untracked                                      -> cancelled (with all that wait for it)
 *              URL cleared by a PUT                                           -> cancelled; the lead becomes no_webhook
 *   sending    under a lease of 60 s of system time and a fence; the POST happens outside any transaction. Afterwards, if the
 *              fence is still ours:
 *              2xx                                                            -> sent; the lead becomes sent
 *              410, or the endpoint only failed for 5 days                    -> held, and the endpoint is disabled
 *              anything else, attempts left                                   -> pending, due per the schedule from now on
 *              anything else, after the tenth attempt                         -> failed; the lead becomes failed
 *              the lease runs out (the worker died)                           -> claimed again: the same id, the same bytes
 *              the service itself fails at it, four times in a row            -> pending, due 1, 5, 30 min and 2 h later
 *              the same, the fifth time                                       -> held
 *              the service closes                                             -> pending, the attempt not counted
 *              URL cleared by a PUT                                           -> cancelled; a receiver that accepts it all the
 *                                                                                same makes it sent, because it is
 *   held       a PUT that names the URL, or a replay                          -> pending with a fresh schedule
 *              (a pushed lead not enriched yet) its enrichment ends           -> pending; cancelled when it was pushed as ICP
 *                                                                                only, does not match, and would not go by itself
 *              source untracked                                               -> cancelled
 *              URL cleared by a PUT                                           -> cancelled
 *   sent, failed, cancelled   final; only a push brings failed and cancelled ones back, and only a replay that a person asks for at the
 *              dashboard brings sent and failed ones back: the same id, the same bytes, a fresh schedule.
 *
 * Many are worked at once: what several endpoints have due is leased in one unit of work that is SQL alone, made ready team by team
 * outside of it, sent side by side, and what was accepted is
 * recorded in one unit for as many as have come back by then; anything else is recorded one by one. Endpoints keep their five attempts
 * in flight, and one that is slow holds up nobody but itself.
 *
 * A crash after the receiver answered and before that is recorded sends once more under the same id: at least once, never lost.
 */
import type { SystemClock } from '../../platform/clock.ts'
import { withLogContext } from '../../platform/log-context.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { Reader, Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import type { Log } from '../../platform/log.ts'
import type { Random } from '../../platform/random.ts'
import type { Vault } from '../../platform/secrets.ts'
import { isOfTheWork } from '../../platform/work-in-hand.ts'
import { defineWork } from '../../platform/work/index.ts'
import { attemptPost, type Attempt } from './attempt.ts'
import type { Accepted } from './batch-store.ts'
import { claimMany, prepare, type Bound, type Ready } from './claim.ts'
import { deliveryRows, type LeasedDelivery } from './lease-store.ts'
import { giveBack, park, recordAccepted, recordFailure, withhold } from './record.ts'
import { isAccepted, judge, type Fault } from './rules/outcome.ts'

/** What deliveries are made with. */
export type DeliveryDeps = {
  /** The root handle, for reads outside units of work. */
  readonly db: Reader
  readonly unitOfWork: UnitOfWork
  readonly egress: Egress
  readonly vault: Vault
  readonly system: SystemClock
  readonly random: Random
  readonly faultPoint: FaultPointHook
  readonly allowPrivate: boolean
  readonly log: Log
  /** The uuid of this process, written on its leases. */
  readonly newOwnerId: string
  readonly serviceNow: (db: Reader) => Promise<Date>
  /** Instead of 15 s for one attempt, in tests of slow receivers. */
  readonly timeoutMs?: number
  /** Instead of many at once: so many in flight, and one claim a step. */
  readonly atMost?: number
}

/** How many attempts one step has under way at most. */
const mostInFlight = 160
/** How many of them may be young or waiting to be recorded: as many as a crash may send twice. Those a receiver takes its time over are not young for long. */
const mostYoung = 24
const youngMs = 250
/** Below this much room it waits for more to come back, so that a claim is worth its while. */
const worthwhileRoom = 8
/** Looks at what others are claiming from, before it leaves it to them. */
const maxLooks = 50
const outrunPauseMs = 5

type FinishedAttempt = { readonly ready: Ready; readonly at: Date; readonly attempt: Attempt }

/** Makes the step that works due deliveries until none is left or `closing` says to take no more; `idle` when there was none. */
export function deliverStep(deps: DeliveryDeps): (closing?: AbortSignal) => Promise<'worked' | 'idle'> {
  return (closing) => new Pump(deps, closing).run()
}

/** One step: claims, attempts under way, and what has come back and waits to be recorded. */
class Pump {
  readonly #deps: DeliveryDeps
  readonly #closing: AbortSignal | undefined
  /** Attempts under way, each with the instant it began, in system time. */
  readonly #sending = new Map<Promise<void>, number>()
  #finishedAttempts: FinishedAttempt[] = []
  #failure: { error: unknown } | undefined
  #interrupted = false
  #worked = false

  constructor(deps: DeliveryDeps, closing: AbortSignal | undefined) {
    this.#deps = deps
    this.#closing = closing
  }

  async run(): Promise<'worked' | 'idle'> {
    for (let looks = 1; ; looks++) {
      const claimed = await this.#fill()
      if (this.#sending.size === 0 && this.#finishedAttempts.length === 0) {
        if (claimed !== 'outrun' || looks >= maxLooks) break
        await this.#deps.system.sleep(outrunPauseMs)
        continue
      }
      looks = 0
      if (this.#finishedAttempts.length === 0) await this.#nextFinished()
      await this.#record()
    }
    if (this.#failure) throw this.#failure.error
    return this.#worked && !this.#interrupted ? 'worked' : 'idle'
  }

  #room(): number {
    const { atMost, system } = this.#deps
    if (atMost !== undefined) return this.#worked ? 0 : atMost
    const nowMs = system.nowMs()
    const young = [...this.#sending.values()].filter((beganMs) => nowMs - beganMs < youngMs).length
    return Math.min(mostYoung - young - this.#finishedAttempts.length, mostInFlight - this.#sending.size)
  }

  /** Waits until an attempt ends, or until those under way are no longer young and others may begin. */
  async #nextFinished(): Promise<void> {
    const waiting = new AbortController()
    const grown = this.#deps.system.sleep(youngMs, waiting.signal).catch(() => {})
    await Promise.race([...this.#sending.keys(), grown])
    waiting.abort()
  }

  /** Takes off with what is due, as far as there is room. */
  async #fill(): Promise<'taken' | 'nothing' | 'outrun'> {
    const room = this.#room()
    if (
      room < Math.min(worthwhileRoom, this.#deps.atMost ?? worthwhileRoom) ||
      this.#failure ||
      this.#interrupted ||
      this.#closing?.aborted
    )
      return 'nothing'
    try {
      const { bound, withheld, outrun } = await this.#deps.unitOfWork((tx) => claimMany(tx, this.#deps, room))
      if (bound.length + withheld.length === 0) return outrun ? 'outrun' : 'nothing'
      this.#worked = true
      await this.#deps.faultPoint('delivery.leased')
      for (const [teamId, of] of Map.groupBy(bound, ({ leased }) => leased.teamId)) await this.#startSending(teamId, of)
      for (const leased of withheld) await this.#orPark(leased, () => this.#unit((tx) => withhold(tx, leased)))
      return 'taken'
    } catch (error) {
      this.#fail(error)
      return 'nothing'
    }
  }

  /** Sends what one team has due; what cannot be sent is parked. */
  async #startSending(teamId: string, bound: readonly Bound[]): Promise<void> {
    const { ready, unready } = await prepare(this.#deps, teamId, bound)
    for (const each of ready) {
      const sendingOne = withLogContext(logContextOf(each.leased), () => this.#sendOne(each)).finally(() =>
        this.#sending.delete(sendingOne),
      )
      this.#sending.set(sendingOne, this.#deps.system.nowMs())
    }
    for (const { leased, fault, error } of unready) await this.#park(leased, fault, error)
  }

  /** One attempt; whatever goes wrong is kept until those under way are recorded. */
  async #sendOne(ready: Ready): Promise<void> {
    try {
      await this.#orPark(ready.leased, async () => {
        const at = await this.#deps.serviceNow(this.#deps.db)
        const { leased, url, schemes, body, secrets } = ready
        const attempt = await attemptPost(
          this.#deps,
          { url, schemes, id: leased.id, event: leased.event, body, secrets },
          at,
        )
        if (attempt.ending === 'interrupted') this.#interrupted = true
        else await this.#deps.faultPoint('delivery.sent')
        this.#finishedAttempts.push({ ready, at, attempt })
      })
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Records what has come back: the accepted of a team together, the others one by one. */
  async #record(): Promise<void> {
    const finishedAttempts = this.#finishedAttempts
    this.#finishedAttempts = []
    const accepted = Map.groupBy(finishedAttempts.flatMap(acceptedOf), ({ leased }) => leased.teamId)
    try {
      for (const [teamId, of] of accepted) await this.#recordAccepted(teamId, of)
      for (const each of finishedAttempts.filter((one) => acceptedOf(one).length === 0))
        await withLogContext(logContextOf(each.ready.leased), () =>
          this.#orPark(each.ready.leased, () => this.#recordOne(each)),
        )
    } catch (error) {
      this.#fail(error)
    }
  }

  async #recordAccepted(teamId: string, accepted: readonly Accepted[]): Promise<void> {
    const record = (some: readonly Accepted[]) => this.#unit((tx) => recordAccepted(tx, teamId, some))
    if (accepted.length === 1) return this.#orPark(accepted[0]!.leased, () => record(accepted))
    try {
      await record(accepted)
    } catch (error) {
      if (!isOfTheWork(error)) throw error
      // One of them is to blame; the others need not be sent twice for it.
      for (const each of accepted) await this.#recordAccepted(teamId, [each])
    }
  }

  /** Does something for a delivery, and parks it when that fails unexpectedly. */
  async #orPark(leased: LeasedDelivery, something: () => Promise<unknown>): Promise<void> {
    try {
      await something()
    } catch (error) {
      if (!isOfTheWork(error)) throw error
      await this.#park(leased, 'internal_error', error)
    }
  }

  /** Parks a delivery; one that cannot even be parked is left to its lease, so that nobody else waits for it. */
  async #park(leased: LeasedDelivery, fault: Fault, error: unknown): Promise<void> {
    const { log } = this.#deps
    const about = logContextOf(leased)
    try {
      const now = await this.#unit((tx) => park(tx, leased, fault))
      log.error('a delivery failed unexpectedly', { ...about, fault, now, error })
    } catch (failure) {
      if (!isOfTheWork(failure)) throw failure
      log.error('a delivery failed unexpectedly, and that could not be recorded', { ...about, fault, error: failure })
    }
  }

  async #recordOne({
    ready: { leased, url },
    at,
    attempt: { ending, elapsedMs, response },
  }: FinishedAttempt): Promise<void> {
    const { log, unitOfWork, random } = this.#deps
    if (ending === 'interrupted') return unitOfWork((tx) => giveBack(tx, leased))
    const outcome = judge(ending, at)
    if (outcome.result === 'delivered') throw new Error('an accepted delivery is recorded with the others')
    const result = await this.#unit((tx) =>
      recordFailure(tx, leased, { url, at, elapsedMs, response, outcome, random: random.next() }),
    )
    log.info('delivery attempt failed', {
      teamId: leased.teamId,
      deliveryId: leased.id,
      outcome: outcome.label,
      status: outcome.status,
      now: result.state,
    })
    if (result.disabled !== null)
      log.warn('webhook endpoint disabled', { teamId: leased.teamId, ownerId: leased.ownerId, reason: result.disabled })
  }

  /** A unit of work that can die just before it commits. */
  #unit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#deps.unitOfWork(async (tx) => {
      const done = await work(tx)
      await this.#deps.faultPoint('delivery.before-commit')
      return done
    })
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
  }
}

/** What the lines of the log about one of many deliveries say of it. */
const logContextOf = ({ teamId, ownerId, id }: LeasedDelivery) => ({ teamId, ownerId, deliveryId: id })

function acceptedOf({ ready, at, attempt }: FinishedAttempt): Accepted[] {
  const { ending, elapsedMs, response } = attempt
  return ending !== 'interrupted' && isAccepted(ending)
    ? [{ leased: ready.leased, url: ready.url, at, elapsedMs, status: ending.status, response }]
    : []
}

/** Deliveries, as work; many are worked on at once, and each records its own unexpected failures. */
export const deliveryWork = defineWork({ kind: 'delivery', rows: [deliveryRows], step: deliverStep, unexpected: {} })
