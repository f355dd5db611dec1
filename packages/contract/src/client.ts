/** The typed client: one method per operation, named by its id. */
import type { z } from 'zod'
import { takesIdempotencyKey, type Operation, type Result } from './operation.ts'
import { basePath, registry, type OperationId, type OperationOf } from './registry.ts'
import { isPassing, retryPolicy, twinWait, waitBefore, type RetrySettings } from './retry.ts'

export type ClientOptions = {
  /** Origin of the service, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Makes the calls, the global fetch by default. */
  readonly fetch?: typeof fetch
  readonly userAgent?: string
  /**
   * Calls that are safe to repeat are tried again after 429, 5xx and broken connections; `false`: never. Safe are free reads, and
   * whatever carries an `Idempotency-Key`: a call that can charge always does, with a key of its own unless it is given one.
   */
  readonly retry?: RetrySettings | false
  /** Makes the keys of calls that can charge; nobody may be able to guess them. */
  readonly newKey?: () => string
  /** Milliseconds one try may take, 60 s by default. */
  readonly timeoutMs?: number
}

/** Settings of one call; the same `idempotencyKey` on a later call gets the answer of the first, charged once. */
export type CallSettings = { readonly idempotencyKey?: string; readonly signal?: AbortSignal }

/** The service refused or failed; `body` is its whole answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  /** Seconds the service asked to wait. */
  readonly retryAfterSeconds: number | undefined
  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfterSeconds?: number) {
    super(typeof body.error === 'string' ? body.error : `HTTP ${status}`)
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : undefined
    this.body = body
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** zod types an object without fields as one whose every field is `never`: in an intersection it would forbid the others' fields. */
type Fields<T> = string extends keyof T ? ([T[keyof T]] extends [never] ? unknown : T) : T

/** Query fields as text or as what the text stands for: `limit: 50` or `limit: '50'`. */
type QueryInput<Q extends z.ZodType> = {
  [K in keyof z.input<Q>]: z.input<Q>[K] | (K extends keyof z.output<Q> ? z.output<Q>[K] : never)
}

/** What one call takes: path, query and body fields in one object. */
export type CallInput<O extends Operation> = Fields<z.input<O['params']>> &
  Fields<QueryInput<O['query']>> &
  (O['body'] extends z.ZodType ? Fields<z.input<O['body']>> : unknown)

export type Client = {
  readonly [Id in OperationId]: (
    input: CallInput<OperationOf<Id>>,
    settings?: CallSettings,
  ) => Promise<Result<OperationOf<Id>>>
}

/** A request as it goes over the wire. */
type WireRequest = { readonly method: string; readonly path: string; readonly body: string | undefined }

/** An operation's fields, each where it belongs; `missing` names path parameters that were not given. */
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

/** Sorts an operation's fields into path, query and body; fields it does not name go into the body, or into the query where it has none. */
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

/** The path of an operation with its parameters filled in, below `/api/v1`. */
export function pathWith(operation: Operation, params: Readonly<Record<string, string>>): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** Lays an operation's fields out over path, query and body; throws a `TypeError` for a path parameter that is missing. */
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

/** Reads an answer; one that is not a JSON object, such as the page of a proxy, gives a body that says so. */
function parseAnswer(
  status: number,
  text: string,
): { readonly isJson: boolean; readonly body: Record<string, unknown> } {
  try {
    const parsed: unknown = JSON.parse(text)
    // A list is the answer of one operation alone; a refusal never is one.
    if (typeof parsed === 'object' && parsed !== null && (status < 300 || !Array.isArray(parsed)))
      return { isJson: true, body: parsed as Record<string, unknown> }
  } catch {
    // Said below.
  }
  return { isJson: false, body: { error: `The service answered ${status} with something that is not a JSON object` } }
}

/** A redirect, which is not followed: it would carry the key to wherever it points, and of most changes it makes a GET. */
const redirected = {
  isJson: false,
  body: { error: 'The address answers with a redirect, which is not followed: give the final address as baseUrl' },
}

/** True for one; a browser shows of it only that it was one. */
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

/** A connection that broke or took too long; what the caller's own `fetch` throws for reasons of its own is not. */
const isBroken = (error: unknown) =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError')

/** True of a table, asked for by `format: 'csv'`: the call gives `{ csv }`. */
const isCsv = (response: Response): boolean =>
  response.ok && (response.headers.get('content-type') ?? '').startsWith('text/csv')

/** Not `randomUUID`: browsers have that on secure origins alone. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Makes a client. Calls reject with `ApiError` for every answer that is not a success. */
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
      // What can charge is never repeated without a key (G143), so it goes out with one from the first try on.
      const settings =
        operation.charges && given.idempotencyKey === undefined ? { ...given, idempotencyKey: newKey() } : given
      const repeatable = settings.idempotencyKey !== undefined || !takesIdempotencyKey(operation)
      let waitedForTwinMs = 0
      for (let attempt = 1; ; ) {
        const received = await once(wire, settings).catch((error: unknown) => {
          if (!repeatable || settings.signal?.aborted || !isBroken(error) || attempt > policy.attempts) throw error
          return null
        })
        if (received?.response.ok && received.answer.isJson) return received.answer.body
        // The try before is still being worked on, for as long as a try may take: giving up now would throw away what it may charge for.
        if (
          received?.response.status === 409 &&
          received.answer.body.code === 'idempotency_in_flight' &&
          policy.attempts > 0 &&
          waitedForTwinMs < timeoutMs
        ) {
          const pause = twinWait(waitedForTwinMs)
          waitedForTwinMs += pause
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
