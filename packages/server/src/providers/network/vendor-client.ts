/** HTTP calls of network data vendors: GETs with a key header, answered by a JSON object that wraps a payload. */
import type { EgressResponse } from '../../platform/egress/types.ts'
import type { Limits } from '../budget.ts'
import { callVendor, parseJson, readRetryAfter, type CallParts, type Outcome } from '../calls.ts'
import { type CallOptions, ProviderFailure } from '../ports.ts'
import { readVendorMessage } from '../vendor-message.ts'
import { type RawAnswer, type Refused, requestIdOf } from './refusals.ts'

export type AdapterOptions = CallParts & { readonly apiKey: string }

/** One GET; `list`: an empty answer is allowed; `about: 'account'`: reads our own account instead of the network. */
export type VendorCall = {
  operation: string
  path: string
  query: Record<string, string | number | null | undefined>
  list?: boolean
  about?: 'account'
}

/** An answer's JSON object. */
export type Body = Record<string, unknown>

/** What differs between vendors. */
export type Dialect = {
  provider: string
  headers: Record<string, string>
  limits(): Limits | Promise<Limits>
  /** Judges an answer by status and body: returns the envelope, or the refusal. */
  judge(answer: RawAnswer, call: VendorCall): { ok: true; body: Body; cost: number | null } | ({ ok: false } & Refused)
  onRateLimited?(): void
}

type VendorClient = {
  get(call: VendorCall, options: CallOptions | undefined): Promise<Body>
  malformed(operation: string, message: string): ProviderFailure
}

/** Opens a vendor's client. */
export function createVendorClient(options: AdapterOptions, dialect: Dialect): VendorClient {
  const { provider, headers, limits } = dialect
  type Why = Omit<ConstructorParameters<typeof ProviderFailure>[0], 'provider' | 'operation'>
  const failureOf = (operation: string, why: Why) =>
    new ProviderFailure({ ...why, provider, operation, message: `${provider} ${operation}: ${why.message}` })

  function judge(call: VendorCall, answer: EgressResponse): Outcome<Body, ProviderFailure> {
    const raw: RawAnswer = {
      status: answer.status,
      json: parseJson(answer.body),
      text: answer.body.subarray(0, 20_000).toString('utf8'),
      headers: answer.headers,
    }
    const verdict = dialect.judge(raw, call)
    if (verdict.ok) return { ok: true, value: verdict.body, cost: verdict.cost }
    const { kind, message, words, why = null } = verdict
    if (kind === 'rate_limited') dialect.onRateLimited?.()
    const mayAskForTime = kind === 'rate_limited' || answer.status === 503
    const failure = failureOf(call.operation, {
      kind,
      message,
      why,
      retryAfterMs: mayAskForTime ? readRetryAfter(answer.headers['retry-after'], options.system.nowMs()) : undefined,
      vendorMessage: readVendorMessage(words, options.apiKey, call.query),
      requestId: requestIdOf(raw),
    })
    return { ok: false, again: kind === 'rate_limited' || kind === 'unavailable', failure }
  }

  return {
    malformed: (operation, message) => failureOf(operation, { kind: 'malformed', message }),
    get: (call, callOptions) =>
      callVendor(
        options,
        {
          provider,
          operation: call.operation,
          account: provider,
          limits,
          method: 'GET',
          path: `${call.path}${queryText(call.query)}`,
          headers: { ...headers, accept: 'application/json' },
          timeoutMs: 30_000,
          maxBytes: 8 * 1024 * 1024,
          repeatable: true,
          judge: (answer) => judge(call, answer),
          fail: ({ kind, sent: _sent, ...why }) =>
            failureOf(call.operation, { ...why, kind: kind === 'too_large' ? 'malformed' : kind }),
          wordsOf: ({ vendorMessage, requestId }) => ({
            ...(vendorMessage === null ? {} : { vendorMessage }),
            ...(requestId === null ? {} : { requestId }),
          }),
        },
        callOptions,
      ),
  }
}

function queryText(query: VendorCall['query']): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined) params.set(name, String(value))
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}

/** The value as an object; null for lists and everything else. */
export function asRecord(value: unknown): Body | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null
}
