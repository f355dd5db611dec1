/** One HTTP call to HeyReach: budget, exchange, judgement, and retries where trying again cannot do anything twice. */
import type { SystemClock } from '../../platform/clock.ts'
import { type Egress, EgressFailure } from '../../platform/egress/types.ts'
import type { Random } from '../../platform/random.ts'
import { sha256 } from '../../platform/secrets.ts'
import { BudgetExhausted, type BudgetPlace, type VendorBudget } from '../network/budget.ts'
import { decideRetry } from '../network/retry.ts'
import type { CallOptions } from '../ports.ts'
import { judge, type KeyedCall, type Outcome, unanswered } from './heyreach-answer.ts'
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

/** The service with an address that has no slash at its end. */
type Platform = { readonly options: HeyReachOptions; readonly base: string }

/** Makes the client. Answers parsed JSON, or null for an empty or unreadable body of a call that needs none; a 404 answers undefined. */
export function createHeyReachClient(
  options: HeyReachOptions,
): (key: string, call: HeyReachCall, callOptions?: CallOptions) => Promise<unknown> {
  const platform: Platform = { options, base: options.baseUrl.replace(/\/+$/, '') }
  return (key, call, callOptions) => send(platform, { ...call, key }, callOptions)
}

async function send(platform: Platform, call: KeyedCall, callOptions: CallOptions | undefined): Promise<unknown> {
  const { system, random } = platform.options
  const signal = callOptions?.signal
  const startedMs = system.nowMs()
  const deadlineMs = startedMs + (callOptions?.timeoutMs ?? defaultTimeoutMs)
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(platform, call, { tries, deadlineMs, signal })
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
    await system.sleep(waitMs, signal).catch(() => {
      throw outcome.failure
    })
  }
}

type Trying = { readonly tries: number; readonly deadlineMs: number; readonly signal: AbortSignal | undefined }
type Within = { readonly leftMs: number; readonly signal: AbortSignal | undefined }

async function attempt(platform: Platform, call: KeyedCall, { tries, deadlineMs, signal }: Trying): Promise<Outcome> {
  const { system, log } = platform.options
  const leftMs = deadlineMs - system.nowMs()
  if (leftMs <= 0) return unanswered(call, { kind: 'unavailable', message: 'no time left' })
  const place = await takePlace(platform, call, { leftMs, signal })
  const beganMs = system.nowMs()
  // A slot that cannot be given back comes free with its lease; the answer matters more.
  const outcome = await exchange(platform, call, { leftMs: deadlineMs - beganMs, signal }).finally(() =>
    place.release().catch(() => {}),
  )
  log?.({
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
async function takePlace({ options }: Platform, call: KeyedCall, { leftMs, signal }: Within): Promise<BudgetPlace> {
  // The vendor counts per key, and so does the budget; what is written down is not the key.
  const account = `heyreach:${sha256(call.key).toString('hex').slice(0, 24)}`
  try {
    return await options.budget.acquire(account, {
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
        cause: error,
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
async function exchange({ options, base }: Platform, call: KeyedCall, { leftMs, signal }: Within): Promise<Outcome> {
  try {
    const answer = await options.egress.request({
      method: call.method,
      url: `${base}${call.path}`,
      headers: {
        'x-api-key': call.key,
        accept: 'application/json, text/plain',
        'user-agent': 'lead-engagement-service/1.0',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      timeoutMs: Math.max(1, leftMs),
      maxBytes: maxAnswerBytes,
      ...(signal ? { signal } : {}),
    })
    return judge(call, answer, options.system.nowMs())
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
