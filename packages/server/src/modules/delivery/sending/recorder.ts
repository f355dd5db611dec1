/**
 * The recorder of one loop. Ended attempts wait for others of their team: until there are many, for a moment, or until nothing more is
 * under way; then they are recorded together. A team is recorded by one unit of work at a time, several teams at once, so that one whose
 * rows somebody has locked keeps no other waiting.
 */
import { errorCode } from '../../../platform/db/embedded-programs.ts'
import { workingFor } from '../../../platform/db/shards.ts'
import type { DeliveryDeps } from './deps.ts'
import { logContextOf, oneByOne, recordFault } from './service-faults.ts'
import { recordAttempts, type EndedAttempt, type Recorded } from './record.ts'

/** As many attempts of a team are recorded at once; they wait so long for others. A death repeats what was sent and not recorded. */
export const recordedAtOnce = 200
const flushDelayMs = 5

/** Teams recorded at once. */
const maxRecordings = 4

/** A record that a lock or a time limit ended is tried so often in all: together they are over before the leases are. */
const maxTries = 2

/** SQLSTATE of a statement that waited for a lock, or took, longer than it may. */
const isTimeLimit = (error: unknown): boolean => ['55P03', '57014'].includes(errorCode(error))

/** What hears of records: `recorded` once some are, `failed` when some could not be. */
type RecorderEvents = {
  readonly recorded: (ended: readonly EndedAttempt[]) => void
  readonly failed: (error: unknown) => void
}

/** Ended attempts of a team that wait. */
type Lot = { waiting: EndedAttempt[]; recording: number }

/** Records what has ended. */
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

  /** True when nothing waits or is being recorded. */
  get isIdle(): boolean {
    return this.#lots.size === 0
  }

  /** True when so much of a team waits that nothing more of it is sent: its record takes long. */
  isBehind(teamId: string): boolean {
    const lot = this.#lots.get(teamId)
    return lot !== undefined && lot.waiting.length + lot.recording >= 2 * recordedAtOnce
  }

  /** Takes an attempt that has ended. */
  add(ended: EndedAttempt): void {
    const { teamId } = ended.delivery
    const lot = this.#lots.get(teamId) ?? { waiting: [], recording: 0 }
    this.#lots.set(teamId, lot)
    lot.waiting.push(ended)
    if (lot.waiting.length >= recordedAtOnce) this.#begin(teamId, lot)
    else this.#flushLater()
  }

  /** Records what waits. */
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
        // Others may have waited for their turn.
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
