/** What an answer of a vendor, or the lack of one, comes to: the envelope, or a failure and whether trying again may help. */
import type { EgressFailure, EgressResponse } from '../../platform/egress/index.ts'
import { ProviderFailure, type ProviderFailureKind } from '../ports.ts'
import { readVendorMessage } from '../vendor-message.ts'
import { type RawAnswer, requestIdOf } from './refusals.ts'
import { readRetryAfter } from './retry.ts'
import type { AdapterOptions, Dialect, VendorCall } from './vendor-client.ts'

/** A vendor as its calls are made: `base` is its address without a slash at the end. */
export type Vendor = { readonly options: AdapterOptions; readonly dialect: Dialect; readonly base: string }

/** How one try ended; `cost` in dollars, when the vendor says. */
export type Outcome = (
  | { readonly ok: true; readonly body: Record<string, unknown> }
  | { readonly ok: false; readonly failure: ProviderFailure; readonly again: boolean }
) & { readonly cost?: number | null }

type Why = { readonly kind: ProviderFailureKind; readonly message: string } & Partial<
  Pick<ProviderFailure, 'retryAfterMs' | 'vendorMessage' | 'requestId' | 'why' | 'held' | 'cause'>
>

/** A failure of a call, which says of which. */
export const failureOf = ({ dialect: { provider } }: Vendor, { operation }: VendorCall, why: Why): ProviderFailure =>
  new ProviderFailure({ ...why, provider, operation, message: `${provider} ${operation}: ${why.message}` })

/** The outcome of a call that brought no answer. */
export function unanswered(vendor: Vendor, call: VendorCall, error: EgressFailure): Outcome {
  const { message } = error
  if (error.kind === 'too_large')
    return { ok: false, again: false, failure: failureOf(vendor, call, { kind: 'malformed', message, cause: error }) }
  return {
    ok: false,
    again: error.kind === 'connection',
    failure: failureOf(vendor, call, { kind: 'unavailable', message, cause: error }),
  }
}

/** The outcome of a call that was answered. */
export function judge(vendor: Vendor, call: VendorCall, answer: EgressResponse): Outcome {
  const { options, dialect } = vendor
  const raw: RawAnswer = {
    status: answer.status,
    json: parseJson(answer.body),
    text: answer.body.subarray(0, 20_000).toString('utf8'),
    headers: answer.headers,
  }
  const verdict = dialect.judge(raw, call)
  if (verdict.ok) return verdict
  const { kind, message } = verdict
  if (kind === 'rate_limited') dialect.onRateLimited?.()
  const retryAfterMs =
    kind === 'rate_limited' || answer.status === 503
      ? readRetryAfter(answer.headers['retry-after'], options.system.nowMs())
      : undefined
  const vendorMessage = readVendorMessage(verdict.words, options.apiKey)
  return {
    ok: false,
    again: kind === 'rate_limited' || kind === 'unavailable',
    failure: failureOf(vendor, call, {
      kind,
      message,
      retryAfterMs,
      vendorMessage,
      requestId: requestIdOf(raw),
      why: verdict.why ?? null,
    }),
  }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
