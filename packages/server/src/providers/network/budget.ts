import { passedMs, type SystemClock } from '../../platform/clock.ts'

/** What one call may use of a vendor's account. */
export type BudgetRequest = {
  /** Calls in flight at once, over all processes; asked at every try, for an answer to another call may raise it meanwhile. */
  readonly maxInFlight: () => number
  /** Calls in a minute, over all processes; null for no such limit. */
  readonly perMinute: number | null
  /** Longest wait for a free place. */
  readonly waitMs: number
  readonly signal?: AbortSignal
}

/** Permission for one call; released exactly once however often it is asked. */
export type BudgetPlace = { release(): Promise<void> }

/** The vendor counts calls per account, so all processes share one budget per vendor. */
export interface VendorBudget {
  /** Resolves with a place; rejects with `BudgetExhausted` when none comes free in time, and with the signal's reason when aborted. */
  acquire(vendor: string, request: BudgetRequest): Promise<BudgetPlace>
  /** How many calls an account was last said to take at once; null when nobody has said so. */
  learnt(account: string): Promise<number | null>
  /** Remembers that, for all processes and their next starts. */
  learn(account: string, inFlight: number): Promise<void>
}

/** No place came free in time. */
export class BudgetExhausted extends Error {
  override readonly name = 'BudgetExhausted'
  /** When a place may be free, in milliseconds from now. */
  readonly retryAfterMs: number
  constructor(vendor: string, retryAfterMs: number) {
    super(`The call budget of ${vendor} is used up.`)
    this.retryAfterMs = retryAfterMs
  }
}

/** The length of the window `perMinute` counts in. */
export const MINUTE_MS = 60_000

type Use = {
  inFlight: number
  openedMs: number
  used: number
  changed: PromiseWithResolvers<void>
  line: Promise<void>
}

/** A budget for one process: tests, and tools that run alone. First come, first served. */
export function createMemoryBudget(options: { system: SystemClock }): VendorBudget {
  const { system } = options
  const uses = new Map<string, Use>()
  const known = new Map<string, number>()
  const useOf = (vendor: string): Use => {
    const use = uses.get(vendor) ?? {
      inFlight: 0,
      openedMs: 0,
      used: 0,
      changed: Promise.withResolvers<void>(),
      line: Promise.resolve(),
    }
    uses.set(vendor, use)
    return use
  }
  return {
    learnt: async (account) => known.get(account) ?? null,
    learn: async (account, inFlight) => void known.set(account, inFlight),
    acquire: async (vendor, request) => {
      const use = useOf(vendor)
      const deadlineMs = system.nowMs() + request.waitMs
      return inLine(use, request.signal, async () => {
        for (;;) {
          request.signal?.throwIfAborted()
          const nowMs = system.nowMs()
          if (passedMs(use.openedMs, nowMs) >= MINUTE_MS) Object.assign(use, { openedMs: nowMs, used: 0 })
          const full = use.inFlight >= request.maxInFlight()
          const spent = request.perMinute !== null && use.used >= request.perMinute
          if (!full && !spent) break
          const leftMs = deadlineMs - nowMs
          const windowMs = use.openedMs + MINUTE_MS - nowMs
          if (leftMs <= 0 || (spent && windowMs > leftMs)) throw new BudgetExhausted(vendor, spent ? windowMs : 1_000)
          await pause(system, Math.min(leftMs, spent ? windowMs : leftMs), {
            changed: use.changed.promise,
            signal: request.signal,
          })
        }
        use.inFlight += 1
        use.used += 1
        return placeOf(async () => {
          use.inFlight -= 1
          const { changed } = use
          use.changed = Promise.withResolvers<void>()
          changed.resolve()
        })
      })
    },
  }
}

/** Callers of one process wait behind each other, so that only the first of them asks; an aborted caller leaves the line. */
export async function inLine<T>(
  holder: { line: Promise<void> },
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const before = holder.line
  const done = Promise.withResolvers<void>()
  holder.line = before.then(() => done.promise)
  const aborted = Promise.withResolvers<void>()
  const leave = () => aborted.resolve()
  signal?.addEventListener('abort', leave, { once: true })
  try {
    await Promise.race([before, aborted.promise])
    signal?.throwIfAborted()
    return await work()
  } finally {
    signal?.removeEventListener('abort', leave)
    done.resolve()
  }
}

/** A place that is given back once. */
export function placeOf(giveBack: () => Promise<void>): BudgetPlace {
  let released: Promise<void> | undefined
  return { release: () => (released ??= giveBack()) }
}

/** Waits until the time is over or something changed; rejects when aborted. */
export async function pause(
  system: SystemClock,
  ms: number,
  { changed, signal }: { readonly changed: Promise<void>; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const stop = new AbortController()
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal
  try {
    await Promise.race([system.sleep(ms, either).catch(() => signal?.throwIfAborted()), changed])
  } finally {
    stop.abort()
  }
}
