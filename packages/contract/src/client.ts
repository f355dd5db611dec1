import type { z } from 'zod'
import { takesIdempotencyKey, type Operation, type Result } from './operation.ts'
import { basePath, registry, type OperationId, type OperationOf } from './registry.ts'
import { isPassing, retryPolicy, inFlightWait, waitBefore, type RetrySettings } from './retry.ts'

export type ClientOptions = {
  /** Origin of the service, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch?: typeof fetch
  readonly userAgent?: string
  /**
   * Retries after 429, 5xx and broken connections, only for calls that are safe to repeat: free reads, and calls with an
   * `Idempotency-Key`. A call that can charge always carries one (generated unless given). `false` turns retries off.
   */
  readonly retry?: RetrySettings | false
  /** Makes the `Idempotency-Key` of calls that can charge; keys must not be guessable. */
  readonly newKey?: () => string
  /** Time limit of one try, 60 s by default. */
  readonly timeoutMs?: number
}

/** Settings of one call; a repeated call with the same `idempotencyKey` gets the first call's answer and is charged once. */
export type CallSettings = { readonly idempotencyKey?: string; readonly signal?: AbortSignal }

/** Thrown for every answer that is not a success; `body` is the whole answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined
  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfterSeconds?: number) {
    super(typeof body.error === 'string' ? body.error : `HTTP ${status}`)
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : undefined
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Drops an empty object schema: zod types its every field as `never`, which would forbid the other fields of an intersection. */
type Fields<T> = string extends keyof T ? ([T[keyof T]] extends [never] ? unknown : T) : T

type QueryInput<Q extends z.ZodType> = {
  [K in keyof z.input<Q>]: z.input<Q>[K] | (K extends keyof z.output<Q> ? z.output<Q>[K] : never)
}

/** Input of one call: path, query and body fields in one object. */
export type CallInput<O extends Operation> = Fields<z.input<O['params']>> &
  Fields<QueryInput<O['query']>> &
  (O['body'] extends z.ZodType ? Fields<z.input<O['body']>> : unknown)

export type Client = {
  readonly [Id in OperationId]: (
    input: CallInput<OperationOf<Id>>,
    settings?: CallSettings,
  ) => Promise<Result<OperationOf<Id>>>
}

type WireRequest = { readonly method: string; readonly path: string; readonly body: string | undefined }

type LaidOut = {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [string, string])[]
  readonly body: Readonly<Record<string, unknown>>
  readonly missing: readonly string[]
}

const asText = (value: unknown): string =>
  value instanceof Date
    ? value.toISOString()
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value)

/** Sorts input fields into path, query and body. Unknown fields go into the body, or into the query when there is no body. */
export function layOut(operation: Operation, input: Readonly<Record<string, unknown>>): LaidOut {
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const params: Record<string, string> = {}
  const missing: string[] = []
  for (const [, name] of operation.path.matchAll(/\{(\w+)\}/g)) {
    const value = left.get(name!)
    if (value === undefined || value === null || value === '') missing.push(name!)
    else params[name!] = asText(value)
    left.delete(name!)
  }
  const queryNames = new Set(Object.keys((operation.query as z.ZodObject).shape ?? {}))
  const inQuery = (name: string) => queryNames.has(name) || operation.body === null
  return {
    params,
    query: [...left].filter(([name]) => inQuery(name)).map(([name, value]) => [name, asText(value)] as const),
    body: Object.fromEntries([...left].filter(([name]) => !inQuery(name))),
    missing,
  }
}

/** The operation's path below `/api/v1` with its parameters filled in. */
export function pathWith(operation: Operation, params: Readonly<Record<string, string>>): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** Builds the HTTP request of a call; throws a `TypeError` when a path parameter is missing. */
export function toWire(operation: Operation, input: Readonly<Record<string, unknown>>): WireRequest {
  const { params, query, body, missing } = layOut(operation, input)
  if (missing.length > 0) throw new TypeError(`${operation.id} needs ${missing[0]}`)
  const search = query.length > 0 ? `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}` : ''
  return {
    method: operation.method,
    path: `${basePath}${pathWith(operation, params)}${search}`,
    body: operation.body === null ? undefined : JSON.stringify(body),
  }
}

function parseAnswer(
  status: number,
  text: string,
): { readonly isJson: boolean; readonly body: Record<string, unknown> } {
  try {
    const parsed: unknown = JSON.parse(text)
    // Only a success can be a list; a refusal is always an object.
    if (typeof parsed === 'object' && parsed !== null && (status < 300 || !Array.isArray(parsed)))
      return { isJson: true, body: parsed as Record<string, unknown> }
  } catch {
    // Falls through.
  }
  return { isJson: false, body: { error: `The service answered ${status} with something that is not a JSON object` } }
}

/** Redirects are not followed: that would send the key elsewhere, and most turn a write into a GET. */
const redirected = {
  isJson: false,
  body: { error: 'The address answers with a redirect, which is not followed: give the final address as baseUrl' },
}

/** Browsers hide the status of a manual redirect and show only `opaqueredirect`. */
const isRedirect = ({ status, type }: Response) => (status >= 300 && status < 400) || type === 'opaqueredirect'

type Received = {
  readonly response: Response
  readonly answer: ReturnType<typeof parseAnswer>
  readonly retryAfterSeconds: number | undefined
}

function secondsOf(header: string | null): number | undefined {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** The connection broke or timed out; any other error of the caller's own `fetch` is not retried. */
const isBroken = (error: unknown) =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')

/** Answer of `format: 'csv'`; the call returns `{ csv }`. */
const isCsv = (response: Response): boolean =>
  response.ok && (response.headers.get('content-type') ?? '').startsWith('text/csv')

/** Not `crypto.randomUUID`: browsers offer it only on secure origins. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Makes a typed client with one method per operation, named by its id. Calls reject with `ApiError` unless they succeed. */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch
  const policy = retryPolicy(options.retry)
  const newKey = options.newKey ?? randomKey
  const timeoutMs = options.timeoutMs ?? 60_000
  const once = async (wire: WireRequest, settings: CallSettings): Promise<Received> => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const response = await send(new URL(wire.path, options.baseUrl), {
      method: wire.method,
      headers: {
        'x-api-key': options.apiKey,
        accept: 'application/json',
        ...(wire.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(settings.idempotencyKey === undefined ? {} : { 'idempotency-key': settings.idempotencyKey }),
        ...(options.userAgent === undefined ? {} : { 'user-agent': options.userAgent }),
      },
      ...(wire.body === undefined ? {} : { body: wire.body }),
      redirect: 'manual',
      signal: settings.signal === undefined ? timeout : AbortSignal.any([settings.signal, timeout]),
    })
    const text = await response.text()
    return {
      response,
      answer: isRedirect(response)
        ? redirected
        : isCsv(response)
          ? { isJson: true, body: { csv: text } }
          : parseAnswer(response.status, text),
      retryAfterSeconds: secondsOf(response.headers.get('retry-after')),
    }
  }
  const call =
    (operation: Operation) =>
    async (input: Readonly<Record<string, unknown>> = {}, given: CallSettings = {}) => {
      const wire = toWire(operation, input)
      // A call that can charge is never repeated without a key (G143), so the first try already carries one.
      const settings =
        operation.charges && given.idempotencyKey === undefined ? { ...given, idempotencyKey: newKey() } : given
      const repeatable = settings.idempotencyKey !== undefined || !takesIdempotencyKey(operation)
      let waitedForInFlightMs = 0
      for (let attempt = 1; ; ) {
        const received = await once(wire, settings).catch((error: unknown) => {
          if (!repeatable || settings.signal?.aborted || !isBroken(error) || attempt > policy.attempts) throw error
          return null
        })
        if (received?.response.ok && received.answer.isJson) return received.answer.body
        // The previous try is still running and may charge: wait for its answer, at most as long as a try may take.
        if (
          received?.response.status === 409 &&
          received.answer.body.code === 'idempotency_in_flight' &&
          policy.attempts > 0 &&
          waitedForInFlightMs < timeoutMs
        ) {
          const pause = inFlightWait(waitedForInFlightMs)
          waitedForInFlightMs += pause
          await policy.sleep(pause, settings.signal)
          continue
        }
        const passing = received === null || isPassing(received.response.status)
        const pause = repeatable && passing ? waitBefore(attempt, received?.retryAfterSeconds, policy) : null
        if (pause === null)
          throw new ApiError(received!.response.status, received!.answer.body, received!.retryAfterSeconds)
        await policy.sleep(pause, settings.signal)
        attempt += 1
      }
    }
  return Object.fromEntries(registry.map((operation) => [operation.id, call(operation)])) as unknown as Client
}
