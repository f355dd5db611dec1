/**
 * A call of an outside system over HTTP: a place in its account's budget, one exchange, its judgement, and at most three tries within
 * five seconds. Every adapter's calls go through here; what is particular to one is in its `HttpCall`.
 */
import type { SystemClock } from '../platform/clock.ts'
import { type Egress, EgressFailure, type EgressResponse } from '../platform/egress/types.ts'
import type { Random } from '../platform/random.ts'
import { BudgetExhausted, type BudgetPlace, type Limits, type VendorBudget } from './budget.ts'
import type { OutsideFailure } from './failure.ts'
import type { CallOptions } from './ports.ts'

/** Tries of one call at most. */
const maxTries = 3
/** A new try starts at the latest so long after the first one began; a longer wait is a due date on the caller's row. */
export const retryWindowMs = 5_000

/** How long to wait before the next try; null when there is none. */
export function decideRetry(state: {
  /** Tries made, from 1. */
  readonly tries: number
  readonly elapsedMs: number
  /** What is left of the caller's deadline. */
  readonly remainingMs: number
  /** What the vendor asked for, when it did. */
  readonly retryAfterMs: number | undefined
  /** In [0, 1). */
  readonly random: number
}): number | null {
  if (state.tries >= maxTries) return null
  const backoffMs = 300 * 2 ** (state.tries - 1)
  // What the vendor asks for is the least wait; jitter only ever adds to it.
  const waitMs =
    state.retryAfterMs === undefined ? backoffMs * (0.5 + state.random) : state.retryAfterMs + 100 * state.random
  return state.elapsedMs + waitMs <= retryWindowMs && waitMs < state.remainingMs ? Math.ceil(waitMs) : null
}

/** `Retry-After` in milliseconds, from seconds or an HTTP date; undefined when absent or unreadable. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d{1,7}(?:\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header) * 1_000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** How one try ended; `again`: trying again may help and cannot do anything twice. `cost` in dollars, when it is known. */
export type Outcome<T, F extends OutsideFailure> = (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: F; readonly again: boolean }
) & { readonly cost?: number | null }

/** Makes a call up to three times; throws the failure of its last try. */
export async function retried<T, F extends OutsideFailure>(
  parts: { readonly system: SystemClock; readonly random: Random },
  { deadlineMs, signal }: { deadlineMs: number; signal: AbortSignal | undefined },
  attempt: (tries: number) => Promise<Outcome<T, F>>,
): Promise<T> {
  const { system, random } = parts
  const startedMs = system.nowMs()
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(tries)
    if (outcome.ok) return outcome.value
    const { failure, again } = outcome
    const nowMs = system.nowMs()
    const waitMs = again
      ? decideRetry({
          tries,
          elapsedMs: nowMs - startedMs,
          remainingMs: deadlineMs - nowMs,
          retryAfterMs: failure.retryAfterMs,
          random: random.next(),
        })
      : null
    if (waitMs === null) throw failure
    await system.sleep(waitMs, signal).catch(() => {
      throw failure
    })
  }
}

/** One try of one call, for logs and metrics; carries no key and no answer, but of a failure what the vendor said. */
export type VendorLogEntry = {
  provider: string
  operation: string
  /** Tries so far, from 1. */
  attempt: number
  /** `ok`, or the kind of the failure. */
  outcome: string
  /** Null when no HTTP answer came. */
  status: number | null
  elapsedMs: number
  /** Dollars, when the vendor says. */
  cost?: number | null
  vendorMessage?: string
  requestId?: string
}

/** What every adapter calls with. */
export type CallParts = {
  /** Origin, or origin with a path prefix; the adapter adds its own paths (G120). */
  readonly baseUrl: string
  readonly egress: Egress
  readonly budget: VendorBudget
  readonly system: SystemClock
  readonly random: Random
  readonly log?: (entry: VendorLogEntry) => void
}

/** A failure that is no answer of the vendor; `sent`: the vendor may have got the request. */
type Unanswered = {
  readonly kind: 'rate_limited' | 'unavailable' | 'too_large'
  readonly message: string
  readonly sent: boolean
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/** One call: what is sent, and what is particular to its vendor. */
type HttpCall<T, F extends OutsideFailure> = {
  readonly provider: string
  readonly operation: string
  /** By which the budget counts. */
  readonly account: string
  readonly limits: () => Limits | Promise<Limits>
  readonly method: 'GET' | 'POST'
  /** Below the base address, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Its deadline when the caller names none. */
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Making it a second time after a lost connection cannot do anything twice. */
  readonly repeatable: boolean
  readonly judge: (answer: EgressResponse) => Outcome<T, F>
  readonly fail: (why: Unanswered) => F
  /** What the vendor said, for the log. */
  readonly wordsOf: (failure: F) => Pick<VendorLogEntry, 'vendorMessage' | 'requestId'>
}

/** Below the budget's lease, so that a live call never loses its slot. */
const longestExchangeMs = 80_000
const longestBudgetWaitMs = 20_000
const userAgent = 'lead-engagement-service/1.0'

/** Makes a call; throws its failure. */
export function callVendor<T, F extends OutsideFailure>(
  parts: CallParts,
  call: HttpCall<T, F>,
  { timeoutMs = call.timeoutMs, signal, beforeSend = async () => {} }: CallOptions = {},
): Promise<T> {
  const { system } = parts
  const deadlineMs = system.nowMs() + timeoutMs
  return retried(parts, { deadlineMs, signal }, async (attempt) => {
    const leftMs = deadlineMs - system.nowMs()
    if (leftMs <= 0) {
      const failure = call.fail({ kind: 'unavailable', message: 'no time left', sent: false })
      return { ok: false, again: false, failure }
    }
    const place = await takePlace(parts, call, { waitMs: Math.min(leftMs / 2, longestBudgetWaitMs), signal })
    const beganMs = system.nowMs()
    const { outcome, status } = await beforeSend()
      .then(() => exchange(parts, call, { leftMs: deadlineMs - system.nowMs(), signal }))
      // A slot that cannot be released comes free with its lease; the answer matters more.
      .finally(() => place.release().catch(() => {}))
    parts.log?.({
      provider: call.provider,
      operation: call.operation,
      attempt,
      outcome: outcome.ok ? 'ok' : outcome.failure.kind,
      status,
      elapsedMs: system.nowMs() - beganMs,
      cost: outcome.cost ?? null,
      ...(outcome.ok ? {} : call.wordsOf(outcome.failure)),
    })
    return outcome
  })
}

async function takePlace<T, F extends OutsideFailure>(
  { budget }: CallParts,
  call: HttpCall<T, F>,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal | undefined },
): Promise<BudgetPlace> {
  const limits = await call.limits()
  try {
    return await budget.acquire(call.account, { ...limits, waitMs, ...(signal ? { signal } : {}) })
  } catch (error) {
    if (error instanceof BudgetExhausted)
      throw call.fail({
        kind: 'rate_limited',
        message: 'our own call budget is used up',
        sent: false,
        retryAfterMs: error.retryAfterMs,
        cause: error,
      })
    if (signal?.aborted) throw call.fail({ kind: 'unavailable', message: 'the call was given up', sent: false })
    throw error
  }
}

/** One request and what its answer means; `status` is null when no HTTP answer came. */
async function exchange<T, F extends OutsideFailure>(
  { egress, baseUrl }: CallParts,
  call: HttpCall<T, F>,
  { leftMs, signal }: { leftMs: number; signal: AbortSignal | undefined },
): Promise<{ readonly outcome: Outcome<T, F>; readonly status: number | null }> {
  try {
    const answer = await egress.request({
      method: call.method,
      url: `${baseUrl.replace(/\/+$/, '')}${call.path}`,
      headers: { ...call.headers, 'user-agent': userAgent },
      ...(call.body === undefined ? {} : { body: call.body }),
      timeoutMs: Math.max(1, Math.min(leftMs, longestExchangeMs)),
      maxBytes: call.maxBytes,
      ...(signal ? { signal } : {}),
    })
    return { outcome: call.judge(answer), status: answer.status }
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error
    const isTooLarge = error.kind === 'too_large'
    const kind = isTooLarge ? 'too_large' : 'unavailable'
    const failure = call.fail({ kind, message: error.message, sent: true, cause: error })
    return { outcome: { ok: false, again: call.repeatable && error.kind === 'connection', failure }, status: null }
  }
}

/** The JSON of an answer; undefined when it is none. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
