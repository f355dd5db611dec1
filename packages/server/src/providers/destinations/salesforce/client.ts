/** Salesforce's REST API: sessions of the customer's external client app, calls, and what errors mean. */
import { z } from 'zod'
import { listOf, maybe, text } from '../../network/normal/lenient.ts'
import {
  askJson,
  platformFailure,
  platformWords,
  stopOf,
  type JsonAnswer,
  type JsonRequest,
  type PlatformAccount,
} from '../http.ts'
import type { AdapterParts, DestinationFailure } from '../port.ts'

/** Winter '27; Salesforce supports a version for years. */
export const version = 'v68.0'
/** Our unique external id field; the customer creates it, because the data API cannot. */
export const keyField = 'LES_Key__c'

/** An external client app with the client credentials flow. */
export type SalesforceCredentials = { readonly clientId: string; readonly clientSecret: string }

export type Org = PlatformAccount & { readonly scopes: readonly string[] }

const sessionBody = z.looseObject({ access_token: text, scope: text, error: text, error_description: text })

/** Opens a session at the instance the customer named; an instance URL in the answer is ignored. */
export async function openSession(
  given: AdapterParts,
  { instanceUrl, clientId, clientSecret }: SalesforceCredentials & { readonly instanceUrl: string },
): Promise<Org> {
  const parts = { ...given, baseUrl: given.baseUrl === '' ? instanceUrl : given.baseUrl }
  const platform = { name: 'Salesforce', secrets: [clientSecret, clientId] }
  const answer = await askJson(parts, platform, {
    method: 'POST',
    path: '/services/oauth2/token',
    isRead: true,
    form: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
  })
  const session = sessionBody.safeParse(answer.json).data
  if (answer.status >= 300) {
    const trouble = answer.status === 400 || answer.status === 403 ? 'auth_revoked' : 'request_refused'
    const words = session?.error_description ?? session?.error
    throw platformFailure(platform, trouble, `opens no session for the client (HTTP ${answer.status})`, { words })
  }
  const token = session?.access_token ?? ''
  if (!/^[\x21-\x7e]{8,4000}$/.test(token))
    throw platformFailure(platform, 'unavailable', 'answered with something that is no session')
  const words = (session?.scope ?? '').slice(0, 2_000).split(/\s+/)
  const scopes = words.flatMap((scope) => platformWords(scope, platform) ?? [])
  return { parts, token, scopes, platform: { ...platform, secrets: [token, ...platform.secrets] } }
}

const errorRow = z.looseObject({ errorCode: text, message: text, fields: listOf(z.string()) })
const errorsIn = (json: unknown) => listOf(errorRow).parse(json)

/** The rest of the daily calls is left to the customer's own tools. */
const shareOfDay = 0.8

/** Makes one call; throws failures that concern the whole org. */
export function ask({ parts, platform, token }: Org, asked: JsonRequest): Promise<JsonAnswer> {
  return askJson(parts, platform, {
    ...asked,
    path: `/services/data/${version}${asked.path}`,
    headers: { ...asked.headers, authorization: `Bearer ${token}` },
    judge: ({ status }, json) => {
      const [error] = errorsIn(json)
      if (status !== 403 || !error) return null
      const { errorCode, message: words } = error
      const retryAt = new Date(parts.now.getTime() + 86_400_000)
      if (errorCode === 'REQUEST_LIMIT_EXCEEDED')
        return platformFailure(platform, 'quota_day', 'has used up the calls of its day', { words, retryAt })
      if (/API_DISABLED|API_NOT_ENABLED/.test(errorCode ?? ''))
        return platformFailure(platform, 'plan', 'has no API in its edition', { words })
      const what = 'does not allow this to the user of the client'
      return platformFailure(platform, 'scope_missing', what, { words, missing: ['api'] })
    },
  })
}

/** The used share of the daily calls, from any answer; null if not given. */
export function usedShare({ headers }: Pick<JsonAnswer, 'headers'>): number | null {
  const [, used, of] = /api-usage=(\d{1,12})\/(\d{1,12})/.exec(headers['sforce-limit-info'] ?? '') ?? []
  return used === undefined || Number(of) === 0 ? null : Number(used) / Number(of)
}

/** Throws once the share is used up; the daily window slides, so calls are possible again in an hour. */
export function keepShare({ parts, platform }: Org, answer: JsonAnswer): void {
  const used = usedShare(answer)
  if (used === null || used < shareOfDay) return
  const what = `has used ${Math.floor(used * 100)} % of its calls of the day; the rest is left to other tools`
  throw platformFailure(platform, 'quota_day', what, { retryAt: new Date(parts.now.getTime() + 3_600_000) })
}

/** The missing column that a refused query or write names; null for other refusals. */
function missingColumn({ status, json }: JsonAnswer): string | null {
  const [error] = errorsIn(json)
  if (status !== 400 || error?.errorCode !== 'INVALID_FIELD') return null
  return /No such column '(\w{1,100})'/.exec(error.message ?? '')?.[1] ?? null
}

/** A failure that is not about one record. */
export function wholeFailure({ platform }: Org, { status, json }: JsonAnswer): DestinationFailure {
  const words = errorsIn(json)[0]?.message
  if (!words?.includes(keyField))
    return platformFailure(platform, 'request_refused', `refuses the call (HTTP ${status})`, { words })
  const what = `has no field ${keyField} that is an external id and unique`
  return platformFailure(platform, 'setup_missing', what, { words, missing: [keyField] })
}

export type Found = { readonly id: string; readonly values: Readonly<Record<string, unknown>> }

export const isId = (id: unknown): id is string => typeof id === 'string' && /^[a-zA-Z0-9]{15,18}$/.test(id)

const rows = z.looseObject({ records: listOf(z.record(z.string(), z.unknown())) })
/** Values are our keys and Salesforce's ids; other characters are removed, so none can end the string. */
const quoted = (value: string): string => `'${value.replace(/[^\w-]/g, '')}'`

const mostGone = 20

type Query = {
  readonly object: string
  readonly columns: readonly string[]
  readonly where: string
  readonly values: readonly string[]
}

/** Records whose field has one of the values. Missing columns are skipped and returned as `gone`. */
export async function query(
  org: Org,
  asked: Query,
): Promise<{ readonly found: readonly Found[]; readonly gone: ReadonlySet<string> }> {
  const gone = new Set<string>()
  const found: Found[] = []
  for (let from = 0; from < asked.values.length; from += querySize)
    found.push(...(await queryOnce(org, { ...asked, values: asked.values.slice(from, from + querySize) }, gone)))
  return { found, gone }
}

/** 100 keys make about eight thousand characters of URL. */
const querySize = 100

async function queryOnce(
  org: Org,
  { object, columns, where, values }: Query,
  gone: Set<string>,
): Promise<readonly Found[]> {
  for (;;) {
    const asked = [...new Set(['Id', keyField, ...columns])].filter(
      (column) => /^\w{1,100}$/.test(column) && !gone.has(column),
    )
    const soql = `SELECT ${asked.join(', ')} FROM ${object} WHERE ${where} IN (${values.map(quoted).join(', ')})`
    const answer = await ask(org, { method: 'GET', path: `/query?q=${encodeURIComponent(soql)}` })
    const column = missingColumn(answer)
    if (column !== null && column !== keyField && asked.includes(column) && gone.size < mostGone) {
      gone.add(column)
      continue
    }
    if (answer.status >= 300) throw wholeFailure(org, answer)
    keepShare(org, answer)
    const records = rows.safeParse(answer.json).data?.records ?? []
    return records.flatMap((record) => (isId(record.Id) ? [{ id: record.Id, values: record }] : []))
  }
}

const recordError = z.looseObject({
  statusCode: text,
  message: text,
  fields: listOf(z.string()),
  duplicateResult: maybe(
    z.looseObject({
      matchResults: listOf(
        z.looseObject({ matchRecords: listOf(z.looseObject({ record: maybe(z.looseObject({ Id: text })) })) }),
      ),
    }),
  ),
})
const resultRow = z.looseObject({
  id: text,
  success: z.unknown().optional(),
  created: z.unknown().optional(),
  errors: listOf(recordError),
})

export type WriteResult =
  | { readonly state: 'written'; readonly id: string; readonly isNew: boolean }
  | {
      readonly state: 'refused'
      readonly code: string
      readonly message: string
      readonly fields: readonly string[]
      readonly duplicates: readonly string[]
    }
  | { readonly state: 'unsaid' }
  /** Not sent, because a person in the delivery may no longer be sent. */
  | { readonly state: 'stopped'; readonly why: DestinationFailure }

export type Values = Readonly<Record<string, unknown>>

/** Writes records by our key or id; results come in their order. `gone`: a missing column refused the call. */
export async function write(
  org: Org,
  { object, by, records }: { readonly object: string; readonly by: 'key' | 'id'; readonly records: readonly Values[] },
): Promise<readonly WriteResult[] | { readonly gone: string }> {
  const why = await stopOf(org.parts)
  if (why) return records.map(() => ({ state: 'stopped', why }))
  const answer = await ask(org, {
    method: 'PATCH',
    path: `/composite/sobjects${by === 'key' ? `/${object}/${keyField}` : ''}`,
    // Duplicate alerts do not stop the write; blocks do, and name the records found.
    headers: { 'sforce-duplicate-rule-header': 'allowSave=true; includeRecordDetails=true' },
    json: { allOrNone: false, records: records.map((values) => ({ attributes: { type: object }, ...values })) },
  })
  const column = missingColumn(answer)
  if (column !== null && column !== keyField) return { gone: column }
  if (answer.status >= 300) throw wholeFailure(org, answer)
  const results = Array.isArray(answer.json) ? (answer.json as unknown[]) : []
  return records.map((_, index) => resultOf(org, results[index]))
}

function resultOf({ platform }: Org, value: unknown): WriteResult {
  const read = resultRow.safeParse(value).data
  if (read?.success === true && isId(read.id)) return { state: 'written', id: read.id, isNew: read.created === true }
  const [error] = read?.errors ?? []
  if (read?.success !== false || !error) return { state: 'unsaid' }
  return {
    state: 'refused',
    code: (error.statusCode ?? 'refused').slice(0, 100),
    message: platformWords(error.message, platform) ?? 'Salesforce does not take it',
    fields: error.fields.filter((name) => /^\w{1,100}$/.test(name)),
    duplicates: (error.duplicateResult?.matchResults ?? [])
      .flatMap(({ matchRecords }) => matchRecords.map(({ record }) => record?.Id))
      .filter(isId),
  }
}
