/**
 * Claims due deliveries, sends them concurrently and hands the outcomes to the recorder.
 *
 *   claimed --its endpoint has room--> under way --answered--> ended --recorded in a batch--> over
 *      `-- waits too long, must be judged again, or its endpoint answered 410 --> released
 *
 * At most `maxInFlight` attempts per endpoint and `maxSending` per process, so that a dead endpoint blocks only itself. A quick
 * endpoint has more claimed than under way (`leaseLimitAfter`), so that claims and records cover many deliveries.
 */
import { withLogContext } from '../../../platform/log-context.ts'
import { ArmedFault } from '../../../platform/faults.ts'
import { isLostDatabase, oneByOne } from '../../../platform/task-context.ts'
import { endLeases, leaseMs, leaseOf } from '../../../platform/work/index.ts'
import { leaseLimitAfter, maxInFlight } from '../rules/endpoint.ts'
import { judge } from '../rules/outcome.ts'
import { attemptPost, attemptTimeoutMs, type DeliveryDeps } from './attempt.ts'
import { prepare, type ReadyDelivery } from './bodies.ts'
import { claimDue, deliveryRows, type EndpointName, type LeasedDelivery } from './claim.ts'
import type { EndedAttempt } from './record.ts'
import { logContextOf, recordFault } from './service-faults.ts'
import { Recorder } from './recorder.ts'
import { holdBack } from '../waiting.ts'

/** Limits of one process: attempts under way, claimed deliveries, deliveries per claim. */
const maxSending = 160
const maxClaimed = 1_000
const claimedAtOnce = 300

const tickMs = 250

/** Longer waits are released, because the URL was read at the claim. */
const maxWaitMs = 500

/** Attempts start within this time of the claim, so that they end and are recorded well before the lease expires. */
const beginsWithinMs = leaseMs - 2 * attemptTimeoutMs

type Endpoint = EndpointName & {
  waiting: { readonly delivery: ReadyDelivery; readonly claimedMs: number }[]
  sending: number
  /** Leased deliveries, including ended ones not recorded yet, and how many are allowed. */
  leased: number
  limit: number
  /** It answered 410: nothing is sent or claimed until that is recorded; later claims skip it. */
  hasAnsweredGone: boolean
}

export class DeliveryLoop {
  readonly #deps: DeliveryDeps
  readonly #closing: AbortSignal | undefined
  readonly #recorder: Recorder
  readonly #endpoints = new Map<string, Endpoint>()
  #waiting = 0
  #sending = 0
  #releasing = 0
  #hasWorked = false
  #isInterrupted = false
  /** Counts `judgeAgain` calls, so that a claim under way meanwhile is judged again too. */
  #judgements = 0
  #failure: { readonly error: unknown } | undefined
  /** False after a claim that found less than it wanted, until something changes. */
  #mayHaveMore = true
  #changed = Promise.withResolvers<void>()

  constructor(deps: DeliveryDeps, closing: AbortSignal | undefined) {
    this.#deps = deps
    this.#closing = closing
    this.#recorder = new Recorder(deps, {
      recorded: (ended) => this.#noteRecorded(ended),
      failed: (error) => this.#fail(error),
    })
  }

  /** Makes the loop claim again. */
  nudge(): void {
    this.#mayHaveMore = true
    this.#start()
    this.#changed.resolve()
  }

  /** Releases what waits so that the next claim judges it again: somebody may have been excluded. */
  judgeAgain(): void {
    this.#judgements += 1
    this.#releaseSoon(this.#takeWaiting(() => true))
  }

  #noteRecorded(ended: readonly EndedAttempt[]): void {
    for (const { delivery, outcome } of ended) {
      const endpoint = this.#endpointOf(delivery)
      endpoint.leased -= 1
      if (outcome.result === 'gone') endpoint.hasAnsweredGone = false
      // Claims again only when a good part of the limit is free, so that each claim takes many.
      const limit = this.#limitOf(endpoint)
      if (limit - endpoint.leased > (limit - maxInFlight) / 2) this.#mayHaveMore = true
    }
    this.#start()
    this.#changed.resolve()
  }

  async run(): Promise<'worked' | 'idle'> {
    const { system, singleBatchSize } = this.#deps
    const stopTicks = singleBatchSize === undefined ? system.every(tickMs, () => this.#tick()) : () => {}
    try {
      for (;;) {
        if (this.#isEnding()) this.#releaseSoon(this.#takeWaiting(() => true))
        if (this.#mayClaim()) await this.#claim().catch((error: unknown) => this.#fail(error))
        else if (this.#isAtRest()) break
        else await this.#changed.promise
        this.#changed = Promise.withResolvers()
      }
    } finally {
      stopTicks()
    }
    if (this.#failure) throw this.#failure.error
    return this.#hasWorked && !this.#isInterrupted ? 'worked' : 'idle'
  }

  #isEnding(): boolean {
    return this.#failure !== undefined || this.#isInterrupted || (this.#closing?.aborted ?? false)
  }

  #isAtRest(): boolean {
    return this.#waiting + this.#sending + this.#releasing === 0 && this.#recorder.isIdle
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#changed.resolve()
  }

  #tick(): void {
    const tooLong = this.#deps.system.nowMs() - maxWaitMs
    this.#releaseSoon(this.#takeWaiting((_endpoint, claimedMs) => claimedMs < tooLong))
    for (const [key, { leased }] of this.#endpoints) if (leased === 0) this.#endpoints.delete(key)
    this.nudge()
  }

  #mayClaim(): boolean {
    const { singleBatchSize } = this.#deps
    if (this.#isEnding() || !this.#mayHaveMore || this.#waiting + this.#sending >= maxClaimed) return false
    return singleBatchSize === undefined || !this.#hasWorked
  }

  async #claim(): Promise<void> {
    const { system, unitOfWork, faultPoint, singleBatchSize, processId } = this.#deps
    this.#mayHaveMore = false
    const claimedMs = system.nowMs()
    const judgement = this.#judgements
    const most = singleBatchSize ?? Math.min(claimedAtOnce, maxClaimed - this.#waiting - this.#sending)
    const limits = [...this.#endpoints.values()].map((endpoint) => {
      const { teamId, ownerId } = endpoint
      return { teamId, ownerId, limit: this.#limitOf(endpoint) }
    })
    const leased = await unitOfWork((tx) => claimDue(tx, { lease: leaseOf(processId, claimedMs), most, limits }))
    if (leased.length === 0) return
    this.#hasWorked = true
    this.#mayHaveMore ||= leased.length === most
    await faultPoint('delivery.leased')
    const groups = Map.groupBy(leased, (each) =>
      each.verdict === 'send' ? each.teamId : `${keyOf(each)} ${each.verdict}`,
    )
    const noteFault = (delivery: LeasedDelivery, error: unknown) => recordFault(this.#deps, delivery, error)
    for (const group of groups.values())
      await oneByOne(group, (some) => this.#takeUp(some, { claimedMs, judgement }), noteFault)
  }

  /** Makes one team's deliveries ready, or, for another verdict than `send`, moves one endpoint's deliveries accordingly. */
  async #takeUp(
    leased: readonly LeasedDelivery[],
    { claimedMs, judgement }: { readonly claimedMs: number; readonly judgement: number },
  ): Promise<void> {
    const { verdict } = leased[0]!
    if (verdict !== 'send') {
      await this.#deps.unitOfWork((tx) => holdBack(tx, verdict, leased))
      this.#mayHaveMore = true
      return
    }
    for (const delivery of await prepare(this.#deps, leased[0]!.teamId, leased)) {
      const endpoint = this.#endpointOf(delivery)
      endpoint.waiting.push({ delivery, claimedMs })
      endpoint.leased += 1
      this.#waiting += 1
    }
    if (judgement !== this.#judgements) this.#releaseSoon(this.#takeWaiting(() => true))
    this.#start()
  }

  /** The lease limit of an endpoint, within its share of `maxClaimed`. */
  #limitOf({ limit, hasAnsweredGone }: Endpoint): number {
    if (hasAnsweredGone) return 0
    return Math.max(maxInFlight, Math.min(limit, Math.ceil(maxClaimed / this.#endpoints.size)))
  }

  #endpointOf(name: EndpointName): Endpoint {
    const key = keyOf(name)
    const known = this.#endpoints.get(key)
    if (known) return known
    const { teamId, ownerId } = name
    const endpoint = { teamId, ownerId, waiting: [], sending: 0, leased: 0, limit: maxInFlight, hasAnsweredGone: false }
    this.#endpoints.set(key, endpoint)
    return endpoint
  }

  /** Starts what has room; the endpoint served longest ago first. */
  #start(): void {
    if (this.#waiting === 0 || this.#isEnding()) return
    for (const [key, endpoint] of [...this.#endpoints]) {
      if (this.#sending >= maxSending) return
      if (!this.#hasRoom(endpoint)) continue
      this.#endpoints.delete(key)
      this.#endpoints.set(key, endpoint)
      while (this.#hasRoom(endpoint)) this.#begin(endpoint)
    }
  }

  #hasRoom({ teamId, waiting, sending, hasAnsweredGone }: Endpoint): boolean {
    const next = waiting[0]?.delivery
    return (
      next !== undefined &&
      sending < next.maxInFlight &&
      this.#sending < maxSending &&
      !hasAnsweredGone &&
      !this.#recorder.isBehind(teamId)
    )
  }

  #begin(endpoint: Endpoint): void {
    const { delivery, claimedMs } = endpoint.waiting.shift()!
    this.#waiting -= 1
    this.#sending += 1
    endpoint.sending += 1
    const send = () => this.#send(endpoint, delivery, claimedMs)
    const noteFault = (_one: ReadyDelivery, error: unknown) => {
      endpoint.leased -= 1
      return recordFault(this.#deps, delivery, error)
    }
    void withLogContext(logContextOf(delivery), () => oneByOne([delivery], send, noteFault))
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#sending -= 1
        endpoint.sending -= 1
        this.#start()
        // Nothing else is about to end that could be recorded together with what waits.
        if (this.#sending === 0) this.#recorder.flush()
        this.#changed.resolve()
      })
  }

  async #send(endpoint: Endpoint, delivery: ReadyDelivery, claimedMs: number): Promise<void> {
    const { serviceNow, db, system, faultPoint, random } = this.#deps
    const at = await serviceNow(db)
    // If this process or the database stalled, the lease may have expired and another process may own the delivery.
    if (system.nowMs() >= claimedMs + beginsWithinMs) return this.#release([delivery])
    const { ending, elapsedMs, response } = await attemptPost(this.#deps, delivery, at)
    if (ending === 'interrupted') {
      this.#isInterrupted = true
      return this.#release([delivery])
    }
    const outcome = judge(ending, at)
    endpoint.limit = outcome.result === 'delivered' ? leaseLimitAfter(endpoint.limit, elapsedMs) : maxInFlight
    if (outcome.result === 'gone') {
      endpoint.hasAnsweredGone = true
      this.#releaseSoon(this.#takeWaiting((each) => each === endpoint))
    }
    await faultPoint('delivery.sent')
    this.#recorder.add({ delivery, at, outcome, elapsedMs, response, random: random.next() })
  }

  #takeWaiting(which: (endpoint: Endpoint, claimedMs: number) => boolean): LeasedDelivery[] {
    if (this.#waiting === 0) return []
    const all: LeasedDelivery[] = []
    for (const endpoint of this.#endpoints.values()) {
      const [taken, left] = [[], []] as [Endpoint['waiting'], Endpoint['waiting']]
      for (const each of endpoint.waiting) (which(endpoint, each.claimedMs) ? taken : left).push(each)
      endpoint.waiting = left
      all.push(...taken.map(({ delivery }) => delivery))
    }
    this.#waiting -= all.length
    return all
  }

  #releaseSoon(leased: readonly LeasedDelivery[]): void {
    if (leased.length === 0) return
    this.#releasing += 1
    void this.#release(leased)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#releasing -= 1
        this.#changed.resolve()
      })
  }

  /** Releases unsent deliveries. After a simulated crash leases just expire; after a lost database it gives them back itself. */
  async #release(leased: readonly LeasedDelivery[]): Promise<void> {
    for (const delivery of leased) this.#endpointOf(delivery).leased -= 1
    const error = this.#failure?.error
    if (error instanceof ArmedFault || (error !== undefined && isLostDatabase(error))) return
    for (const [teamId, theirs] of Map.groupBy(leased, (each) => each.teamId))
      await this.#deps
        .unitOfWork((tx) => endLeases(tx, deliveryRows, theirs))
        .catch((failure: unknown) => {
          if (error === undefined) throw failure
          this.#deps.log.warn('deliveries could not be released', { teamId, error: failure })
        })
    this.#mayHaveMore = true
  }
}

const keyOf = ({ teamId, ownerId }: EndpointName): string => `${teamId} ${ownerId}`
