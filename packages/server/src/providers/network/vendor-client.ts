import type { SystemClock } from '../../platform/clock.ts'
import { type Egress, EgressFailure } from '../../platform/egress/types.ts'
import type { Random } from '../../platform/random.ts'
import { type CallOptions, ProviderFailure, type ProviderFailureKind } from '../ports.ts'
import { BudgetExhausted, type BudgetPlace, type BudgetRequest, type VendorBudget } from './budget.ts'
import type { RawAnswer, Refused } from './refusals.ts'
import { decideRetry } from './retry.ts'
import { failureOf, judge, type Outcome, unanswered, type Vendor } from './vendor-answer.ts'

/** One try of one call, for logs and metrics; carries no key and no answer, but of a failure what the vendor said. */
export type VendorLogEntry = {
  provider: string
  operation: string
  /** Tries so far, from 1. */
  attempt: number
  outcome: 'ok' | ProviderFailureKind
  /** Null when no HTTP answer came. */
  status: number | null
  elapsedMs: number
  /** Dollars, when the vendor says. */
  cost: number | null
  /** Of a failure: the vendor's words, cleaned, and its id of the call. */
  vendorMessage?: string
  requestId?: string
}

/** What every adapter needs. */
export type AdapterOptions = {
  /** Origin, or origin with a path prefix; the adapter adds its own paths (G120). */
  baseUrl: string
  apiKey: string
  egress: Egress
  budget: VendorBudget
  system: SystemClock
  random: Random
  log?: (entry: VendorLogEntry) => void
}

/** One GET of a vendor; of a list it may say that there is nothing. `about` our own account instead of the network. */
export type VendorCall = {
  operation: string
  path: string
  query: Record<string, string | number | null | undefined>
  list?: boolean
  about?: 'account'
}

/** What an account may do: calls in flight at once, and in a minute. */
export type Limits = Pick<BudgetRequest, 'maxInFlight' | 'perMinute'>

/** What is particular to a vendor. */
export type Dialect = {
  provider: string
  /** Its key header. */
  headers: Record<string, string>
  limits(): Limits | Promise<Limits>
  /** Judges every answer by its status and body: the envelope, or why it is none. */
  judge(
    answer: RawAnswer,
    call: VendorCall,
  ): { ok: true; body: Record<string, unknown>; cost: number | null } | ({ ok: false } & Refused)
  /** Hears of every 429. */
  onRateLimited?(): void
}

/** Gets an envelope's JSON object or throws `ProviderFailure`. */
export type VendorClient = {
  readonly provider: string
  get(call: VendorCall, options: CallOptions | undefined): Promise<Record<string, unknown>>
}

/** A call's deadline when its caller names none. */
export const DEFAULT_TIMEOUT_MS = 30_000
/** Below the budget's lease, so that a live call never loses its slot. */
const LONGEST_EXCHANGE_MS = 80_000
const LONGEST_BUDGET_WAIT_MS = 20_000
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const USER_AGENT = 'lead-engagement-service/1.0'

/** The one loop every vendor call goes through: budget, exchange, judgement, retries within one call. */
export function createVendorClient(options: AdapterOptions, dialect: Dialect): VendorClient {
  const vendor: Vendor = { options, dialect, base: options.baseUrl.replace(/\/+$/, '') }
  return { provider: dialect.provider, get: (call, callOptions) => get(vendor, call, callOptions) }
}

async function get(
  vendor: Vendor,
  call: VendorCall,
  callOptions: CallOptions | undefined,
): Promise<Record<string, unknown>> {
  const { system, random } = vendor.options
  const signal = callOptions?.signal
  const startedMs = system.nowMs()
  const deadlineMs = startedMs + (callOptions?.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  for (let tries = 1; ; tries += 1) {
    const done = await attempt(vendor, call, { tries, deadlineMs, signal })
    if (done.ok) return done.body
    const nowMs = system.nowMs()
    const state = {
      tries,
      elapsedMs: nowMs - startedMs,
      remainingMs: deadlineMs - nowMs,
      retryAfterMs: done.failure.retryAfterMs,
      random: random.next(),
    }
    const waitMs = done.again ? decideRetry(state) : null
    if (waitMs === null) throw done.failure
    await system.sleep(waitMs, signal).catch(() => {
      throw done.failure
    })
  }
}

type Trying = { readonly tries: number; readonly deadlineMs: number; readonly signal: AbortSignal | undefined }

/** One try of a call; throws `ProviderFailure` when the budget has no place for it. */
async function attempt(vendor: Vendor, call: VendorCall, { tries, deadlineMs, signal }: Trying): Promise<Outcome> {
  const { system, log } = vendor.options
  const leftMs = deadlineMs - system.nowMs()
  if (leftMs <= 0)
    return {
      ok: false,
      again: false,
      failure: failureOf(vendor, call, { kind: 'unavailable', message: 'no time left' }),
    }
  const place = await takePlace(vendor, call, { waitMs: Math.min(leftMs / 2, LONGEST_BUDGET_WAIT_MS), signal })
  const beganMs = system.nowMs()
  // A slot that cannot be given back comes free with its lease; the answer matters more.
  const { outcome, status } = await exchange(vendor, call, { leftMs: deadlineMs - beganMs, signal }).finally(() =>
    place.release().catch(() => {}),
  )
  const { vendorMessage = null, requestId = null } = outcome.ok ? {} : outcome.failure
  log?.({
    provider: vendor.dialect.provider,
    operation: call.operation,
    attempt: tries,
    outcome: outcome.ok ? 'ok' : outcome.failure.kind,
    status,
    elapsedMs: system.nowMs() - beganMs,
    cost: outcome.cost ?? null,
    ...(vendorMessage === null ? {} : { vendorMessage }),
    ...(requestId === null ? {} : { requestId }),
  })
  return outcome
}

async function takePlace(
  vendor: Vendor,
  call: VendorCall,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal | undefined },
): Promise<BudgetPlace> {
  const { options, dialect } = vendor
  const limits = await dialect.limits()
  try {
    return await options.budget.acquire(dialect.provider, { ...limits, waitMs, ...(signal ? { signal } : {}) })
  } catch (error) {
    if (error instanceof BudgetExhausted)
      throw failureOf(vendor, call, {
        kind: 'rate_limited',
        message: 'our own call budget is used up',
        retryAfterMs: error.retryAfterMs,
        cause: error,
      })
    if (signal?.aborted) throw failureOf(vendor, call, { kind: 'unavailable', message: 'the call was given up' })
    throw error
  }
}

/** One request and what its answer comes to; `status` is null when no HTTP answer came. */
async function exchange(
  vendor: Vendor,
  call: VendorCall,
  { leftMs, signal }: { readonly leftMs: number; readonly signal: AbortSignal | undefined },
): Promise<{ readonly outcome: Outcome; readonly status: number | null }> {
  const { options, dialect, base } = vendor
  try {
    const answer = await options.egress.request({
      method: 'GET',
      url: `${base}${call.path}${queryText(call.query)}`,
      headers: { ...dialect.headers, accept: 'application/json', 'user-agent': USER_AGENT },
      timeoutMs: Math.max(1, Math.min(leftMs, LONGEST_EXCHANGE_MS)),
      maxBytes: MAX_ANSWER_BYTES,
      ...(signal ? { signal } : {}),
    })
    return { outcome: judge(vendor, call, answer), status: answer.status }
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error
    return { outcome: unanswered(vendor, call, error), status: null }
  }
}

function queryText(query: VendorCall['query']): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined) params.set(name, String(value))
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** An object, never a list or null. */
export function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

/** The failure of an answer whose payload has not the promised shape. */
export function malformed(client: VendorClient, operation: string, message: string): ProviderFailure {
  return new ProviderFailure({
    provider: client.provider,
    operation,
    kind: 'malformed',
    message: `${client.provider} ${operation}: ${message}`,
  })
}
