import { EgressFailure, type Egress } from '../../platform/egress/types.ts'
import { parseJson, readRetryAfter } from '../calls.ts'
import { readVendorMessage, wordsIn, wordsOfPage } from '../vendor-message.ts'
import {
  DestinationFailure,
  isRead,
  type AdapterParts,
  type Check,
  type PlatformAnswer,
  type PlatformCall,
  type PlatformRequest,
  type RecordOutcome,
} from './port.ts'

const userAgent = 'lead-engagement-service/1.0'
const timeoutMs = 30_000
/** An answer to a batch of 100 records has some hundred kilobytes. */
const maxAnswerBytes = 8 * 1024 * 1024
/** The longest wait a platform may ask for; its clock may be wrong. */
const longestWaitMs = 2 * 86_400_000

/** Makes the calls of adapters over an egress. */
export function platformCall(egress: Egress, { signal }: { readonly signal?: AbortSignal } = {}): PlatformCall {
  return async (request) => {
    const { method, url, headers, body } = request
    try {
      return await egress.request({
        method,
        url,
        headers: { ...headers, 'user-agent': userAgent },
        ...(body === undefined ? {} : { body }),
        timeoutMs,
        maxBytes: maxAnswerBytes,
        ...(signal ? { signal } : {}),
      })
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error
      if (error.kind === 'refused_address')
        throw new DestinationFailure('request_refused', error.message, { cause: error })
      const isLost = error.sent && !isRead(request)
      throw new DestinationFailure(isLost ? 'answer_lost' : 'unavailable', error.message, { cause: error })
    }
  }
}

/** The time that `Retry-After` (seconds, or a date compared with service time) asks for; null without one. */
export function retryAtOf(header: string | undefined, now: Date): Date | null {
  const waitMs = readRetryAfter(header, now.getTime())
  return waitMs === undefined ? null : new Date(now.getTime() + Math.min(waitMs, longestWaitMs))
}

/** A platform's name, and the secrets its words must not repeat. */
export type Platform = { readonly name: string; readonly secrets: readonly string[] }

/** A platform's words for a customer: one line, at most 200 characters, without markup and secrets; null for none. */
export function platformWords(words: unknown, { secrets }: Pick<Platform, 'secrets'>): string | null {
  if (typeof words !== 'string') return null
  const bounded = words.slice(0, 20_000)
  const [first = '', ...others] = secrets.filter((secret) => secret !== '')
  return readVendorMessage(
    others.reduce((text, secret) => text.replaceAll(secret, '[key]'), bounded),
    first,
  )
}

/** A failure in our words, followed by the platform's. */
export function platformFailure(
  platform: Platform,
  {
    trouble,
    what,
    words = null,
    ...more
  }: {
    readonly trouble: DestinationFailure['trouble']
    readonly what: string
    readonly words?: unknown
    readonly retryAt?: Date | null
    readonly missing?: readonly string[]
  },
): DestinationFailure {
  const said = platformWords(words, platform)
  return new DestinationFailure(trouble, `${platform.name} ${what}${said === null ? '' : `; it said: "${said}"`}`, more)
}

const isPage = ({ headers, body }: PlatformAnswer): boolean =>
  (headers['content-type'] ?? '').includes('html') ||
  /^\s*<(?:!doctype|html|head|body)\b/i.test(body.toString('latin1', 0, 200))

const wordsOfAnswer = (answer: PlatformAnswer): string | null =>
  isPage(answer) ? wordsOfPage(answer.body.toString('utf8', 0, 20_000)) : wordsIn(parseJson(answer.body))

/** The failure that an answer means on every platform (rate, credentials, plan, outage, proxy); null: the adapter judges. */
export function commonFailure(platform: Platform, answer: PlatformAnswer, now: Date): DestinationFailure | null {
  const { status, headers } = answer
  const words = wordsOfAnswer(answer)
  if (status === 429) {
    const retryAt = retryAtOf(headers['retry-after'], now)
    return platformFailure(platform, { trouble: 'rate', what: 'takes no more calls for now', words, retryAt })
  }
  // An HTML page never comes from the platform's API, so it says nothing about the credentials.
  if (
    status >= 500 ||
    status === 408 ||
    status === 423 ||
    status < 200 ||
    (status >= 300 && status < 400) ||
    isPage(answer)
  ) {
    const retryAt = retryAtOf(headers['retry-after'], now)
    return platformFailure(platform, {
      trouble: 'unavailable',
      what: `is out of order (HTTP ${status})`,
      words,
      retryAt,
    })
  }
  if (status === 401)
    return platformFailure(platform, { trouble: 'auth_revoked', what: 'refuses the credentials', words })
  if (status === 402) return platformFailure(platform, { trouble: 'plan', what: 'wants another plan for this', words })
  return null
}

/** A request to a platform that speaks JSON. */
export type JsonRequest = {
  readonly method: PlatformRequest['method']
  /** Below the base address, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Instead of `json`, for token requests. */
  readonly form?: Readonly<Record<string, string>>
  readonly isRead?: boolean
}

/** An answer; `json` is undefined for an empty body. */
export type JsonAnswer = {
  readonly status: number
  readonly headers: PlatformAnswer['headers']
  readonly json: unknown
}

/**
 * Makes one JSON exchange; throws common failures after `judge`, returns other answers (2xx, most 4xx). An unreadable success may
 * have taken effect: `answer_lost`, unless it was a read.
 */
export async function askJson(
  { call, baseUrl, now }: AdapterParts,
  platform: Platform,
  {
    judge = () => null,
    ...asked
  }: JsonRequest & { readonly judge?: (answer: PlatformAnswer, json: unknown) => DestinationFailure | null },
): Promise<JsonAnswer> {
  const { json: sent, form } = asked
  const content =
    form !== undefined
      ? { type: 'application/x-www-form-urlencoded', body: new URLSearchParams({ ...form }).toString() }
      : sent === undefined
        ? null
        : { type: 'application/json', body: JSON.stringify(sent) }
  const request: PlatformRequest = {
    method: asked.method,
    url: `${baseUrl}${asked.path}`,
    headers: {
      accept: 'application/json',
      ...(content ? { 'content-type': content.type } : {}),
      ...asked.headers,
    },
    ...(content ? { body: content.body } : {}),
    ...(asked.isRead === undefined ? {} : { isRead: asked.isRead }),
  }
  const answer = await call(request)
  const json = answer.body.length === 0 ? undefined : parseJson(answer.body)
  const failure = judge(answer, json) ?? commonFailure(platform, answer, now)
  if (failure) throw failure
  if (answer.status < 300 && json === undefined && answer.body.length > 0)
    throw platformFailure(platform, {
      trouble: isRead(request) ? 'unavailable' : 'answer_lost',
      what: 'answered with something that cannot be read',
    })
  return { status: answer.status, headers: answer.headers, json }
}

/** Runs a check; a missing scope becomes its result, with the platform's words as a finding. */
export async function checkBy(
  whose: Pick<Check, 'account' | 'scopes'>,
  ask: () => Promise<Partial<Pick<Check, 'account' | 'findings'>>>,
): Promise<Check> {
  try {
    return { ...whose, missing: [], findings: [], ...(await ask()) }
  } catch (error) {
    if (!(error instanceof DestinationFailure) || error.trouble !== 'scope_missing') throw error
    return { account: whose.account, scopes: [], missing: error.missing, findings: [error.message] }
  }
}

/** The failure that stops further calls because a person in the delivery may no longer be sent; null if all may. */
export async function stopOf({ beforeRecord }: AdapterParts): Promise<DestinationFailure | null> {
  try {
    await beforeRecord?.()
    return null
  } catch (error) {
    if (error instanceof DestinationFailure) return error
    throw error
  }
}

/** What a failed call means for a record; `isOpen`: it was being sent when the answer was lost. Others are retried. */
export function outcomeOf(id: string, { trouble, message, retryAt }: DestinationFailure, isOpen = true): RecordOutcome {
  if (trouble === 'answer_lost')
    return isOpen
      ? { id, state: 'unknown', message }
      : { id, state: 'later', trouble: 'unavailable', at: null, message }
  if (trouble === 'request_refused') return { id, state: 'refused', code: trouble, message, field: null }
  return { id, state: 'later', trouble, at: retryAt, message }
}
