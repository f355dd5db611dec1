/** Deliveries that one step has leased and that wait until their endpoint has room for an attempt. */
import type { Ready } from './claim.ts'
import type { LeasedDelivery } from './lease-store.ts'

/** An endpoint as a key: of its team and its owner. */
export const keyOf = ({ teamId, ownerId }: { readonly teamId: string; readonly ownerId: string }): string =>
  `${teamId} ${ownerId}`

/** What waits longer is given back: where it goes was read when it was leased. */
const mostWaitedMs = 500

type Waiting = { readonly ready: Ready; readonly key: string; readonly sinceMs: number }

/** What a look at the waiting deliveries asks of its step. */
export type Look = {
  readonly nowMs: number
  /** The endpoint wants nothing more. */
  readonly isGone: (key: string) => boolean
  /** The process may begin another attempt. */
  readonly hasRoom: () => boolean
  /** True when the endpoint has room; the attempt is begun then. */
  readonly begin: (ready: Ready) => boolean
}

/** Them, those leased first in front. */
export class WaitingDeliveries {
  #all: Waiting[] = []

  get count(): number {
    return this.#all.length
  }

  add(ready: readonly Ready[], sinceMs: number): void {
    this.#all.push(...ready.map((each) => ({ ready: each, key: keyOf(each.leased), sinceMs })))
  }

  /** Begins what there is room for; answers what has left the line without that, to be given back. */
  begin({ nowMs, isGone, hasRoom, begin }: Look): LeasedDelivery[] {
    const [rest, back]: [Waiting[], LeasedDelivery[]] = [[], []]
    // Asked once for each endpoint without room, however many wait for it.
    const full = new Set<string>()
    for (const each of this.#all) {
      const { ready, key, sinceMs } = each
      if (isGone(key)) back.push(ready.leased)
      else if (!hasRoom()) rest.push(each)
      else if (full.has(key) || !begin(ready)) {
        full.add(key)
        if (nowMs - sinceMs > mostWaitedMs) back.push(ready.leased)
        else rest.push(each)
      }
    }
    this.#all = rest
    return back
  }

  /** Takes out all of them. */
  takeAll(): LeasedDelivery[] {
    return this.#all.splice(0).map(({ ready }) => ready.leased)
  }
}
