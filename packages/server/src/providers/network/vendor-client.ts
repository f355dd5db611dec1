import type { SystemClock } from '../../platform/clock.ts'
import { type Egress, EgressFailure, type EgressResponse } from '../../platform/egress/index.ts'
import type { Random } from '../../platform/random.ts'
import { type CallOptions, ProviderFailure, type ProviderFailureKind } from '../ports.ts'
import { readVendorMessage } from '../vendor-message.ts'
import { BudgetExhausted, type BudgetRequest, type VendorBudget } from './budget.ts'
import { type RawAnswer, type Refused, requestIdOf } from './refusals.ts'
import { decideRetry, readRetryAfter } from './retry.ts'

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

type Try = { ok: true; body: Record<string, unknown> } | { ok: false; failure: ProviderFailure; again: boolean }

/** The one loop every vendor call goes through: budget, exchange, judgement, retries within one call. */
export function createVendorClient(options: AdapterOptions, dialect: Dialect): VendorClient {
  const { egress, budget, system, random } = options
  const base = options.baseUrl.replace(/\/+$/, '')
  const { provider } = dialect
  const fail = (
    call: VendorCall,
    kind: ProviderFailureKind,
    message: string,
    more: Partial<
      Pick<ProviderFailure, 'retryAfterMs' | 'vendorMessage' | 'requestId' | 'why' | 'held' | 'cause'>
    > = {},
  ) =>
    new ProviderFailure({
      provider,
      operation: call.operation,
      kind,
      message: `${provider} ${call.operation}: ${message}`,
      ...more,
    })

  return { provider, get }

  async function get(call: VendorCall, callOptions: CallOptions | undefined): Promise<Record<string, unknown>> {
    const startedMs = system.nowMs()
    const deadlineMs = startedMs + (callOptions?.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    for (let tries = 1; ; tries += 1) {
      const done = await attempt(call, tries, deadlineMs, callOptions?.signal)
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
      await system.sleep(waitMs, callOptions?.signal).catch(() => {
        throw done.failure
      })
    }
  }

  async function attempt(
    call: VendorCall,
    tries: number,
    deadlineMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Try> {
    const leftMs = deadlineMs - system.nowMs()
    if (leftMs <= 0) return { ok: false, again: false, failure: fail(call, 'unavailable', 'no time left') }
    const waitMs = Math.min(leftMs / 2, LONGEST_BUDGET_WAIT_MS)
    const limits = await dialect.limits()
    const place = await budget
      .acquire(provider, { ...limits, waitMs, ...(signal ? { signal } : {}) })
      .catch((error: unknown) => {
        if (error instanceof BudgetExhausted)
          throw fail(call, 'rate_limited', 'our own call budget is used up', {
            retryAfterMs: error.retryAfterMs,
            cause: error,
          })
        if (signal?.aborted) throw fail(call, 'unavailable', 'the call was given up')
        throw error
      })
    const beganMs = system.nowMs()
    let answer: EgressResponse | null = null
    let outcome: Try & { cost?: number | null }
    try {
      answer = await egress.request({
        method: 'GET',
        url: `${base}${call.path}${queryText(call.query)}`,
        headers: { ...dialect.headers, accept: 'application/json', 'user-agent': USER_AGENT },
        timeoutMs: Math.max(1, Math.min(deadlineMs - beganMs, LONGEST_EXCHANGE_MS)),
        maxBytes: MAX_ANSWER_BYTES,
        ...(signal ? { signal } : {}),
      })
      outcome = judged(call, answer)
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error
      outcome = unanswered(call, error)
    } finally {
      // A slot that cannot be given back comes free with its lease; the answer matters more.
      await place.release().catch(() => {})
    }
    const { vendorMessage = null, requestId = null } = outcome.ok ? {} : outcome.failure
    const told = { ...(vendorMessage === null ? {} : { vendorMessage }), ...(requestId === null ? {} : { requestId }) }
    options.log?.({
      provider,
      operation: call.operation,
      attempt: tries,
      outcome: outcome.ok ? 'ok' : outcome.failure.kind,
      status: answer?.status ?? null,
      elapsedMs: system.nowMs() - beganMs,
      cost: outcome.cost ?? null,
      ...told,
    })
    return outcome
  }

  function unanswered(call: VendorCall, error: EgressFailure): Try {
    if (error.kind === 'too_large')
      return { ok: false, again: false, failure: fail(call, 'malformed', error.message, { cause: error }) }
    return {
      ok: false,
      again: error.kind === 'connection',
      failure: fail(call, 'unavailable', error.message, { cause: error }),
    }
  }

  function judged(call: VendorCall, answer: EgressResponse): Try & { cost?: number | null } {
    const raw: RawAnswer = {
      status: answer.status,
      json: parseJson(answer.body),
      text: answer.body.subarray(0, 20_000).toString('utf8'),
      headers: answer.headers,
    }
    const verdict = dialect.judge(raw, call)
    if (verdict.ok) return verdict
    const { kind } = verdict
    if (kind === 'rate_limited') dialect.onRateLimited?.()
    const retryAfterMs =
      kind === 'rate_limited' || answer.status === 503
        ? readRetryAfter(answer.headers['retry-after'], system.nowMs())
        : undefined
    const vendorMessage = readVendorMessage(verdict.words, options.apiKey)
    return {
      ok: false,
      again: kind === 'rate_limited' || kind === 'unavailable',
      failure: fail(call, kind, verdict.message, {
        retryAfterMs,
        vendorMessage,
        requestId: requestIdOf(raw),
        why: verdict.why ?? null,
      }),
    }
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
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
