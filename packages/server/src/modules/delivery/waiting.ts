/** Deliveries that one step has leased and that wait until their endpoint has room for an attempt. */
import { leaseMs } from '../../platform/work/index.ts'
import { attemptTimeoutMs } from './attempt.ts'
import type { Ready } from './claim.ts'
import type { LeasedDelivery } from './lease-store.ts'
import { keyOf } from './pace.ts'

/** What waits longer is given back: where it goes was read when it was leased. */
const mostWaitedMs = 500

/** An attempt begins so long after its claim at most: it has ended, and is recorded, well before its lease runs out. */
const beginsWithinMs = leaseMs - 2 * attemptTimeoutMs

/** A delivery of a step. `beginByMs`: past that its lease may run out under an attempt, so that none is begun. */
export type InHand = Ready & { readonly beginByMs: number }

type Waiting = { readonly ready: InHand; readonly sinceMs: number }

/** What a look at the waiting deliveries asks of its step. */
export type Look = {
  readonly nowMs: number
  /** The process may begin another attempt. */
  readonly hasRoom: () => boolean
  /** True when the endpoint has room; the attempt is begun then. */
  readonly begin: (ready: InHand) => boolean
}

/**
 * Them, by endpoint: of each those leased first in front, and in front of all the endpoint whose turn was longest ago. A look asks each
 * endpoint once and ends when the process has no more room, however many wait.
 */
export class WaitingDeliveries {
  readonly #byEndpoint = new Map<string, Waiting[]>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Adds what waits since `sinceMs`, and was leased at `leasedMs` or later. */
  add(ready: readonly Ready[], { sinceMs, leasedMs }: { readonly sinceMs: number; readonly leasedMs: number }): void {
    for (const each of ready) {
      const key = keyOf(each.leased)
      const one = { ready: { ...each, beginByMs: leasedMs + beginsWithinMs }, sinceMs }
      const queue = this.#byEndpoint.get(key)
      if (queue) queue.push(one)
      else this.#byEndpoint.set(key, [one])
    }
    this.#count += ready.length
  }

  /** Begins what there is room for; answers what has left the line without that, to be given back. */
  begin({ nowMs, hasRoom, begin }: Look): LeasedDelivery[] {
    const back: LeasedDelivery[] = []
    for (const [key, queue] of [...this.#byEndpoint]) {
      if (!hasRoom()) break
      let left = 0
      while (left < queue.length && hasRoom() && begin(queue[left]!.ready)) left += 1
      const begun = left
      // Past what has begun: the endpoint is full, unless the process is.
      if (hasRoom())
        while (left < queue.length && nowMs - queue[left]!.sinceMs > mostWaitedMs)
          back.push(queue[left++]!.ready.leased)
      this.#leave(key, queue, left)
      if (begun > 0 && queue.length > 0) this.#toTheEnd(key, queue)
    }
    return back
  }

  #leave(key: string, queue: Waiting[], left: number): void {
    queue.splice(0, left)
    this.#count -= left
    if (queue.length === 0) this.#byEndpoint.delete(key)
  }

  #toTheEnd(key: string, queue: Waiting[]): void {
    this.#byEndpoint.delete(key)
    this.#byEndpoint.set(key, queue)
  }

  /** Takes out those of one endpoint. */
  take(key: string): LeasedDelivery[] {
    const queue = this.#byEndpoint.get(key) ?? []
    this.#byEndpoint.delete(key)
    this.#count -= queue.length
    return queue.map(({ ready }) => ready.leased)
  }

  /** Takes out all of them. */
  takeAll(): LeasedDelivery[] {
    return [...this.#byEndpoint.keys()].flatMap((key) => this.take(key))
  }
}
