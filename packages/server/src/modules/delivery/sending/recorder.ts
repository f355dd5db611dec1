/**
 * Collects ended attempts per team and records them together: when there are many, after a moment, or when nothing else is under
 * way. One unit of work per team at a time, so that a team with locked rows does not delay others.
 */
import { errorCode } from '../../../platform/db/embedded-programs.ts'
import { workingFor } from '../../../platform/db/shards.ts'
import { oneByOne } from '../../../platform/task-context.ts'
import type { DeliveryDeps } from './attempt.ts'
import { logContextOf, recordFault } from './service-faults.ts'
import { recordAttempts, type EndedAttempt, type Recorded } from './record.ts'

/** How many attempts of a team are recorded together, and how long they wait for others. A crash repeats unrecorded attempts. */
export const recordedAtOnce = 200
const flushDelayMs = 5

const maxRecordings = 4

/** Tries after a lock or statement timeout; all of them fit into the lease. */
const maxTries = 2

/** SQLSTATE of a lock timeout or a statement timeout. */
const isTimeLimit = (error: unknown): boolean => ['55P03', '57014'].includes(errorCode(error))

type RecorderEvents = {
  readonly recorded: (ended: readonly EndedAttempt[]) => void
  readonly failed: (error: unknown) => void
}

type Lot = { waiting: EndedAttempt[]; recording: number }

export class Recorder {
  readonly #deps: DeliveryDeps
  readonly #events: RecorderEvents
  readonly #lots = new Map<string, Lot>()
  #recordings = 0
  #delayed = false

  constructor(deps: DeliveryDeps, events: RecorderEvents) {
    this.#deps = deps
    this.#events = events
  }

  get isIdle(): boolean {
    return this.#lots.size === 0
  }

  /** True when so many attempts of a team are unrecorded that no more are sent. */
  isBehind(teamId: string): boolean {
    const lot = this.#lots.get(teamId)
    return lot !== undefined && lot.waiting.length + lot.recording >= 2 * recordedAtOnce
  }

  add(ended: EndedAttempt): void {
    const { teamId } = ended.delivery
    const lot = this.#lots.get(teamId) ?? { waiting: [], recording: 0 }
    this.#lots.set(teamId, lot)
    lot.waiting.push(ended)
    if (lot.waiting.length >= recordedAtOnce) this.#begin(teamId, lot)
    else this.#flushLater()
  }

  flush(): void {
    for (const [teamId, lot] of this.#lots) this.#begin(teamId, lot)
  }

  #flushLater(): void {
    if (this.#delayed) return
    this.#delayed = true
    void this.#deps.system.sleep(flushDelayMs).then(() => {
      this.#delayed = false
      this.flush()
    })
  }

  #begin(teamId: string, lot: Lot): void {
    if (lot.recording > 0 || lot.waiting.length === 0 || this.#recordings >= maxRecordings) return
    const ended = lot.waiting
    lot.waiting = []
    lot.recording = ended.length
    this.#recordings += 1
    void workingFor(teamId, () => this.#record(teamId, ended))
      .catch(this.#events.failed)
      .finally(() => {
        this.#recordings -= 1
        lot.recording = 0
        if (lot.waiting.length === 0) this.#lots.delete(teamId)
        // Other teams may be waiting for a free slot.
        if (this.#lots.size > 0) this.#flushLater()
        this.#events.recorded(ended)
      })
  }

  async #record(teamId: string, ended: readonly EndedAttempt[]): Promise<void> {
    for (let tries = 1; ; tries++)
      try {
        return await this.#recordTogether(teamId, ended)
      } catch (error) {
        if (!isTimeLimit(error) || tries >= maxTries) throw error
      }
  }

  #recordTogether(teamId: string, ended: readonly EndedAttempt[]): Promise<void> {
    const together = async (some: readonly EndedAttempt[]) => {
      const recorded = await this.#deps.unitOfWork(async (tx) => {
        const done = await recordAttempts(tx, teamId, some)
        await this.#deps.faultPoint('delivery.before-commit')
        return done
      })
      for (const [index, each] of some.entries()) this.#logFailure(each, recorded[index]!)
    }
    return oneByOne(ended, together, ({ delivery }, error) => recordFault(this.#deps, delivery, error))
  }

  #logFailure({ delivery, outcome: { label, status, result } }: EndedAttempt, { state, disabled }: Recorded): void {
    if (result === 'delivered') return
    const { log } = this.#deps
    log.info('delivery attempt failed', { ...logContextOf(delivery), outcome: label, status, now: state })
    const { teamId, ownerId } = delivery
    if (disabled !== null) log.warn('webhook endpoint disabled', { teamId, ownerId, reason: disabled })
  }
}
