/** HeyReach's API: one call, what its answer means, and what its lists have in common (pages by offset, one shape around the rows). */
import { z } from 'zod'
import type { EgressResponse } from '../../platform/egress/types.ts'
import { sha256 } from '../../platform/secrets.ts'
import { callVendor, parseJson, readRetryAfter, type CallParts, type Outcome } from '../calls.ts'
import type { CallOptions } from '../ports.ts'
import { readVendorMessage, wordsIn, wordsOfPage } from '../vendor-message.ts'
import { OutreachFailure } from './port.ts'

/** What the adapter needs; the base address includes `/api/public` (G120). */
export type HeyReachOptions = CallParts

/** One call; `changes` marks a call that must not be made twice when its answer is lost. */
export type HeyReachCall = {
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly changes?: boolean
}

/** Makes calls: answers parsed JSON, null for an empty or unreadable body of a call that needs none, undefined for a 404. */
export type HeyReachClient = (key: string, call: HeyReachCall, options?: CallOptions) => Promise<unknown>

/** Calls a minute that HeyReach lets one key make, over all its routes and all our processes. */
const callsPerMinute = 300
const inFlightPerKey = 8

/** Name of a team's account at the platform; the key cannot be read from it. */
export const outreachAccount = (key: string): string => `heyreach:${sha256(key).toString('hex').slice(0, 24)}`

/** Opens the client. */
export function createHeyReachClient(options: HeyReachOptions): HeyReachClient {
  return (key, call, callOptions) => {
    const keyed = { ...call, key }
    return callVendor(
      options,
      {
        provider: 'heyreach',
        operation: call.operation,
        account: outreachAccount(key),
        limits: () => ({ maxInFlight: () => inFlightPerKey, perMinute: callsPerMinute }),
        method: call.method,
        path: call.path,
        headers: {
          'x-api-key': key,
          accept: 'application/json, text/plain',
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        timeoutMs: 20_000,
        maxBytes: 4 * 1024 * 1024,
        repeatable: !call.changes,
        judge: (answer) => judge(keyed, answer, options.system.nowMs()),
        fail: ({ kind, message, sent, retryAfterMs, cause }) =>
          new OutreachFailure({
            kind: kind === 'too_large' ? 'unreadable' : kind,
            message: `heyreach ${call.operation}: ${message}`,
            done: sent && call.changes ? 'maybe' : 'no',
            retryAfterMs,
            cause,
          }),
        wordsOf: ({ message }) => ({ vendorMessage: message.replace(/^heyreach \w+: /, '') }),
      },
      callOptions,
    )
  }
}

/** A call and the key it is made with. */
type KeyedCall = HeyReachCall & { readonly key: string }
type Answered = Outcome<unknown, OutreachFailure>

/** A refusal's words are all that distinguishes a closed campaign from a bad request. */
const closedWords = /campaign/i
const closedWhy = /draft|finish|cancel|fail|clos|ended|complete|archiv|delete|not active|inactive|cannot add|can't add/i

function judge(call: KeyedCall, answer: EgressResponse, nowMs: number): Answered {
  const { status } = answer
  const body = parseJson(answer.body)
  if (status >= 200 && status < 300) return judgeSuccess(call, answer, body)
  if (status === 404 && call.operation !== 'AddLeadsToCampaignV2') return { ok: true, value: undefined }
  const isPage = body === undefined && answer.body.length > 0
  const words =
    (isPage ? wordsOfPage(answer.body.subarray(0, 20_000).toString('utf8')) : wordsIn(body)) ?? `HTTP ${status}`
  const failed = (kind: OutreachFailure['kind'], more: { again?: boolean; done?: 'maybe' } = {}): Answered => ({
    ok: false,
    again: more.again ?? false,
    failure: new OutreachFailure({
      kind,
      message: inOurWords(call, words),
      done: call.changes ? (more.done ?? 'no') : 'no',
      retryAfterMs: kind === 'rate_limited' ? readRetryAfter(answer.headers['retry-after'], nowMs) : undefined,
    }),
  })
  // The platform refuses a key in JSON or without a word; a page is a proxy's, and says nothing about the key.
  if (status === 403 && isPage) return failed('unavailable', { again: !call.changes, done: 'maybe' })
  if (status === 401 || status === 403) return failed('invalid_key')
  if (status === 429) return failed('rate_limited', { again: true })
  // A 5xx, and a redirect or whatever a proxy says, do not say whether the platform has done it.
  if (status >= 500 || status < 400 || status === 408)
    return failed('unavailable', { again: !call.changes && status >= 500, done: 'maybe' })
  const isClosed = status === 404 || (closedWords.test(words) && closedWhy.test(words))
  return failed(isClosed ? 'campaign_closed' : 'refused')
}

/** The outcome of a call that was answered with 2xx; `body` is undefined when it is not JSON. */
function judgeSuccess(call: KeyedCall, answer: EgressResponse, body: unknown): Answered {
  if (body !== undefined || answer.body.length === 0) return { ok: true, value: body ?? null }
  if (call.operation === 'CheckApiKey') return { ok: true, value: null }
  const message = inOurWords(call, 'the answer is not JSON')
  const done = call.changes ? 'maybe' : 'no'
  return { ok: false, again: false, failure: new OutreachFailure({ kind: 'unreadable', message, done }) }
}

/** The platform's words in ours; a message that repeats what it was sent must bring neither the key nor people into a log. */
const inOurWords = (call: KeyedCall, words: string): string =>
  `heyreach ${call.operation}: ${readVendorMessage(words, call.key, call.body) ?? 'it gave no reason'}`

const pageSize = 100
/** A team with more campaigns than this sees the first ones; a campaign with more leads is not searched to its end. Below the calls of a minute. */
const maxPages = 250

const rows = z.looseObject({ totalCount: z.number().int(), items: z.array(z.unknown()) })

/** The failure of an answer that cannot be read; after one that adds people, they may have been added. */
export const unreadable = (operation: string) =>
  new OutreachFailure({
    kind: 'unreadable',
    message: `heyreach ${operation}: the answer has not the promised shape`,
    done: operation === 'AddLeadsToCampaignV2' ? 'maybe' : 'no',
  })

/** Ids are whole numbers there; no other text names a campaign. */
export const idOf = (id: string): number | undefined => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined)

/** A list to be read: with whose key, by which operation, and what is asked besides the page. */
export type ListAsked = {
  readonly key: string
  readonly operation: string
  readonly path: string
  readonly asked: object
  readonly options: CallOptions | undefined
}

/** One page; `more` says that the list goes on behind it, also where the next one turns out to be empty. */
type Page = { readonly items: readonly unknown[]; readonly more: boolean }

/** Reads lists page by page. */
export type Pages = (list: ListAsked) => AsyncGenerator<Page, void, undefined>

/** Makes the reader of lists. */
export const openPages = (client: HeyReachClient): Pages =>
  async function* ({ key, operation, path, asked, options }) {
    let offset = 0
    for (let page = 0; page < maxPages; page += 1) {
      const body = { ...asked, offset, limit: pageSize }
      const read = rows.safeParse(await client(key, { operation, method: 'POST', path, body }, options))
      if (!read.success) throw unreadable(operation)
      const { items, totalCount } = read.data
      // By what was served: a platform that serves fewer than were asked for would otherwise be read with gaps.
      offset += items.length
      const more = offset < totalCount
      yield { items, more }
      if (!more || items.length === 0) return
    }
  }
