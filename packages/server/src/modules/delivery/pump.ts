/** One step of deliveries: claims, attempts under way, and the record of what has come back go on side by side. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { withLogContext } from '../../platform/log-context.ts'
import { isOfTheWork } from '../../platform/work-in-hand.ts'
import { attemptPost, type Attempt } from './attempt.ts'
import { claimMany, prepare, type Ready } from './claim.ts'
import type { DeliveryDeps } from './jobs.ts'
import type { LeasedDelivery } from './lease-store.ts'
import { giveBackUnsent } from './own-store.ts'
import { youngMs, type Exposed, type Pace } from './pace.ts'
import { park, recordAccepted, recordFailures, withhold, type Failed, type Recorded } from './record.ts'
import { isAccepted, judge, type Fault } from './rules/outcome.ts'
import type { Accepted } from './settle-store.ts'
import { keyOf, WaitingDeliveries } from './waiting.ts'

/** How many attempts one step has under way at most. */
const mostInFlight = 160
/** How much a claim takes: twice as much as the last one, when that was quickly sent. */
const [leastClaimed, mostClaimed, quickMs] = [24, 96, 100]
/** Looks at what others are claiming from, before it leaves it to them. */
const maxLooks = 50
const outrunPauseMs = 5

type Finished = { readonly ready: Ready; readonly at: Date; readonly attempt: Attempt }

/** One step. */
export class Pump {
  readonly #deps: DeliveryDeps
  readonly #pace: Pace
  readonly #closing: AbortSignal | undefined
  readonly #waiting = new WaitingDeliveries()
  #inFlight = 0
  #finished: Finished[] = []
  #claiming = false
  #recording = false
  #ticking = false
  /** False once a claim found less than it wanted, until something has changed. */
  #mayHaveMore = true
  /**
   * Endpoints that want nothing more: what waits for them is given back, to be held. A claim that begins once that is
   * recorded knows by itself.
   */
  readonly #gone = new Map<string, 'answered' | 'recorded'>()
  #looks = 0
  #most = leastClaimed
  #claimedMs = 0
  #failure: { error: unknown } | undefined
  #interrupted = false
  #worked = false
  #changed = Promise.withResolvers<void>()
  readonly #ended = new AbortController()

  constructor(deps: DeliveryDeps, pace: Pace, closing: AbortSignal | undefined) {
    this.#deps = deps
    this.#pace = pace
    this.#closing = closing
  }

  async run(): Promise<'worked' | 'idle'> {
    const silence = this.#pace.listen(() => this.#changed.resolve())
    try {
      for (;;) {
        this.#send()
        this.#record()
        this.#claim()
        if (this.#inFlight === 0 && !this.#recording && !this.#claiming) {
          if (this.#waiting.count === 0 || this.#isEnding()) break
        }
        this.#tick()
        await this.#changed.promise
        this.#changed = Promise.withResolvers()
      }
      // What a death left behind stays leased.
      if (!this.#failure) await this.#giveBack(this.#waiting.takeAll())
    } finally {
      silence()
      this.#ended.abort()
      this.#pace.recorded(this.#finished.length)
    }
    if (this.#failure) throw this.#failure.error
    return this.#worked && !this.#interrupted ? 'worked' : 'idle'
  }

  #isEnding(): boolean {
    return this.#failure !== undefined || this.#interrupted || (this.#closing?.aborted ?? false)
  }

  /** Looks again after a while: attempts are young no more, and something else may be due. */
  #tick(): void {
    if (this.#ticking) return
    this.#ticking = true
    const over = () => {
      this.#ticking = false
      this.#mayHaveMore = true
      this.#changed.resolve()
    }
    this.#deps.system.sleep(youngMs, this.#ended.signal).then(over, () => {})
  }

  /** Does something beside everything else; what goes wrong is kept until what is under way has come to its end. */
  #beside(something: () => Promise<void>, over: () => void): void {
    void something()
      .catch((error: unknown) => (this.#failure ??= { error }))
      .finally(() => {
        over()
        this.#changed.resolve()
      })
  }

  /** Begins attempts at what waits, as far as there is room. */
  #send(): void {
    if (this.#waiting.count === 0 || this.#isEnding()) return
    const nowMs = this.#deps.system.nowMs()
    const hasRoom = () => this.#inFlight < mostInFlight && this.#pace.room(nowMs) > 0
    if (this.#gone.size === 0 && !hasRoom()) return
    const stale = this.#waiting.begin({
      nowMs,
      isGone: (key) => this.#gone.has(key),
      hasRoom,
      begin: (ready) => {
        const taken = this.#pace.take(ready.leased, ready.atOnce)
        if (taken) this.#begin(ready, nowMs)
        return taken
      },
    })
    if (stale.length > 0)
      this.#beside(
        () => this.#giveBack(stale),
        () => {},
      )
  }

  #begin(ready: Ready, nowMs: number): void {
    const exposed = this.#pace.begin(nowMs)
    this.#inFlight += 1
    let finished = false
    const attempt = async () => {
      try {
        finished = await withLogContext(logContextOf(ready.leased), () => this.#attempt(ready, exposed))
      } finally {
        if (!exposed.over) this.#pace.end(exposed, ready.leased, { elapsedMs: null })
        if (!finished) this.#pace.recorded(1)
      }
    }
    this.#beside(attempt, () => {
      this.#inFlight -= 1
    })
  }

  /** One attempt; false when there is nothing of it to be recorded. */
  async #attempt(ready: Ready, exposed: Exposed): Promise<boolean> {
    const { leased, url, schemes, body, secrets } = ready
    let finished = false
    await this.#orPark(leased, async () => {
      const at = await this.#deps.serviceNow(this.#deps.db)
      const post = { url, schemes, id: leased.id, event: leased.event, body, secrets }
      const attempt = await attemptPost(this.#deps, post, at)
      const { ending, elapsedMs } = attempt
      const accepted = ending !== 'interrupted' && isAccepted(ending)
      if (ending !== 'interrupted' && judge(ending, at).result === 'gone') this.#gone.set(keyOf(leased), 'answered')
      this.#pace.end(exposed, leased, { elapsedMs: accepted ? elapsedMs : null })
      if (ending === 'interrupted') this.#interrupted = true
      else await this.#deps.faultPoint('delivery.sent')
      this.#finished.push({ ready, at, attempt })
      finished = true
    })
    return finished
  }

  /** Leases more once little waits. */
  #claim(): void {
    const { atMost, system } = this.#deps
    const room = mostInFlight - this.#inFlight - this.#waiting.count
    if (this.#claiming || this.#isEnding() || !this.#mayHaveMore || room <= 0) return
    if (atMost !== undefined && this.#worked) return
    if (atMost === undefined && this.#waiting.count > this.#most / 4) return
    const nowMs = system.nowMs()
    if (this.#worked)
      this.#most = nowMs - this.#claimedMs < quickMs ? Math.min(mostClaimed, this.#most * 2) : leastClaimed
    this.#claimedMs = nowMs
    for (const [key, how] of this.#gone) if (how === 'recorded') this.#gone.delete(key)
    const most = Math.min(room, atMost ?? this.#most)
    this.#claiming = true
    this.#beside(
      () => this.#lease(most),
      () => {
        this.#claiming = false
      },
    )
  }

  async #lease(most: number): Promise<void> {
    const { unitOfWork, faultPoint, atMost, system } = this.#deps
    const depths = atMost === undefined ? this.#pace.deep() : []
    const { bound, withheld, outrun } = await unitOfWork((tx) => claimMany(tx, this.#deps, { most, depths }))
    const taken = bound.length + withheld.length
    this.#mayHaveMore = taken === most
    if (taken === 0) {
      const alone = this.#inFlight === 0 && !this.#recording && this.#waiting.count === 0
      if (!outrun || !alone || ++this.#looks > maxLooks) return
      await system.sleep(outrunPauseMs)
      this.#mayHaveMore = true
      return
    }
    this.#looks = 0
    this.#worked = true
    await faultPoint('delivery.leased')
    for (const [teamId, of] of Map.groupBy(bound, ({ leased }) => leased.teamId)) {
      const { ready, unready } = await prepare(this.#deps, teamId, of)
      this.#waiting.add(ready, system.nowMs())
      this.#changed.resolve()
      for (const { leased, fault, error } of unready) await this.#park(leased, fault, error)
    }
    for (const leased of withheld) await this.#orPark(leased, () => this.#unit((tx) => withhold(tx, leased)))
  }

  /** Records what has come back by now. */
  #record(): void {
    if (this.#recording || this.#finished.length === 0) return
    const finished = this.#finished.splice(0)
    this.#recording = true
    this.#beside(
      async () => {
        try {
          for (const [teamId, of] of Map.groupBy(finished, ({ ready }) => ready.leased.teamId))
            await this.#recordOf(teamId, of)
        } finally {
          this.#pace.recorded(finished.length)
        }
        this.#mayHaveMore = true
      },
      () => {
        this.#recording = false
      },
    )
  }

  async #recordOf(teamId: string, finished: readonly Finished[]): Promise<void> {
    const { random } = this.#deps
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
    await this.#together(accepted, (some) => this.#unit((tx) => recordAccepted(tx, teamId, some)))
    await this.#together(failed, async (some) => {
      const recorded = await this.#unit((tx) => recordFailures(tx, teamId, some))
      for (const { leased } of some) if (this.#gone.has(keyOf(leased))) this.#gone.set(keyOf(leased), 'recorded')
      for (const [index, each] of some.entries()) this.#logFailure(each, recorded[index]!)
    })
    await this.#giveBack(interrupted)
  }

  /** Records many at once; when one of them is to blame that this fails, one by one, for the others need not be sent twice for it. */
  async #together<T extends { readonly leased: LeasedDelivery }>(
    all: readonly T[],
    record: (some: readonly T[]) => Promise<void>,
  ): Promise<void> {
    if (all.length === 0) return
    if (all.length === 1) return this.#orPark(all[0]!.leased, () => record(all))
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
  async #giveBack(leased: readonly LeasedDelivery[]): Promise<void> {
    for (const [teamId, of] of Map.groupBy(leased, (each) => each.teamId))
      await this.#deps.unitOfWork((tx) => giveBackUnsent(tx, teamId, of))
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

  /** A unit of work that can die just before it commits. */
  #unit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#deps.unitOfWork(async (tx) => {
      const done = await work(tx)
      await this.#deps.faultPoint('delivery.before-commit')
      return done
    })
  }
}

/** What the lines of the log about one of many deliveries say of it. */
const logContextOf = ({ teamId, ownerId, id }: LeasedDelivery) => ({ teamId, ownerId, deliveryId: id })
