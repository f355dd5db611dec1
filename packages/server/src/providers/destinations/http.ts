/** What all adapters of destinations have in common: one exchange over the guarded egress, its JSON, and what any platform's refusal means. */
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
/** A platform answers a batch of a hundred records with some hundred kilobytes. */
const maxAnswerBytes = 8 * 1024 * 1024
/** Nobody is left alone for longer, whatever a platform says: its clock may be wrong. */
const longestWaitMs = 2 * 86_400_000

/** The calls of adapters, made through a way out of the service. */
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

/** When a platform wants to be called again (`Retry-After` in seconds, or as a date compared with service time); null: it does not say. */
export function retryAtOf(header: string | undefined, now: Date): Date | null {
  const waitMs = readRetryAfter(header, now.getTime())
  return waitMs === undefined ? null : new Date(now.getTime() + Math.min(waitMs, longestWaitMs))
}

/** A platform as its failures name it, and what its words must never repeat. */
export type Platform = { readonly name: string; readonly secrets: readonly string[] }

/** The words of a platform, fit for a customer: on one line, at most 200 characters, no markup, none of the secrets; null for none. */
export function platformWords(words: unknown, { secrets }: Pick<Platform, 'secrets'>): string | null {
  if (typeof words !== 'string') return null
  const bounded = words.slice(0, 20_000)
  const [first = '', ...others] = secrets.filter((secret) => secret !== '')
  return readVendorMessage(
    others.reduce((text, secret) => text.replaceAll(secret, '[key]'), bounded),
    first,
  )
}

/** A failure in our words, with the platform's behind them. */
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

/** The words of an answer that is no success. */
const wordsOfAnswer = (answer: PlatformAnswer): string | null =>
  isPage(answer) ? wordsOfPage(answer.body.toString('utf8', 0, 20_000)) : wordsIn(parseJson(answer.body))

/**
 * What an answer means that means the same on every platform: too many calls, refused credentials, no plan, out of order, or a page of
 * somebody in between. Null for every other answer, which its adapter judges.
 */
export function commonFailure(platform: Platform, answer: PlatformAnswer, now: Date): DestinationFailure | null {
  const { status, headers } = answer
  const words = wordsOfAnswer(answer)
  if (status === 429) {
    const retryAt = retryAtOf(headers['retry-after'], now)
    return platformFailure(platform, { trouble: 'rate', what: 'takes no more calls for now', words, retryAt })
  }
  // A page never comes from the platform's API: it says nothing about the credentials.
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

/** What is asked of a platform that speaks JSON. */
export type Asked = {
  readonly method: PlatformRequest['method']
  /** Below the base address, with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** In place of `json`, for tokens. */
  readonly form?: Readonly<Record<string, string>>
  readonly isRead?: boolean
}

/** What it answered: its JSON, undefined for an empty body. */
export type Told = { readonly status: number; readonly headers: PlatformAnswer['headers']; readonly json: unknown }

/**
 * One exchange in JSON. Resolves with every answer that its adapter has to judge (2xx, most of 4xx), and throws what means the same
 * everywhere; `judge` is asked before. A success that cannot be read may have done something: `answer_lost`, unless it was a read.
 */
export async function askJson(
  { call, baseUrl, now }: AdapterParts,
  platform: Platform,
  {
    judge = () => null,
    ...asked
  }: Asked & { readonly judge?: (answer: PlatformAnswer, json: unknown) => DestinationFailure | null },
): Promise<Told> {
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

/** A check by calls that are refused where a scope is missing: then that is what the check says, with the platform's words as a finding. */
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

/** Why a further call is to write nobody: somebody of the delivery is not to go by now. Null where it may. */
export async function stopOf({ beforeRecord }: AdapterParts): Promise<DestinationFailure | null> {
  try {
    await beforeRecord?.()
    return null
  } catch (error) {
    if (error instanceof DestinationFailure) return error
    throw error
  }
}

/**
 * What a failure of the whole call means for one record. `isOpen`: this record was on its way when the answer was lost; one that was not
 * sent, or that is written and lacks only what can be added again, comes later.
 */
export function outcomeOf(id: string, { trouble, message, retryAt }: DestinationFailure, isOpen = true): RecordOutcome {
  if (trouble === 'answer_lost')
    return isOpen
      ? { id, state: 'unknown', message }
      : { id, state: 'later', trouble: 'unavailable', at: null, message }
  if (trouble === 'request_refused') return { id, state: 'refused', code: trouble, message, field: null }
  return { id, state: 'later', trouble, at: retryAt, message }
}
