import { EgressFailure, type Egress } from '../../platform/egress/types.ts'
import { parseJson, readRetryAfter, userAgent } from '../calls.ts'
import { readVendorMessage, wordsIn, wordsOfPage } from '../vendor-message.ts'
import {
  DestinationFailure,
  isRead,
  type AdapterParts,
  type Check,
  type DestinationTrouble,
  type FailureDetails,
  type PlatformAnswer,
  type PlatformCall,
  type PlatformRequest,
  type RecordOutcome,
} from './port.ts'

const timeoutMs = 30_000
/** An answer to a batch of 100 records has some hundred kilobytes. */
const maxAnswerBytes = 8 * 1024 * 1024
/** The longest wait a platform may ask for; its clock may be wrong. */
const longestWaitMs = 2 * 86_400_000

/** Makes the calls of adapters over an egress. */
export function platformCall(egress: Egress): PlatformCall {
  return async (request) => {
    const { method, url, body } = request
    const headers = { ...request.headers, 'user-agent': userAgent }
    try {
      return await egress.request({ method, url, headers, body, timeoutMs, maxBytes: maxAnswerBytes })
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
  trouble: DestinationTrouble,
  what: string,
  { words, ...more }: FailureDetails & { readonly words?: unknown } = {},
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
  const retryAt = retryAtOf(headers['retry-after'], now)
  if (status === 429) return platformFailure(platform, 'rate', 'takes no more calls for now', { words, retryAt })
  const isAnswer = status >= 200 && status < 500 && (status < 300 || status >= 400) && status !== 408 && status !== 423
  // An HTML page never comes from the platform's API, so it says nothing about the credentials.
  if (!isAnswer || isPage(answer))
    return platformFailure(platform, 'unavailable', `is out of order (HTTP ${status})`, { words, retryAt })
  if (status === 401) return platformFailure(platform, 'auth_revoked', 'refuses the credentials', { words })
  if (status === 402) return platformFailure(platform, 'plan', 'wants another plan for this', { words })
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
export type JsonAnswer = Pick<PlatformAnswer, 'status' | 'headers'> & { readonly json: unknown }

/** Makes one JSON exchange; throws what `judge` says or common failures; an unreadable success that may count: `answer_lost`. */
export async function askJson(
  { call, baseUrl, now }: AdapterParts,
  platform: Platform,
  asked: JsonRequest & { readonly judge?: (answer: PlatformAnswer, json: unknown) => DestinationFailure | null },
): Promise<JsonAnswer> {
  const { method, path, json: sent, form, isRead: said } = asked
  const body = form === undefined ? JSON.stringify(sent) : new URLSearchParams({ ...form }).toString()
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const content = body === undefined ? {} : { 'content-type': type }
  const headers = { accept: 'application/json', ...content, ...asked.headers }
  const request: PlatformRequest = { method, url: `${baseUrl}${path}`, headers, body, isRead: said }
  const answer = await call(request)
  const json = answer.body.length === 0 ? undefined : parseJson(answer.body)
  const failure = asked.judge?.(answer, json) ?? commonFailure(platform, answer, now)
  if (failure) throw failure
  if (answer.status < 300 && json === undefined && answer.body.length > 0) {
    const trouble = isRead(request) ? 'unavailable' : 'answer_lost'
    throw platformFailure(platform, trouble, 'answered with something that cannot be read')
  }
  return { status: answer.status, headers: answer.headers, json }
}

/** What calls to one account need: they carry its token. */
export type PlatformAccount = { readonly parts: AdapterParts; readonly platform: Platform; readonly token: string }

/** The account of a token at the platform of that name. */
export const accountOf = (name: string, parts: AdapterParts, token: string): PlatformAccount => ({
  parts,
  token,
  platform: { name, secrets: [token] },
})

/** The failure of a call; rethrows what is none. */
export function failureIn(error: unknown): DestinationFailure {
  if (error instanceof DestinationFailure) return error
  throw error
}

/** Runs a check; a missing scope becomes its result, with the platform's words as a finding. */
export async function checkBy(
  whose: Pick<Check, 'account' | 'scopes'>,
  ask: () => Promise<Partial<Pick<Check, 'account' | 'findings'>>>,
): Promise<Check> {
  try {
    return { ...whose, missing: [], findings: [], ...(await ask()) }
  } catch (error) {
    const { trouble, missing, message } = failureIn(error)
    if (trouble !== 'scope_missing') throw error
    return { account: whose.account, scopes: [], missing, findings: [message] }
  }
}

/** The failure that stops further calls because a person in the delivery may no longer be sent; null if all may. */
export async function stopOf({ beforeRecord }: AdapterParts): Promise<DestinationFailure | null> {
  try {
    await beforeRecord?.()
    return null
  } catch (error) {
    return failureIn(error)
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
