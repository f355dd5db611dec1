/** Generates the client package's types from the OpenAPI description, without dependencies. */
import { basePath, openApi, registry, type Operation } from '../../packages/contract/src/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: a description is JSON of many shapes, read by name.
type Json = { readonly [key: string]: any }

const named = (ref: string): string => ref.split('/').at(-1)!
const upper = (id: string): string => id[0]!.toUpperCase() + id.slice(1)
const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text)
const key = (text: string): string => (isName(text) ? text : JSON.stringify(text))
const joined = (parts: readonly string[], by: string): string => {
  const unique = [...new Set(parts)]
  return unique.length === 1 ? unique[0]! : `(${unique.join(by)})`
}

function comment(text: unknown, indent: string): string {
  if (typeof text !== 'string' || text === '') return ''
  return `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`
}

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

/** The TypeScript type of a JSON Schema. */
export function typeOf(schema: Json, indent = ''): string {
  if (schema.$ref !== undefined) return named(schema.$ref as string)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined)
    return joined(
      (schema.enum as unknown[]).map((value) => JSON.stringify(value)),
      ' | ',
    )
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices)
    return joined(
      choices.map((choice) => typeOf(choice, indent)),
      ' | ',
    )
  if (schema.allOf)
    return joined(
      [
        ...(schema.allOf as Json[]).map((part) => typeOf(part, indent)),
        // Its own fields, in addition to `allOf`.
        ...(schema.properties ? [objectOf(schema, indent)] : []),
      ],
      ' & ',
    )
  if (Array.isArray(schema.type))
    return joined(
      (schema.type as string[]).map((type) => typeOf({ ...schema, type }, indent)),
      ' | ',
    )
  if (schema.type === 'array') return `readonly ${joined([typeOf((schema.items ?? {}) as Json, indent)], '')}[]`
  if (schema.type === 'object' || schema.properties !== undefined) return objectOf(schema, indent)
  return primitives[schema.type as string] ?? 'unknown'
}

function objectOf(schema: Json, indent: string): string {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const required = (schema.required ?? []) as string[]
  const others =
    typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties as Json).length > 0
      ? typeOf(schema.additionalProperties as Json, indent)
      : undefined
  if (fields.length === 0) return `{ readonly [name: string]: ${others ?? 'unknown'} }`
  const deeper = `${indent}  `
  const lines = fields.map(
    ([name, field]) =>
      `${comment(field.description, deeper)}${deeper}readonly ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field, deeper)}`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}

const content = (body: Json): Json => body.content['application/json'].schema as Json

const resolved = (part: Json, components: Json): Json =>
  typeof part.$ref === 'string' ? (components[part.$ref.split('/').at(-2)!][named(part.$ref)] as Json) : part

const bodyType = (schema: Json): string => {
  const choices = ((schema.anyOf ?? schema.oneOf) as Json[] | undefined) ?? [schema]
  const objects = choices.filter((choice) => choice.type !== 'null')
  return joined(
    objects.map((choice) => typeOf(choice)),
    ' | ',
  )
}

function inputType(description: Json, components: Json): { readonly text: string; readonly optional: boolean } {
  const parameters = ((description.parameters ?? []) as Json[])
    .map((parameter) => resolved(parameter, components))
    .filter((parameter) => parameter.in !== 'header')
  const parts: string[] = []
  if (parameters.length > 0)
    parts.push(
      typeOf({
        type: 'object',
        required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name as string),
        properties: Object.fromEntries(
          parameters.map((parameter) => [
            parameter.name,
            { ...(parameter.schema as Json), description: parameter.description },
          ]),
        ),
      }),
    )
  const body = description.requestBody && resolved(description.requestBody as Json, components)
  if (body) parts.push(bodyType(content(body)))
  const optional =
    !parameters.some((parameter) => parameter.required) &&
    (body === undefined || ((content(body).required ?? []) as string[]).length === 0)
  return { text: parts.length === 0 ? 'Record<never, never>' : parts.join(' & '), optional }
}

const refusals = (description: Json, components: Json): string => {
  const told = Object.entries(description.responses as Record<string, Json>)
    .map(([status, answer]) => [status, resolved(answer, components)] as const)
    .filter(([status, answer]) => Number(status) >= 400 && answer.content !== undefined)
    .map(([status, answer]) => `{ readonly status: ${status}; readonly body: ${typeOf(content(answer), '  ')} }`)
  return told.length === 0 ? 'never' : told.join('\n    | ')
}

const fixed = `
/** How calls are retried. */
export interface RetrySettings {
  /** Maximum number of retries. Default: 2. */
  readonly attempts?: number
  /** Maximum wait in milliseconds. If the service asks for a longer wait, the call is not retried. Default: 30 s. */
  readonly maxWaitMs?: number
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly random?: () => number
}

/** Settings of a client. */
export interface ClientOptions {
  /** Origin of the service, for example \`https://leads.example.com\`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch?: typeof fetch
  /** Identifies the caller to the service. */
  readonly userAgent?: string
  /** Retries safe calls after 429, 5xx and broken connections. \`false\`: never retry. */
  readonly retry?: RetrySettings | false
  /** Creates the Idempotency-Key of calls that can charge. The key must be impossible to guess. */
  readonly newKey?: () => string
  /** Timeout of one attempt in milliseconds. Default: 60 s. */
  readonly timeoutMs?: number
}

/** Optional settings of one call. */
export interface CallSettings {
  /** A later call with the same key returns the first response and is not charged again. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

/** An error response of the service; \`body\` is the whole response body. */
export declare class ApiError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  /** Seconds that the service asks you to wait. */
  readonly retryAfterSeconds: number | undefined
  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfterSeconds?: number)
}

/** Creates a client. A call rejects with \`ApiError\` for every response that is not a success. */
export declare function createClient(options: ClientOptions): Client

/** True if \`error\` is an error response with this status; its body then has the type that the operation declares. */
export declare function isRefusal<Id extends OperationId, Status extends Refusals[Id]['status']>(
  error: unknown,
  operation: Id,
  status: Status,
): error is Omit<ApiError, 'body' | 'status'> & Extract<Refusals[Id], { readonly status: Status }>

interface Page {
  readonly hasMore: boolean
  readonly limit: number
  readonly offset: number
}

/** Reads all pages of a list: \`pages(client.listLeads, { isIcp: true })\`. Default: 100 rows per page. */
export declare function pages<I extends object, P extends Page>(
  list: (input: I, settings?: CallSettings) => Promise<P>,
  input: I,
  settings?: CallSettings,
): AsyncGenerator<P, void, void>

/** Reads all rows of a list one by one; \`name\` is the field with the rows: \`rows(client.listLeads, 'leads', {})\`. */
export declare function rows<
  I extends object,
  K extends string,
  P extends Page & { readonly [Name in K]: readonly unknown[] },
>(
  list: (input: I, settings?: CallSettings) => Promise<P>,
  name: K,
  input: I,
  settings?: CallSettings,
): AsyncGenerator<P[K][number], void, void>

/** A webhook delivery as received. */
export interface ReceivedDelivery {
  /** The exact bytes of the body, before parsing. */
  readonly body: Uint8Array | string
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The team's signing secret, \`whsec_…\`. */
  readonly secret: string
  /** The receiver's clock. Default: now. */
  readonly now?: Date
}

/** The result of a check; \`reason\` explains a failure. */
export type WebhookVerdict =
  | { readonly ok: true; readonly deliveryId: string | null; readonly event: string | null }
  | { readonly ok: false; readonly reason: string }

/** Checks that a delivery is authentic, unchanged and recent. Never throws. */
export declare function verifyWebhook(delivery: ReceivedDelivery): Promise<WebhookVerdict>
`

/** The complete declaration file. */
export function clientTypes(): string {
  const description = openApi() as Json
  const schemas = Object.entries(description.components.schemas as Record<string, Json>)
  const taken = new Set(schemas.map(([name]) => name))
  const parts = schemas.map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema)}\n`,
  )
  const methods: string[] = []
  const refused: string[] = []
  for (const { id, method, path, summary } of registry as readonly Operation[]) {
    const told = description.paths[`${basePath}${path}`][method.toLowerCase()] as Json
    const [input, answer] = [`${upper(id)}Input`, `${upper(id)}Answer`]
    const { text, optional } = inputType(told, description.components as Json)
    const success = Object.entries(told.responses as Record<string, Json>).find(([status]) => /^2/.test(status))![1]
    // The description may already use these names.
    for (const [name, type, what] of [
      [input, text, 'Input'],
      [answer, typeOf(content(resolved(success, description.components as Json))), 'Response'],
    ] as const) {
      if (type === name) continue
      if (taken.has(name)) throw new Error(`${id}: another schema has the name ${name}`)
      parts.push(`${comment(`${what} of \`${id}\`.`, '')}export type ${name} = ${type}\n`)
    }
    methods.push(
      `${comment(`${summary}: ${method} ${basePath}${path}`, '  ')}  readonly ${id}: ` +
        `(input${optional ? '?' : ''}: ${input}, settings?: CallSettings) => Promise<${answer}>`,
    )
    refused.push(`  readonly ${id}:\n    | ${refusals(told, description.components as Json)}`)
  }
  return [
    '// Generated from the OpenAPI description; do not edit.',
    ...parts,
    `/** One method per operation. */\nexport interface Client {\n${methods.join('\n')}\n}\n`,
    '/** The id of an operation. */\nexport type OperationId = keyof Client\n',
    '/** The errors of each operation: status and response body. */\n' +
      `export interface Refusals {\n${refused.join('\n')}\n}\n`,
    fixed,
  ].join('\n')
}
