/** The type of an operation; routes, OpenAPI, typed client, command line and agent tools are generated from a list of these. */
import { z } from 'zod'
import type { ErrorKey } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Tags of the interface, in the order a newcomer meets them. */
export const tagDescriptions = {
  account: 'Credits and API keys.',
  enrich: 'Tracking people and company pages, and enriching those already captured.',
  sources: 'Tracked sources: settings, syncs, webhooks, ICP criteria and pushes.',
  keywords: 'Recurring searches of posts.',
  posts: 'Tracking single posts, and reading posts and their engagement.',
  leads: 'Captured people.',
  exclusions: 'People, companies and other values whose leads are captured but not delivered.',
  discover: 'One-off searches for people who post about a topic.',
  agent: 'The Engagement Agent of a website.',
  outreach: 'Sending leads to campaigns of the outreach platform.',
  destinations: 'CRMs, channels, sheets and buckets that receive leads automatically.',
  privacy: 'Find people, export the data held about them, and erase it.',
  results: 'Results of leads and their cost.',
  jobs: 'Background work that continues after the response.',
} as const

export type Tag = keyof typeof tagDescriptions

type NoFields = Record<never, never>

/** One operation of the interface, as data. */
export type Operation<
  Id extends string = string,
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType | null = z.ZodType | null,
  Success extends z.ZodType = z.ZodType,
  M extends Method = Method,
  Charges extends boolean = boolean,
> = {
  readonly id: Id
  readonly method: M
  /** Below `/api/v1`, with parameters in braces. */
  readonly path: string
  readonly tag: Tag
  readonly summary: string
  /** What a caller needs to know beyond the fields. */
  readonly description: string
  readonly params: Params
  readonly query: Query
  /** Null for GET and DELETE, whose bodies are ignored (G130). */
  readonly body: Body
  /** Refuses every unknown body property with `unknown_field`; otherwise only those that nearly match a known name (G156). */
  readonly strictBody: boolean
  /** Old to new name of body properties; an old name is refused with `renamed_field` before other checks of the body. */
  readonly renamed: Readonly<Record<string, string>>
  /** Body properties that other operations take and this one never does, each with its message (the name is put before it). */
  readonly refusedFields: Readonly<Record<string, string>>
  /** Raises the body limit from 256 KB to 1 MB. */
  readonly largeBody: boolean
  /** What a `null` body is read as; undefined: `null` is refused as `invalid_json` (CON-12). */
  readonly nullBody: Readonly<Record<string, unknown>> | undefined
  /**
   * True when a call can cost credits: at once, through work it starts, or through a recurring charge it creates, revives or
   * raises. Such a call takes an `Idempotency-Key` whatever its method, and clients never repeat it without one (G143).
   */
  readonly charges: Charges
  /** An additional, narrower rate window (RAT-06). */
  readonly rateBucket: 'untrackedPosts' | undefined
  readonly status: 200 | 201
  /** A second success status, answered when the property `when` of the answer is true. */
  readonly otherStatus: { readonly status: 200 | 201; readonly when: string } | undefined
  readonly success: Success
  /** Writes the answer as CSV for `format=csv`; only for operations that take `format`. */
  readonly csv: { write(answer: z.output<Success>): string } | undefined
  /** Its own refusals, beyond those that all operations share. */
  readonly errors: readonly ErrorKey[]
  readonly example: Readonly<Record<string, unknown>> | undefined
}

type Declared<
  Params extends z.ZodObject,
  Query extends z.ZodType,
  Body extends z.ZodType | null,
  Success extends z.ZodType,
  Charges extends boolean,
> = Pick<Operation, 'summary' | 'description'> &
  Partial<
    Omit<Operation, 'id' | 'method' | 'path' | 'tag' | 'params' | 'query' | 'body' | 'success' | 'charges' | 'csv'>
  > & {
    readonly params?: Params
    readonly query?: Query
    readonly body?: Body
    readonly success: Success
    readonly csv?: { write(answer: z.output<Success>): string }
    readonly charges?: Charges
  }

export const noFields = z.object({})

/** Declares operations of a tag: each by id and `METHOD /path`. Without `query` and `body` it takes none. */
export const operationsOf = (tag: Tag) =>
  function operation<
    const Id extends string,
    const M extends Method,
    Success extends z.ZodType,
    Params extends z.ZodObject = typeof noFields,
    Query extends z.ZodType = typeof noFields,
    Body extends z.ZodType | null = null,
    const Charges extends boolean = false,
  >(
    id: Id,
    route: `${M} ${string}`,
    declared: Declared<Params, Query, Body, Success, Charges>,
  ): Operation<Id, Params, Query, Body, Success, M, Charges> {
    const [method, path] = route.split(' ') as [M, string]
    return {
      id,
      method,
      path,
      tag,
      params: noFields as unknown as Params,
      query: noFields as unknown as Query,
      body: null as Body,
      charges: false as Charges,
      strictBody: false,
      renamed: {},
      refusedFields: {},
      largeBody: false,
      nullBody: undefined,
      rateBucket: undefined,
      status: 200,
      otherStatus: undefined,
      csv: undefined,
      errors: [],
      example: undefined,
      ...declared,
    }
  }

/** True when a call may carry an `Idempotency-Key`: every write, and a read that charges (G109, G143). */
export const takesIdempotencyKey = (operation: Pick<Operation, 'method' | 'charges'>): boolean =>
  operation.method !== 'GET' || operation.charges

const ofAll = [
  'invalid_request',
  'missing_key',
  'invalid_key_header',
  'team_inactive',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorKey[]
const ofWrites = ['invalid_json', 'body_too_large'] as const satisfies readonly ErrorKey[]
const ofRetries = [
  'idempotency_key_invalid',
  'idempotency_in_flight',
  'idempotency_key_reused',
] as const satisfies readonly ErrorKey[]

/** Every refusal an operation can answer, its own and the pipeline's; a test checks every answer against this list. */
export function declaredErrors(operation: Operation): readonly ErrorKey[] {
  const ofBody: readonly ErrorKey[] = [
    ...(operation.body === null ? [] : (['unknown_field'] as const)),
    ...(Object.keys(operation.renamed).length > 0 ? (['renamed_field'] as const) : []),
  ]
  return [
    ...new Set<ErrorKey>([
      ...ofAll,
      ...(operation.method === 'GET' ? [] : ofWrites),
      ...(takesIdempotencyKey(operation) ? ofRetries : []),
      ...ofBody,
      ...operation.errors,
    ]),
  ]
}

/** Adds the refusals of tools: the signed-in person's role is too low, or the operation is not for apps. */
export const declaredForTools = (operation: Operation): readonly ErrorKey[] => [
  ...declaredErrors(operation),
  'role_required',
  'not_for_apps',
]

export function statusOf(operation: Operation, answer: unknown): 200 | 201 {
  const { status, otherStatus } = operation
  return otherStatus !== undefined && (answer as Readonly<Record<string, unknown>>)[otherStatus.when] === true
    ? otherStatus.status
    : status
}

/** Fields of a schema; an empty object schema is typed as forbidding every field, which would break the intersection. */
type Named<T> = string extends keyof T ? ([T[keyof T]] extends [never] ? NoFields : T) : T
type BodyOutput<B> = B extends z.ZodType ? Named<z.output<B>> : NoFields

/** What a handler receives: parsed path, query and body in one object. */
export type Input<O extends Operation> = Named<z.output<O['params']>> &
  Named<z.output<O['query']>> &
  BodyOutput<O['body']>

/** What a client receives. */
export type Result<O extends Operation> = z.output<O['success']>

/** What a handler returns: the input side of the success schema. */
export type Answer<O extends Operation> = z.input<O['success']>
