import { z } from 'zod'
import type { EgressResponse } from '../../platform/egress/types.ts'
import { sha256 } from '../../platform/secrets.ts'
import { callVendor, parseJson, readRetryAfter, type CallParts, type Outcome } from '../calls.ts'
import type { CallOptions } from '../ports.ts'
import { readVendorMessage, wordsIn, wordsOfPage } from '../vendor-message.ts'
import { OutreachFailure } from './port.ts'

/** The base address includes `/api/public` (G120). */
export type HeyReachOptions = CallParts

/** A call; `changes`: it must not be repeated when its answer is lost. */
export type HeyReachCall = {
  readonly operation: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly changes?: boolean
}

/** Makes calls: resolves with JSON, null for an empty body (or the text of CheckApiKey), undefined for a 404. */
export type HeyReachClient = (key: string, call: HeyReachCall, options?: CallOptions) => Promise<unknown>

/** HeyReach's limit per key, over all routes and all our processes. */
const callsPerMinute = 300
const inFlightPerKey = 8

/** The name of a team's account; the key cannot be derived from it. */
export const outreachAccount = (key: string): string => `heyreach:${sha256(key).toString('hex').slice(0, 24)}`

/** Makes the client. */
export function createHeyReachClient(options: HeyReachOptions): HeyReachClient {
  return (key, call, callOptions) => {
    const { operation, method, path, changes = false } = call
    const body = JSON.stringify(call.body)
    return callVendor(
      options,
      {
        provider: 'heyreach',
        operation,
        account: outreachAccount(key),
        limits: () => ({ maxInFlight: () => inFlightPerKey, perMinute: callsPerMinute }),
        method,
        path,
        headers: {
          'x-api-key': key,
          accept: 'application/json, text/plain',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body,
        timeoutMs: 20_000,
        maxBytes: 4 * 1024 * 1024,
        repeatable: !changes,
        judge: (answer) => judge({ ...call, key }, answer, options.system.nowMs()),
        fail: ({ kind, message, sent, ...why }) =>
          new OutreachFailure({
            ...why,
            kind: kind === 'too_large' ? 'unreadable' : kind,
            message: `heyreach ${operation}: ${message}`,
            done: sent && changes ? 'maybe' : 'no',
          }),
        wordsOf: ({ message }) => ({ vendorMessage: message.replace(/^heyreach \w+: /, '') }),
      },
      callOptions,
    )
  }
}

type KeyedCall = HeyReachCall & { readonly key: string }
type Answered = Outcome<unknown, OutreachFailure>

/** A closed campaign differs from a bad request only by the words of the refusal. */
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
  // The platform rejects keys in JSON or without a body; an HTML page is a proxy's and says nothing about the key.
  if (status === 403 && isPage) return failed('unavailable', { again: !call.changes, done: 'maybe' })
  if (status === 401 || status === 403) return failed('invalid_key')
  if (status === 429) return failed('rate_limited', { again: true })
  // A 5xx, a redirect or a proxy's answer does not say whether the call took effect.
  if (status >= 500 || status < 400 || status === 408)
    return failed('unavailable', { again: !call.changes && status >= 500, done: 'maybe' })
  const isClosed = status === 404 || (closedWords.test(words) && closedWhy.test(words))
  return failed(isClosed ? 'campaign_closed' : 'refused')
}

function judgeSuccess(call: KeyedCall, answer: EgressResponse, body: unknown): Answered {
  if (body !== undefined || answer.body.length === 0) return { ok: true, value: body ?? null }
  if (call.operation === 'CheckApiKey') return { ok: true, value: null }
  const message = inOurWords(call, 'the answer is not JSON')
  const done = call.changes ? 'maybe' : 'no'
  return { ok: false, again: false, failure: new OutreachFailure({ kind: 'unreadable', message, done }) }
}

/** The platform's message for logs, without the key and the people it may repeat. */
const inOurWords = (call: KeyedCall, words: string): string =>
  `heyreach ${call.operation}: ${readVendorMessage(words, call.key, call.body) ?? 'it gave no reason'}`

export const pageSize = 100
/** Lists are read up to here, below the calls of a minute: later campaigns are not listed, later leads not searched. */
const maxPages = 250

export const listed = z.looseObject({ totalCount: z.number().int(), items: z.array(z.unknown()) })

/** An answer that cannot be read; after adding people they may have been added. */
export const unreadable = (operation: string) =>
  new OutreachFailure({
    kind: 'unreadable',
    message: `heyreach ${operation}: the answer has not the promised shape`,
    done: operation === 'AddLeadsToCampaignV2' ? 'maybe' : 'no',
  })

/** Campaign ids are whole numbers there; undefined for any other text. */
export const idOf = (id: string): number | undefined => (/^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined)

/** A list to read; `asked` is the body apart from the page. */
export type ListAsked = {
  readonly key: string
  readonly operation: string
  readonly path: string
  readonly asked: object
  readonly options: CallOptions | undefined
}

/** A page; `more`: the list continues, even if the next page turns out to be empty. */
type Page = { readonly items: readonly unknown[]; readonly more: boolean }

export type Pages = (list: ListAsked) => AsyncGenerator<Page, void, undefined>

/** Makes the reader of lists. */
export const openPages = (client: HeyReachClient): Pages =>
  async function* ({ key, operation, path, asked, options }) {
    let offset = 0
    for (let page = 0; page < maxPages; page += 1) {
      const body = { ...asked, offset, limit: pageSize }
      const read = listed.safeParse(await client(key, { operation, method: 'POST', path, body }, options))
      if (!read.success) throw unreadable(operation)
      const { items, totalCount } = read.data
      // Advances by what was served: a platform that serves fewer rows than requested would leave gaps.
      offset += items.length
      const more = offset < totalCount
      yield { items, more }
      if (!more || items.length === 0) return
    }
  }
