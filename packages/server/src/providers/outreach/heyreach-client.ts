/** One HTTP call to HeyReach: budget, exchange, judgement, and retries where trying again cannot do anything twice. */
import type { SystemClock } from '../../platform/clock.ts'
import { type Egress, EgressFailure, type EgressResponse } from '../../platform/egress/index.ts'
import type { Random } from '../../platform/random.ts'
import { sha256 } from '../../platform/secrets.ts'
import { BudgetExhausted, type VendorBudget } from '../network/budget.ts'
import { decideRetry, readRetryAfter } from '../network/retry.ts'
import type { CallOptions } from '../ports.ts'
import { readVendorMessage, wordsIn, wordsOfPage } from '../vendor-message.ts'
import { OutreachFailure } from './port.ts'

/** What the adapter needs. */
export type HeyReachOptions = {
  /** Includes `/api/public` (G120). */
  readonly baseUrl: string
  readonly egress: Egress
  readonly budget: VendorBudget
  readonly system: SystemClock
  readonly random: Random
  readonly log?: (entry: {
    provider: string
    operation: string
    attempt: number
    outcome: string
    status: number | null
    elapsedMs: number
    vendorMessage?: string
  }) => void
}

/** One call; `changes` marks a call that must not be made twice when its answer is lost. */
export type HeyReachCall = {
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly changes?: boolean
}

/** Calls a minute that HeyReach lets one key make, over all its routes and all our processes. */
export const callsPerMinute = 300
const inFlightPerKey = 8
const defaultTimeoutMs = 20_000
const maxAnswerBytes = 4 * 1024 * 1024

/** Says what a refusal of the platform means; its words are the only thing that tells a closed campaign from a bad request. */
const closedWords = /campaign/i
const closedWhy = /draft|finish|cancel|fail|clos|ended|complete|archiv|delete|not active|inactive|cannot add|can't add/i

type Outcome =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly failure: OutreachFailure; readonly again: boolean; readonly status: number | null }

/** Makes the client. Answers parsed JSON, or null for an empty or unreadable body of a call that needs none; a 404 answers undefined. */
export function createHeyReachClient(
  options: HeyReachOptions,
): (key: string, call: HeyReachCall, callOptions?: CallOptions) => Promise<unknown> {
  const { egress, budget, system, random } = options
  const base = options.baseUrl.replace(/\/+$/, '')

  return async (key, call, callOptions) => {
    const startedMs = system.nowMs()
    const deadlineMs = startedMs + (callOptions?.timeoutMs ?? defaultTimeoutMs)
    for (let tries = 1; ; tries += 1) {
      const outcome = await attempt(key, call, tries, deadlineMs, callOptions?.signal)
      if (outcome.ok) return outcome.body
      const nowMs = system.nowMs()
      const waitMs = outcome.again
        ? decideRetry({
            tries,
            elapsedMs: nowMs - startedMs,
            remainingMs: deadlineMs - nowMs,
            retryAfterMs: outcome.failure.retryAfterMs,
            random: random.next(),
          })
        : null
      if (waitMs === null) throw outcome.failure
      await system.sleep(waitMs, callOptions?.signal).catch(() => {
        throw outcome.failure
      })
    }
  }

  async function attempt(
    key: string,
    call: HeyReachCall,
    tries: number,
    deadlineMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const leftMs = deadlineMs - system.nowMs()
    if (leftMs <= 0) return unanswered(call, { kind: 'unavailable', message: 'no time left' })
    const place = await takePlace(key, call, leftMs, signal)
    const beganMs = system.nowMs()
    let outcome: Outcome
    try {
      outcome = await exchange(key, call, deadlineMs - beganMs, signal)
    } finally {
      // A slot that cannot be given back comes free with its lease; the answer matters more.
      await place.release().catch(() => {})
    }
    options.log?.({
      provider: 'heyreach',
      operation: call.operation,
      attempt: tries,
      outcome: outcome.ok ? 'ok' : outcome.failure.kind,
      status: outcome.ok ? 200 : outcome.status,
      elapsedMs: system.nowMs() - beganMs,
      ...(outcome.ok ? {} : { vendorMessage: outcome.failure.message.replace(/^heyreach \w+: /, '') }),
    })
    return outcome
  }

  /** Takes a place in the budget of the key; throws `OutreachFailure` when none comes free in half the time left. */
  async function takePlace(key: string, call: HeyReachCall, leftMs: number, signal: AbortSignal | undefined) {
    // The vendor counts per key, and so does the budget; what is written down is not the key.
    const account = `heyreach:${sha256(key).toString('hex').slice(0, 24)}`
    try {
      return await budget.acquire(account, {
        maxInFlight: () => inFlightPerKey,
        perMinute: callsPerMinute,
        waitMs: leftMs / 2,
        ...(signal ? { signal } : {}),
      })
    } catch (error) {
      if (error instanceof BudgetExhausted)
        throw new OutreachFailure({
          kind: 'rate_limited',
          message: `heyreach ${call.operation}: our own call budget of the key is used up`,
          retryAfterMs: error.retryAfterMs,
        })
      if (signal?.aborted)
        throw new OutreachFailure({
          kind: 'unavailable',
          message: `heyreach ${call.operation}: the call was given up`,
        })
      throw error
    }
  }

  /** One request and what its answer means; a connection that fails is an outcome too. */
  async function exchange(
    key: string,
    call: HeyReachCall,
    leftMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    try {
      const answer = await egress.request({
        method: call.method,
        url: `${base}${call.path}`,
        headers: {
          'x-api-key': key,
          accept: 'application/json, text/plain',
          'user-agent': 'lead-engagement-service/1.0',
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        timeoutMs: Math.max(1, leftMs),
        maxBytes: maxAnswerBytes,
        ...(signal ? { signal } : {}),
      })
      return judge(key, call, answer, system.nowMs())
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error
      return unanswered(
        call,
        {
          kind: error.kind === 'too_large' ? 'unreadable' : 'unavailable',
          message: error.message,
          done: call.changes ? 'maybe' : 'no',
        },
        !call.changes && error.kind === 'connection',
      )
    }
  }
}

/** The outcome of a call that brought no answer. */
const unanswered = (
  call: HeyReachCall,
  why: ConstructorParameters<typeof OutreachFailure>[0],
  again = false,
): Outcome => ({
  ok: false,
  again,
  status: null,
  failure: new OutreachFailure({ ...why, message: `heyreach ${call.operation}: ${why.message}` }),
})

function judge(key: string, call: HeyReachCall, answer: EgressResponse, nowMs: number): Outcome {
  const { status } = answer
  const body = parseJson(answer.body)
  if (status >= 200 && status < 300) {
    if (body !== undefined || answer.body.length === 0) return { ok: true, body: body ?? null }
    return call.operation === 'CheckApiKey'
      ? { ok: true, body: null }
      : { ok: false, again: false, status, failure: failed(key, call, 'unreadable', 'the answer is not JSON', 'maybe') }
  }
  const page = body === undefined && answer.body.length > 0
  const words =
    (page ? wordsOfPage(answer.body.subarray(0, 20_000).toString('utf8')) : wordsIn(body)) ?? `HTTP ${status}`
  if (status === 404 && call.operation !== 'AddLeadsToCampaignV2') return { ok: true, body: undefined }
  // The platform refuses a key in JSON or without a word; a page is a proxy's, and says nothing about the key.
  if (status === 403 && page)
    return { ok: false, again: !call.changes, status, failure: failed(key, call, 'unavailable', words, 'maybe') }
  if (status === 401 || status === 403)
    return { ok: false, again: false, status, failure: failed(key, call, 'invalid_key', words, 'no') }
  if (status === 429) {
    const retryAfterMs = readRetryAfter(answer.headers['retry-after'], nowMs)
    return {
      ok: false,
      again: true,
      status,
      failure: new OutreachFailure({ kind: 'rate_limited', message: safe(key, call, words), retryAfterMs }),
    }
  }
  // A 5xx, and a redirect or whatever a proxy says, tell nothing about whether the platform has done it.
  if (status >= 500 || status < 400 || status === 408)
    return {
      ok: false,
      again: !call.changes && status >= 500,
      status,
      failure: failed(key, call, 'unavailable', words, 'maybe'),
    }
  const closed = closedWords.test(words) && closedWhy.test(words)
  return {
    ok: false,
    again: false,
    status,
    failure: failed(key, call, closed || status === 404 ? 'campaign_closed' : 'refused', words, 'no'),
  }
}

const failed = (key: string, call: HeyReachCall, kind: OutreachFailure['kind'], words: string, done: 'no' | 'maybe') =>
  new OutreachFailure({ kind, message: safe(key, call, words), done: call.changes ? done : 'no' })

/** A vendor's words in ours; one that repeats what it was sent must not bring the key into a log. */
function safe(key: string, call: HeyReachCall, words: string): string {
  return `heyreach ${call.operation}: ${readVendorMessage(words, key) ?? 'it gave no reason'}`
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
