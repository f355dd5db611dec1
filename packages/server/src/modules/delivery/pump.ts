/** One step of deliveries: claims, attempts under way, and the record of what has come back go on side by side. */
import { withLogContext } from '../../platform/log-context.ts'
import { attemptPost } from './attempt.ts'
import { claimMany, prepare } from './claim.ts'
import { ClaimSize } from './claim-size.ts'
import type { DeliveryDeps } from './jobs.ts'
import type { LeasedDelivery } from './lease-store.ts'
import { Pause } from './pause.ts'
import { keyOf, youngMs, type Exposed, type Pace } from './pace.ts'
import type { Positions } from './positions.ts'
import { withhold } from './record.ts'
import { lingerMs, logContextOf, type Recorder } from './recorder.ts'
import { isAccepted, judge } from './rules/outcome.ts'
import { WaitingDeliveries, type InHand } from './waiting.ts'

/** How many attempts one step has under way at most. */
const mostInFlight = 160
/** Looks at what others are claiming from, before it leaves it to them. */
const maxLooks = 50
const outrunPauseMs = 5

/** One step. */
export class Pump {
  readonly #deps: DeliveryDeps
  readonly #pace: Pace
  readonly #recorder: Recorder
  readonly #positions: Positions
  readonly #closing: AbortSignal | undefined
  readonly #waiting = new WaitingDeliveries()
  #inFlight = 0
  /** Attempts that have ended and are not recorded yet. */
  #unrecorded = 0
  #claiming = false
  /** True while a claim waits for that of another step of the process to end. */
  #outOfTurn = false
  /** False once a claim found less than it wanted, until something has changed. */
  #mayHaveMore = true
  /**
   * Endpoints that want nothing more: what waits for them is given back, to be held. A claim that begins once that is
   * recorded knows by itself.
   */
  readonly #gone = new Map<string, 'answered' | 'recorded'>()
  #looks = 0
  readonly #size = new ClaimSize()
  #failure: { error: unknown } | undefined
  #interrupted = false
  #worked = false
  #changed = Promise.withResolvers<void>()
  readonly #ended = new AbortController()
  /** Looks again after a while: attempts are young no more, and something else may be due. */
  readonly #tick: Pause
  /** Looks again when what waits to be recorded has waited for its time. */
  readonly #linger: Pause

  constructor(
    deps: DeliveryDeps,
    { pace, recorder, positions }: { readonly pace: Pace; readonly recorder: Recorder; readonly positions: Positions },
    closing: AbortSignal | undefined,
  ) {
    this.#deps = deps
    this.#pace = pace
    this.#recorder = recorder
    this.#positions = positions
    this.#closing = closing
    const [{ system }, { signal }] = [deps, this.#ended]
    this.#tick = new Pause({ system, ms: youngMs, signal }, () => {
      this.#mayHaveMore = true
      this.#changed.resolve()
    })
    this.#linger = new Pause({ system, ms: lingerMs, signal }, () => this.#changed.resolve())
  }

  async run(): Promise<'worked' | 'idle'> {
    const silence = this.#pace.listen(() => this.#changed.resolve())
    try {
      for (;;) {
        this.#send()
        this.#record()
        this.#claim()
        if (this.#inFlight === 0 && this.#unrecorded === 0 && !this.#claiming) {
          if (this.#isEnding() || (this.#waiting.count === 0 && !this.#outOfTurn)) break
        }
        this.#tick.begin()
        await this.#changed.promise
        this.#changed = Promise.withResolvers()
      }
      await this.#giveBack(this.#waiting.takeAll())
    } finally {
      silence()
      this.#ended.abort()
    }
    if (this.#failure) throw this.#failure.error
    return this.#worked && !this.#interrupted ? 'worked' : 'idle'
  }

  #isEnding(): boolean {
    return this.#failure !== undefined || this.#interrupted || (this.#closing?.aborted ?? false)
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
    const gone = [...this.#gone.keys()].flatMap((key) => this.#waiting.take(key))
    const stale = this.#waiting.begin({
      nowMs,
      hasRoom: () => this.#inFlight < mostInFlight && this.#pace.room(nowMs) > 0,
      begin: (ready) => this.#recorder.take(ready) && this.#begin(ready, nowMs),
    })
    const back = [...gone, ...stale]
    if (back.length > 0)
      this.#beside(
        () => this.#giveBack(back),
        () => {},
      )
  }

  /** Gives back what is not sent: it is due as it was, so the next claims look there. */
  async #giveBack(back: readonly LeasedDelivery[]): Promise<void> {
    await this.#recorder.giveBackAfter(back, this.#failure)
    for (const each of back) this.#positions.givenBack(each)
  }

  #begin(ready: InHand, nowMs: number): true {
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
    return true
  }

  /** One attempt; false when there is nothing of it to be recorded. */
  async #attempt(ready: InHand, exposed: Exposed): Promise<boolean> {
    const { leased, url, schemes, body, secrets } = ready
    let finished = false
    await this.#recorder.orPark(leased, async () => {
      const at = await this.#deps.serviceNow(this.#deps.db)
      // The process, or its database, stood still: by now it may be another's.
      if (this.#deps.system.nowMs() >= ready.beginByMs) return this.#giveBack([leased])
      const post = { url, schemes, id: leased.id, event: leased.event, body, secrets }
      const attempt = await attemptPost(this.#deps, post, at)
      const { ending, elapsedMs } = attempt
      const accepted = ending !== 'interrupted' && isAccepted(ending)
      const isGone = ending !== 'interrupted' && judge(ending, at).result === 'gone'
      if (isGone) this.#gone.set(keyOf(leased), 'answered')
      this.#pace.end(exposed, leased, { elapsedMs: accepted ? elapsedMs : null })
      if (ending === 'interrupted') this.#interrupted = true
      else await this.#deps.faultPoint('delivery.sent')
      this.#unrecorded += 1
      const over = (failure?: { readonly error: unknown }) => {
        this.#unrecorded -= 1
        if (failure) this.#failure ??= failure
        else if (isGone) this.#gone.set(keyOf(leased), 'recorded')
        this.#mayHaveMore = true
        this.#changed.resolve()
      }
      this.#recorder.put({ ready, at, attempt, over }, this.#deps.system.nowMs())
      finished = true
    })
    return finished
  }

  /** Leases more once little waits, one step of the process at a time: they would claim from the same endpoints. */
  #claim(): void {
    const { atMost, system } = this.#deps
    this.#outOfTurn = false
    const room = mostInFlight - this.#inFlight - this.#waiting.count
    if (this.#claiming || this.#isEnding() || !this.#mayHaveMore || room <= 0) return
    if (atMost !== undefined && this.#worked) return
    if (atMost === undefined && !this.#size.isLow(this.#waiting.count)) return
    if (!this.#pace.beginClaim()) {
      this.#outOfTurn = true
      return
    }
    const nowMs = system.nowMs()
    for (const [key, how] of this.#gone) if (how === 'recorded') this.#gone.delete(key)
    const most = Math.min(room, atMost ?? this.#size.next(nowMs))
    this.#claiming = true
    this.#beside(
      () => this.#lease(most, nowMs),
      () => {
        this.#claiming = false
      },
    )
  }

  async #lease(most: number, beganMs: number): Promise<void> {
    const { unitOfWork, faultPoint, atMost, system } = this.#deps
    const depths = atMost === undefined ? this.#pace.deep() : []
    const known = (teamId: string) => (atMost === undefined ? this.#positions.of(teamId, beganMs) : [])
    const claimed = await unitOfWork((tx) => claimMany(tx, this.#deps, { most, depths, known })).finally(() =>
      this.#pace.endClaim(),
    )
    const { bound, withheld, outrun } = claimed
    this.#positions.claimed(claimed, { beganMs, nowMs: system.nowMs() })
    const taken = bound.length + withheld.length
    this.#mayHaveMore = taken === most
    if (taken === 0) {
      const alone = this.#inFlight === 0 && this.#unrecorded === 0 && this.#waiting.count === 0
      if (!outrun || !alone || ++this.#looks > maxLooks) return
      await system.sleep(outrunPauseMs)
      this.#mayHaveMore = true
      return
    }
    this.#looks = 0
    this.#size.brought(taken, beganMs)
    this.#worked = true
    await faultPoint('delivery.leased')
    for (const [teamId, of] of Map.groupBy(bound, ({ leased }) => leased.teamId)) {
      const { ready, unready } = await prepare(this.#deps, teamId, of)
      this.#waiting.add(ready, { sinceMs: system.nowMs(), leasedMs: beganMs })
      this.#changed.resolve()
      for (const { leased, fault, error } of unready) await this.#recorder.park(leased, fault, error)
    }
    for (const leased of withheld)
      await this.#recorder.orPark(leased, () => this.#recorder.unit((tx) => withhold(tx, leased)))
  }

  /** Records what has come back by now, for all steps of the process. */
  #record(): void {
    const recorder = this.#recorder
    if (recorder.isRipe(this.#deps.system.nowMs()))
      this.#beside(
        () => recorder.record(),
        () => {},
      )
    else if (this.#unrecorded > 0) this.#linger.begin()
  }
}
