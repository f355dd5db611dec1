/** What an answer of HeyReach, or the lack of one, means. */
import type { EgressResponse } from '../../platform/egress/index.ts'
import { readRetryAfter } from '../network/retry.ts'
import { readVendorMessage, wordsIn, wordsOfPage } from '../vendor-message.ts'
import type { HeyReachCall } from './heyreach-client.ts'
import { OutreachFailure } from './port.ts'

/** A call and the key it is made with. */
export type KeyedCall = HeyReachCall & { readonly key: string }

/** Says what a refusal of the platform means; its words are the only thing that tells a closed campaign from a bad request. */
const closedWords = /campaign/i
const closedWhy = /draft|finish|cancel|fail|clos|ended|complete|archiv|delete|not active|inactive|cannot add|can't add/i

/** How one try ended; `again` when making it again cannot do anything twice. */
export type Outcome =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly failure: OutreachFailure; readonly again: boolean; readonly status: number | null }

/** The outcome of a call that brought no answer. */
export const unanswered = (
  call: KeyedCall,
  why: ConstructorParameters<typeof OutreachFailure>[0],
  again = false,
): Outcome => ({
  ok: false,
  again,
  status: null,
  failure: new OutreachFailure({ ...why, message: `heyreach ${call.operation}: ${why.message}` }),
})

/** The outcome of a call that was answered. */
export function judge(call: KeyedCall, answer: EgressResponse, nowMs: number): Outcome {
  const { status } = answer
  const body = parseJson(answer.body)
  if (status >= 200 && status < 300) return judgeDone(call, answer, body)
  const page = body === undefined && answer.body.length > 0
  const words =
    (page ? wordsOfPage(answer.body.subarray(0, 20_000).toString('utf8')) : wordsIn(body)) ?? `HTTP ${status}`
  if (status === 404 && call.operation !== 'AddLeadsToCampaignV2') return { ok: true, body: undefined }
  // The platform refuses a key in JSON or without a word; a page is a proxy's, and says nothing about the key.
  if (status === 403 && page)
    return {
      ok: false,
      again: !call.changes,
      status,
      failure: failed(call, 'unavailable', { words, done: 'maybe' }),
    }
  if (status === 401 || status === 403)
    return { ok: false, again: false, status, failure: failed(call, 'invalid_key', { words, done: 'no' }) }
  if (status === 429) {
    const retryAfterMs = readRetryAfter(answer.headers['retry-after'], nowMs)
    return {
      ok: false,
      again: true,
      status,
      failure: new OutreachFailure({ kind: 'rate_limited', message: safe(call, words), retryAfterMs }),
    }
  }
  // A 5xx, and a redirect or whatever a proxy says, tell nothing about whether the platform has done it.
  if (status >= 500 || status < 400 || status === 408)
    return {
      ok: false,
      again: !call.changes && status >= 500,
      status,
      failure: failed(call, 'unavailable', { words, done: 'maybe' }),
    }
  const closed = closedWords.test(words) && closedWhy.test(words)
  return {
    ok: false,
    again: false,
    status,
    failure: failed(call, closed || status === 404 ? 'campaign_closed' : 'refused', { words, done: 'no' }),
  }
}

/** The outcome of a call that was answered with 2xx; `body` is undefined when it is not JSON. */
function judgeDone(call: KeyedCall, answer: EgressResponse, body: unknown): Outcome {
  if (body !== undefined || answer.body.length === 0) return { ok: true, body: body ?? null }
  if (call.operation === 'CheckApiKey') return { ok: true, body: null }
  const failure = failed(call, 'unreadable', { words: 'the answer is not JSON', done: 'maybe' })
  return { ok: false, again: false, status: answer.status, failure }
}

const failed = (
  call: KeyedCall,
  kind: OutreachFailure['kind'],
  { words, done }: { readonly words: string; readonly done: 'no' | 'maybe' },
) => new OutreachFailure({ kind, message: safe(call, words), done: call.changes ? done : 'no' })

/** A vendor's words in ours; one that repeats what it was sent must not bring the key into a log. */
function safe(call: KeyedCall, words: string): string {
  return `heyreach ${call.operation}: ${readVendorMessage(words, call.key) ?? 'it gave no reason'}`
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
