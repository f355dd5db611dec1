import { z } from 'zod'
import { listOf, maybe, text } from '../../network/normal/lenient.ts'
import {
  accountOf,
  askJson,
  platformFailure,
  platformWords,
  stopOf,
  type JsonAnswer,
  type JsonRequest,
  type PlatformAccount,
} from '../http.ts'
import type { FieldValue } from '../mapping.ts'
import type { AdapterParts, DestinationFailure } from '../port.ts'

/** The version in every path; HubSpot supports one for 18 months. */
export const version = '2026-09'
export const batchSize = 100

/** Our unique properties, created by `prepare`; records are found and written by them. */
export const keys = {
  contacts: 'les_person_key',
  companies: 'les_company_key',
  notes: 'les_engagement_key',
} as const

export type HubspotObject = keyof typeof keys

/** The portal of a token. */
export const portalOf = (parts: AdapterParts, token: string): PlatformAccount => accountOf('HubSpot', parts, token)

const fields = z.record(z.string(), z.unknown())
const detail = z.looseObject({ message: text, code: text, in: text, context: maybe(fields) })
const errorBody = z.looseObject({
  category: text,
  message: text,
  policyName: text,
  context: maybe(fields),
  errors: listOf(detail),
})
type ErrorBody = z.output<typeof errorBody>
const noError: ErrorBody = errorBody.parse({})
const errorIn = (json: unknown): ErrorBody => errorBody.safeParse(json).data ?? noError

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, 100) : [value])
    .filter((one) => typeof one === 'string')
    .map((one) => one.slice(0, 200))

/** Makes one call; throws failures that concern the whole portal: rate limit, daily quota, scopes. */
export function ask({ parts, platform, token }: PlatformAccount, asked: JsonRequest): Promise<JsonAnswer> {
  return askJson(parts, platform, {
    ...asked,
    headers: { authorization: `Bearer ${token}` },
    judge: ({ status }, json) => {
      if (status !== 429 && status !== 403) return null
      const { policyName, message: words, context, errors } = errorIn(json)
      const retryAt = midnightAfter(parts.now)
      if (status === 429 && /daily/i.test(policyName ?? ''))
        return platformFailure(platform, 'quota_day', 'has used up the calls of its day', { words, retryAt })
      if (status === 429 || json === undefined) return null
      const scopes = [context, ...errors.map((one) => one.context)].flatMap((one) => [
        ...textsIn(one?.missingScopes),
        ...textsIn(one?.requiredGranularScopes),
      ])
      const what = 'does not allow this with the scopes of the token'
      return platformFailure(platform, 'scope_missing', what, { words, missing: [...new Set(scopes)] })
    },
  })
}

/** A portal's day ends at its own midnight, which HubSpot does not give; if that is later, the refusal repeats. */
const midnightAfter = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))

/** A write in a batch; its result carries the same `trace`. */
export type Write = {
  readonly trace: string
  /** The value of the object's key, or with `byId` HubSpot's id. */
  readonly id: string
  readonly byId?: boolean
  readonly properties: Readonly<Record<string, FieldValue>>
}

export type Found = {
  readonly id: string
  readonly url: string | null
  readonly properties: Readonly<Record<string, unknown>>
}

type RefusedField = { readonly name: string; readonly code: string; readonly message: string }

export type WriteResult =
  | { readonly state: 'written'; readonly isNew: boolean; readonly record: Found }
  /** `existing`: the id of a record that has the same email. */
  | {
      readonly state: 'refused'
      readonly code: string
      readonly message: string
      readonly fields: readonly RefusedField[]
      readonly existing: string | null
    }
  | { readonly state: 'unsaid' }
  /** Not sent, because a person in the delivery may no longer be sent. */
  | { readonly state: 'stopped'; readonly why: DestinationFailure }
type Refused = Extract<WriteResult, { state: 'refused' }>

const recordRow = z
  .looseObject({
    id: text,
    url: text,
    properties: maybe(fields),
    objectWriteTraceId: text,
    new: z.unknown().optional(),
  })
  .transform((row) => ({
    trace: row.objectWriteTraceId,
    isNew: row.new === true,
    record: { id: row.id ?? '', url: recordUrl(row.url), properties: row.properties ?? {} },
  }))
const batchBody = z.looseObject({ results: listOf(recordRow), errors: listOf(errorBody) })

/** A record's page; null for a URL that is not HubSpot's. */
const recordUrl = (value: string | null): string | null =>
  value !== null && value.length <= 500 && /^https:\/\/app(?:-[a-z0-9]+)?\.hubspot\.com\/[\w/.-]+$/.test(value)
    ? value
    : null

const isId = (id: string): boolean => /^\d{1,30}$/.test(id)

/** Reads records by the object's key, or by HubSpot's ids; missing ones are absent. */
export async function readBatch(
  portal: PlatformAccount,
  object: HubspotObject,
  values: readonly string[],
  properties: readonly string[],
  byId = false,
): Promise<readonly Found[]> {
  const found: Found[] = []
  for (let from = 0; from < values.length; from += batchSize) {
    const answer = await ask(portal, {
      method: 'POST',
      path: `/crm/objects/${version}/${object}/batch/read`,
      isRead: true,
      json: {
        ...(byId ? {} : { idProperty: keys[object] }),
        properties: [...new Set([keys[object], ...properties])],
        inputs: values.slice(from, from + batchSize).map((id) => ({ id })),
      },
    })
    if (answer.status >= 300) throw wholeFailure(portal, answer)
    const { results } = batchBody.safeParse(answer.json).data ?? { results: [] }
    found.push(...results.map(({ record }) => record).filter(({ id }) => isId(id)))
  }
  return found
}

/** Writes a batch. A batch refused as a whole wrote nothing; its halves are tried, so that one bad record fails alone. */
export async function writeBatch(
  portal: PlatformAccount,
  object: HubspotObject,
  writes: readonly Write[],
): Promise<ReadonlyMap<string, WriteResult>> {
  if (writes.length === 0) return new Map()
  const why = object === 'contacts' ? await stopOf(portal.parts) : null
  if (why) return new Map(writes.map(({ trace }) => [trace, { state: 'stopped', why }]))
  const verb = writes[0]!.byId ? 'update' : 'upsert'
  const answer = await ask(portal, {
    method: 'POST',
    path: `/crm/objects/${version}/${object}/batch/${verb}`,
    json: {
      inputs: writes.map(({ trace, id, byId, properties }) => ({
        id,
        ...(byId ? {} : { idProperty: keys[object] }),
        objectWriteTraceId: trace,
        properties,
      })),
    },
  })
  if (answer.status < 300) return resultsOf(portal, object, answer, writes)
  const refused = refusedIn(portal, errorIn(answer.json))
  const isOfRecord = (answer.status === 400 || answer.status === 409) && !isSetup(object, refused)
  if (!isOfRecord) throw wholeFailure(portal, answer)
  if (writes.length === 1) return new Map([[writes[0]!.trace, refused]])
  const half = Math.ceil(writes.length / 2)
  const first = await writeBatch(portal, object, writes.slice(0, half))
  return new Map([...first, ...(await writeBatch(portal, object, writes.slice(half)))])
}

/** The result of each write by trace id; where HubSpot omits that, by the record's key. */
function resultsOf(
  portal: PlatformAccount,
  object: HubspotObject,
  answer: JsonAnswer,
  writes: readonly Write[],
): ReadonlyMap<string, WriteResult> {
  const { results, errors } = batchBody.safeParse(answer.json).data ?? { results: [], errors: [] }
  const outcomes = new Map<string, WriteResult>(writes.map(({ trace }) => [trace, { state: 'unsaid' }]))
  const traceOf = new Map(writes.map(({ id, trace }) => [id, trace]))
  for (const { trace, isNew, record } of results) {
    const of = trace ?? traceOf.get(String(record.properties[keys[object]])) ?? traceOf.get(record.id)
    if (of !== undefined && outcomes.has(of) && isId(record.id)) outcomes.set(of, { state: 'written', isNew, record })
  }
  for (const error of errors) {
    const refused = refusedIn(portal, error)
    if (isSetup(object, refused)) throw wholeFailure(portal, { ...answer, json: error })
    for (const trace of textsIn(error.context?.objectWriteTraceId))
      if (outcomes.has(trace)) outcomes.set(trace, refused)
  }
  return outcomes
}

/** An error as a refusal; HubSpot names properties in several places. */
function refusedIn({ platform }: PlatformAccount, error: ErrorBody): Refused {
  const message = (error.message ?? '').slice(0, 50_000)
  const named = [
    ...error.errors.map((one) => ({
      name: textsIn(one.context?.propertyName)[0] ?? one.in,
      code: one.code,
      message: one.message,
    })),
    ...fieldsInMessage(message),
  ]
  const refusedFields = new Map<string, RefusedField>()
  const inWords = (words: string | null) => platformWords(words, platform) ?? 'HubSpot does not take it'
  for (const { name, code, message: words } of named)
    if (name !== null && /^\w{1,100}$/.test(name) && !refusedFields.has(name))
      refusedFields.set(name, { name, code: code ?? '', message: inWords(words) })
  const first = refusedFields.values().next().value
  return {
    state: 'refused',
    code: first?.code || error.category || 'refused',
    message: first?.message ?? inWords(message),
    fields: [...refusedFields.values()],
    existing: /Existing ID: (\d{1,30})/.exec(message)?.[1] ?? null,
  }
}

const inMessage = z.array(z.looseObject({ name: text, error: text, message: text }))

/** HubSpot embeds the refused values as JSON in its message. */
function fieldsInMessage(message: string): { name: string | null; code: string | null; message: string | null }[] {
  const missing = /Property "(\w{1,100})" does not exist/.exec(message)
  const [start, end] = [message.indexOf('['), message.lastIndexOf(']')]
  if (start !== -1 && end > start) {
    try {
      const read = inMessage.safeParse(JSON.parse(message.slice(start, end + 1)))
      if (read.success && read.data.length > 0)
        return read.data.slice(0, 100).map(({ name, error, message: words }) => ({ name, code: error, message: words }))
    } catch {
      // The message was cut; only its text is usable.
    }
  }
  return missing ? [{ name: missing[1]!, code: 'PROPERTY_DOESNT_EXIST', message: missing[0] }] : []
}

/** True when our own key property is refused: it was archived, or created without being unique. */
const isSetup = (object: HubspotObject, { message, fields: named }: Refused): boolean =>
  named.some(({ name }) => name === keys[object]) ||
  (/non-unique|not unique|unknown property/i.test(message) && message.includes(keys[object]))

/** A failure that is not about one record. */
export function wholeFailure({ platform }: PlatformAccount, { status, json }: JsonAnswer): DestinationFailure {
  const { message: words } = errorIn(json)
  const key = Object.values(keys).find((name) => words?.includes(name))
  return key
    ? platformFailure(platform, 'setup_missing', `has no unique property ${key} any more`, { words, missing: [key] })
    : platformFailure(platform, 'request_refused', `refuses the call (HTTP ${status})`, { words })
}
