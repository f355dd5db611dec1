/** Guessing at the operator's token is slow: wrong tokens are counted by address, in this process. */
import { passedMs } from '../../platform/clock.ts'

/** Wrong tokens of one address in a minute. */
export const maxWrongTokens = 100

const windowMs = 60_000
const maxAddresses = 10_000

/** Counts the wrong tokens of addresses. */
type Throttle = {
  /** Seconds until the address may try again; null when it may now. */
  waits(address: string): number | null
  wrong(address: string): void
}

/** Makes one; `nowMs` is system time. */
export function makeThrottle(nowMs: () => number): Throttle {
  const tries = new Map<string, { readonly sinceMs: number; count: number }>()
  const present = (address: string) => {
    const found = tries.get(address)
    return found && passedMs(found.sinceMs, nowMs()) < windowMs ? found : undefined
  }
  return {
    waits: (address) => {
      const found = present(address)
      return found && found.count >= maxWrongTokens ? Math.ceil((found.sinceMs + windowMs - nowMs()) / 1000) : null
    },
    wrong: (address) => {
      const found = present(address)
      if (found) found.count += 1
      else {
        if (tries.size >= maxAddresses) for (const known of tries.keys()) if (!present(known)) tries.delete(known)
        if (tries.size < maxAddresses) tries.set(address, { sinceMs: nowMs(), count: 1 })
      }
    },
  }
}
