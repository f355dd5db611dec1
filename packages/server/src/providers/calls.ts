/** HTTP calls of all adapters: a budget place, one exchange, its judgement, at most three tries within five seconds. */
import type { SystemClock } from '../platform/clock.ts'
import { type Egress, EgressFailure, type EgressResponse } from '../platform/egress/types.ts'
import type { Random } from '../platform/random.ts'
import { BudgetExhausted, type BudgetPlace, type Limits, type VendorBudget } from './budget.ts'
import type { OutsideFailure } from './failure.ts'
import type { CallOptions } from './ports.ts'

const maxTries = 3
/** Latest start of a new try, from the start of the first. The caller handles longer waits with a due date on its row. */
export const retryWindowMs = 5_000

/** Milliseconds to wait before the next try; null: no further try. `tries` counts from 1, `random` is in [0, 1). */
export function decideRetry(state: {
  readonly tries: number
  readonly elapsedMs: number
  readonly remainingMs: number
  readonly retryAfterMs: number | undefined
  readonly random: number
}): number | null {
  if (state.tries >= maxTries) return null
  const backoffMs = 300 * 2 ** (state.tries - 1)
  // Never wait less than the vendor asked for, so jitter is only added.
  const waitMs =
    state.retryAfterMs === undefined ? backoffMs * (0.5 + state.random) : state.retryAfterMs + 100 * state.random
  return state.elapsedMs + waitMs <= retryWindowMs && waitMs < state.remainingMs ? Math.ceil(waitMs) : null
}

/** `Retry-After` (seconds or an HTTP date) in milliseconds; undefined when absent or unreadable. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\s*\d{1,7}(?:\.\d+)?\s*$/.test(header)) return Math.ceil(Number(header) * 1_000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs)
}

/** The result of one try; `again`: a retry may help and is safe. `cost` in dollars, if known. */
export type Outcome<T, F extends OutsideFailure> = (
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: F; readonly again: boolean }
) & { readonly cost?: number | null }

/** Makes a call up to three times; throws the failure of the last try. */
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

/** One try (`attempt` from 1) for logs and metrics; `cost` in dollars. It has no key or answer, only a vendor's error message. */
export type VendorLogEntry = {
  provider: string
  operation: string
  attempt: number
  outcome: string
  status: number | null
  elapsedMs: number
  cost?: number | null
  vendorMessage?: string
  requestId?: string
}

export type CallParts = {
  /** Origin, optionally with a path prefix; the adapter appends its own paths (G120). */
  readonly baseUrl: string
  readonly egress: Egress
  readonly budget: VendorBudget
  readonly system: SystemClock
  readonly random: Random
  readonly log?: (entry: VendorLogEntry) => void
}

/** A failure without an answer from the vendor; `sent`: the vendor may have received the request. */
type Unanswered = {
  readonly kind: 'rate_limited' | 'unavailable' | 'too_large'
  readonly message: string
  readonly sent: boolean
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

type HttpCall<T, F extends OutsideFailure> = {
  readonly provider: string
  readonly operation: string
  readonly account: string
  readonly limits: () => Limits | Promise<Limits>
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly timeoutMs: number
  readonly maxBytes: number
  /** True when repeating the call after a lost connection has no second effect. */
  readonly repeatable: boolean
  readonly judge: (answer: EgressResponse) => Outcome<T, F>
  readonly fail: (why: Unanswered) => F
  readonly wordsOf: (failure: F) => Pick<VendorLogEntry, 'vendorMessage' | 'requestId'>
}

/** Shorter than the budget's slot lease, so that a running call never loses its slot. */
const longestExchangeMs = 80_000
const longestBudgetWaitMs = 20_000
export const userAgent = 'lead-engagement-service/1.0'

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
    const place = await takePlace(parts, call, Math.min(leftMs / 2, longestBudgetWaitMs), signal)
    const beganMs = system.nowMs()
    const { outcome, status } = await beforeSend()
      .then(() => exchange(parts, call, deadlineMs - system.nowMs(), signal))
      // Ignore a failed release: the slot's lease expires, and the answer matters more.
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
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<BudgetPlace> {
  const limits = await call.limits()
  try {
    return await budget.acquire(call.account, { ...limits, waitMs, signal })
  } catch (error) {
    if (error instanceof BudgetExhausted) {
      const { retryAfterMs } = error
      const message = 'our own call budget is used up'
      throw call.fail({ kind: 'rate_limited', message, sent: false, retryAfterMs, cause: error })
    }
    if (signal?.aborted) throw call.fail({ kind: 'unavailable', message: 'the call was given up', sent: false })
    throw error
  }
}

async function exchange<T, F extends OutsideFailure>(
  { egress, baseUrl }: CallParts,
  call: HttpCall<T, F>,
  leftMs: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly outcome: Outcome<T, F>; readonly status: number | null }> {
  try {
    const answer = await egress.request({
      method: call.method,
      url: `${baseUrl.replace(/\/+$/, '')}${call.path}`,
      headers: { ...call.headers, 'user-agent': userAgent },
      body: call.body,
      timeoutMs: Math.max(1, Math.min(leftMs, longestExchangeMs)),
      maxBytes: call.maxBytes,
      signal,
    })
    return { outcome: call.judge(answer), status: answer.status }
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error
    const kind = error.kind === 'too_large' ? 'too_large' : 'unavailable'
    const failure = call.fail({ kind, message: error.message, sent: true, cause: error })
    return { outcome: { ok: false, again: call.repeatable && error.kind === 'connection', failure }, status: null }
  }
}

/** Parses a JSON body; undefined when the body is not JSON. */
export function parseJson(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString()) as unknown
  } catch {
    return undefined
  }
}
