/** The typed client: one method per operation, named by its id. */
import type { z } from 'zod'
import type { Operation, Result } from './operation.ts'
import { basePath, registry, type OperationId, type OperationOf } from './registry.ts'

/** How to reach the service. */
export type ClientOptions = {
  /** Origin of the service, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Makes the calls; the global fetch unless told otherwise. */
  readonly fetch?: typeof fetch
  /** Names the caller to the service. */
  readonly userAgent?: string
}

/** What one call may carry besides its fields. */
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
type Fields<T> = string extends keyof T ? unknown : T

/** What one call takes: path, query and body fields in one object. */
export type CallInput<O extends Operation> = Fields<z.input<O['params']>> & Fields<z.input<O['query']>> & (O['body'] extends z.ZodType ? Fields<z.input<O['body']>> : unknown)

/** One method per operation. */
export type Client = { readonly [Id in OperationId]: (input: CallInput<OperationOf<Id>>, settings?: CallSettings) => Promise<Result<OperationOf<Id>>> }

/** A request as it goes over the wire. */
export type WireRequest = { readonly method: string; readonly path: string; readonly body: string | undefined }

/** Lays an operation's fields out over path, query and body. */
export function toWire(operation: Operation, input: Readonly<Record<string, unknown>>): WireRequest {
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name)
    if (value === undefined) throw new TypeError(`${operation.id} needs ${name}`)
    left.delete(name)
    return encodeURIComponent(String(value))
  })
  const queryNames = new Set(Object.keys((operation.query as z.ZodObject).shape ?? {}))
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of left) {
    if (queryNames.has(name)) query.set(name, value instanceof Date ? value.toISOString() : String(value))
    else body[name] = value
  }
  const search = query.size > 0 ? `?${query}` : ''
  return { method: operation.method, path: `${basePath}${path}${search}`, body: operation.body === null ? undefined : JSON.stringify(body) }
}

/** Reads an answer; one that is not a JSON object, such as the page of a proxy, gives a body that says so. */
function parseAnswer(status: number, text: string): { readonly isJson: boolean; readonly body: Record<string, unknown> } {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { isJson: true, body: parsed as Record<string, unknown> }
  } catch {
    // Said below.
  }
  return { isJson: false, body: { error: `The service answered ${status} with something that is not a JSON object` } }
}

/** Makes a client. Calls reject with `ApiError` for every answer that is not a success. */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch
  const call = (operation: Operation) => async (input: Readonly<Record<string, unknown>> = {}, settings: CallSettings = {}) => {
    const wire = toWire(operation, input)
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
      ...(settings.signal === undefined ? {} : { signal: settings.signal }),
    })
    const answer = parseAnswer(response.status, await response.text())
    if (response.ok && answer.isJson) return answer.body
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
    throw new ApiError(response.status, answer.body, Number.isFinite(retryAfter) ? retryAfter : undefined)
  }
  return Object.fromEntries(registry.map((operation) => [operation.id, call(operation)])) as unknown as Client
}
