/**
 * How fast one process sends: attempts at once to an endpoint, how far ahead of them deliveries are leased for it, and how many attempts
 * may be answered without that being recorded. In memory; what several processes may do together is settled by claims (lease-store.ts).
 */
import { aheadOf, maxInFlight } from './rules/endpoint.ts'

/**
 * As many answers as a process that dies may have to ask for again: attempts that are young or wait to be recorded. One in a thousand of
 * what the process has sent, so that what is sent twice stays below that, between what is worth its while and what is enough.
 */
const [leastExposed, mostExposed, exposedShare] = [24, 96, 0.001]

/** Attempts that a receiver takes longer over are not young: they are few, and may be many. */
export const youngMs = 250

/** Endpoints whose pace is remembered. */
const mostRemembered = 2_000

/** An attempt under way, as far as a death of the process goes. */
export type Exposed = { readonly beganMs: number; counted: boolean; over: boolean }

/** An endpoint, by name. */
export type EndpointName = { readonly teamId: string; readonly ownerId: string }

/** An endpoint as a key. */
export const keyOf = ({ teamId, ownerId }: EndpointName): string => `${teamId} ${ownerId}`

/** The pace of all steps of one process. */
export class Pace {
  readonly #inFlight = new Map<string, number>()
  readonly #usualMs = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  #young: Exposed[] = []
  #exposed = 0
  /** Of those, the ended ones. */
  #unrecorded = 0
  #recorded = 0
  #claiming = false

  /** Hears of every attempt that ends, until it is called off. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Attempts that may begin now. */
  room(nowMs: number): number {
    while (this.#young.length > 0 && (this.#young[0]!.over || this.#young[0]!.beganMs + youngMs <= nowMs)) {
      const first = this.#young.shift()!
      if (first.over) continue
      first.counted = false
      this.#exposed -= 1
    }
    return this.#mostExposed() - this.#exposed
  }

  #mostExposed(): number {
    return Math.max(leastExposed, Math.min(mostExposed, this.#recorded * exposedShare))
  }

  /** So many ended attempts are worth being recorded: half of what may be exposed, while the other half is under way. */
  enough(): number {
    return Math.floor(this.#mostExposed() / 2)
  }

  /** True while young attempts are under way. */
  isExpecting(): boolean {
    return this.#exposed > this.#unrecorded
  }

  /** True when an endpoint has room for an attempt, of so many at once; the attempt has begun then. */
  take(endpoint: EndpointName, atOnce: number): boolean {
    const key = keyOf(endpoint)
    const inFlight = this.#inFlight.get(key) ?? 0
    if (inFlight >= atOnce) return false
    this.#inFlight.set(key, inFlight + 1)
    return true
  }

  /** An attempt begins. */
  begin(nowMs: number): Exposed {
    const attempt = { beganMs: nowMs, counted: true, over: false }
    this.#young.push(attempt)
    this.#exposed += 1
    return attempt
  }

  /**
   * An attempt has ended: the endpoint has room, and until it is recorded the attempt counts however long it took.
   * `elapsedMs`: null when it was not accepted.
   */
  end(attempt: Exposed, endpoint: EndpointName, { elapsedMs }: { readonly elapsedMs: number | null }): void {
    const key = keyOf(endpoint)
    const inFlight = (this.#inFlight.get(key) ?? 1) - 1
    if (inFlight === 0) this.#inFlight.delete(key)
    else this.#inFlight.set(key, inFlight)
    this.#remember(key, elapsedMs)
    attempt.over = true
    this.#unrecorded += 1
    if (!attempt.counted) this.#exposed += 1
    attempt.counted = true
    for (const listener of this.#listeners) listener()
  }

  /** Nothing is leased ahead for an endpoint that does not accept what it gets. */
  #remember(key: string, elapsedMs: number | null): void {
    const usual = this.#usualMs.get(key)
    this.#usualMs.delete(key)
    if (elapsedMs === null) return
    if (this.#usualMs.size >= mostRemembered) this.#usualMs.delete(this.#usualMs.keys().next().value!)
    this.#usualMs.set(key, usual === undefined ? elapsedMs : usual * 0.8 + elapsedMs * 0.2)
  }

  /** True when no step of the process is claiming: then this one is, until it says that its claim has ended. */
  beginClaim(): boolean {
    if (this.#claiming) return false
    this.#claiming = true
    return true
  }

  /** The claim has ended. */
  endClaim(): void {
    this.#claiming = false
    for (const listener of this.#listeners) listener()
  }

  /** Ended attempts whose record takes long count no more, until it has come to its end. */
  excuse(count: number): void {
    this.#exposed -= count
    this.#unrecorded -= count
    for (const listener of this.#listeners) listener()
  }

  /** Ended attempts are recorded, or nobody will record them any more; those that were excused until now count again, or go with them. */
  recorded(count: number, excused = 0): void {
    this.#exposed -= count - excused
    this.#unrecorded -= count - excused
    this.#recorded += count
    for (const listener of this.#listeners) listener()
  }

  /** Endpoints for which more may be leased than are sent at once, with how many. */
  deep(): readonly (EndpointName & { readonly depth: number })[] {
    return [...this.#usualMs].flatMap(([key, usualMs]) => {
      const ahead = aheadOf(usualMs)
      const [teamId, ownerId] = key.split(' ') as [string, string]
      return ahead === 0 ? [] : [{ teamId, ownerId, depth: maxInFlight + ahead }]
    })
  }
}
