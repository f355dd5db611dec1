import { z } from 'zod'
import { listOf, maybe, text } from '../../network/normal/lenient.ts'
import {
  accountOf,
  askJson,
  platformFailure,
  platformWords,
  type JsonAnswer,
  type JsonRequest,
  type PlatformAccount,
} from '../http.ts'
import type { AdapterParts, DestinationFailure } from '../port.ts'

/** The unique attribute of people that `prepare` creates; people are found and written by it. */
export const personKey = 'les_key'

/** The workspace of a token. */
export const workspaceOf = (parts: AdapterParts, token: string): PlatformAccount => accountOf('Attio', parts, token)

const oneError = z.looseObject({ code: text, message: text, path: listOf(z.union([z.string(), z.number()])) })
const errorBody = oneError.extend({ validation_errors: listOf(oneError) })
const errorIn = (json: unknown) => errorBody.safeParse(json).data ?? errorBody.parse({})

/** Makes one call; throws failures that concern the whole workspace. */
export function ask({ parts, platform, token }: PlatformAccount, asked: JsonRequest): Promise<JsonAnswer> {
  return askJson(parts, platform, {
    ...asked,
    headers: { authorization: `Bearer ${token}` },
    judge: ({ status }, json) => {
      if (status !== 403 || json === undefined) return null
      const { message: words } = errorIn(json)
      const scopes = words?.slice(0, 2_000).match(/\b[a-z_]{1,40}:read(?:-write)?\b/g)
      const missing = [...new Set(scopes)]
      return platformFailure(platform, 'scope_missing', scopesWords, { words, missing })
    },
  })
}

const scopesWords = 'does not allow this with the scopes of the token'

/** A record; attribute values are lists. */
export type Found = {
  readonly id: string
  readonly url: string | null
  readonly values: Readonly<Record<string, unknown>>
}

const recordRow = z
  .looseObject({
    id: maybe(z.looseObject({ record_id: text })),
    web_url: text,
    values: maybe(z.record(z.string(), z.unknown())),
  })
  .transform(
    (row): Found => ({
      id: row.id?.record_id ?? '',
      url: row.web_url !== null && /^https:\/\/app\.attio\.com\/[\w/.-]{1,400}$/.test(row.web_url) ? row.web_url : null,
      values: row.values ?? {},
    }),
  )
const one = z.looseObject({ data: maybe(recordRow) })
const many = z.looseObject({ data: listOf(recordRow) })

const isId = (id: string): boolean => /^[\w-]{1,64}$/.test(id)

/** The first text value of an attribute, or the id of the record it refers to; null for none. */
export function firstValue({ values }: Found, attribute: string): string | null {
  const list = Object.hasOwn(values, attribute) ? values[attribute] : undefined
  const read = firstSchema.safeParse(Array.isArray(list) ? list[0] : undefined).data
  return read?.value ?? read?.target_record_id ?? null
}
const firstSchema = z.looseObject({ value: text, target_record_id: text })

/** The records whose attribute has one of the values. */
export async function query(
  workspace: PlatformAccount,
  object: 'people' | 'companies',
  attribute: string,
  values: readonly string[],
): Promise<readonly Found[]> {
  const found: Found[] = []
  for (let from = 0; from < values.length; from += querySize) {
    const some = values.slice(from, from + querySize)
    const answer = await ask(workspace, {
      method: 'POST',
      path: `/v2/objects/${object}/records/query`,
      isRead: true,
      json: { filter: { [attribute]: some.length === 1 ? some[0] : { $in: some } }, limit: querySize },
    })
    if (answer.status >= 300) throw wholeFailure(workspace, answer)
    found.push(...(many.safeParse(answer.json).data?.data ?? []).filter(({ id }) => isId(id)))
  }
  return found
}
const querySize = 100

export type Values = Readonly<Record<string, unknown>>

export type WriteResult =
  | { readonly state: 'written'; readonly record: Found }
  | { readonly state: 'refused'; readonly code: string; readonly message: string; readonly field: string | null }
  | { readonly state: 'gone' }
  | { readonly state: 'unsaid' }

/** Writes a record by id, or by a unique attribute, which creates it if needed. */
export async function write(
  workspace: PlatformAccount,
  object: 'people' | 'companies',
  by: { readonly id: string } | { readonly attribute: string },
  values: Values,
): Promise<WriteResult> {
  const isById = 'id' in by
  // Checked before every write: somebody may have been excluded during an earlier call.
  if (object === 'people') await workspace.parts.beforeRecord?.()
  const answer = await ask(workspace, {
    method: isById ? 'PATCH' : 'PUT',
    path: isById
      ? `/v2/objects/${object}/records/${encodeURIComponent(by.id)}`
      : `/v2/objects/${object}/records?matching_attribute=${by.attribute}`,
    json: { data: { values } },
  })
  if (answer.status < 300) {
    const record = one.safeParse(answer.json).data?.data
    return record && isId(record.id) ? { state: 'written', record } : { state: 'unsaid' }
  }
  if (answer.status === 404 && isById) return { state: 'gone' }
  const refused = refusalIn(workspace, answer.json, Object.keys(values))
  if (![400, 404, 409, 422].includes(answer.status)) throw wholeFailure(workspace, answer)
  if (refused.field !== personKey) return { state: 'refused', ...refused }
  // Another worker wrote the same person just now; otherwise the attribute is gone or no longer unique.
  if (isTaken(refused))
    throw platformFailure(workspace.platform, 'unavailable', 'has the same person in hand', { words: refused.message })
  throw keyIsGone(workspace, refused.message)
}

const keyIsGone = ({ platform }: PlatformAccount, words: string): DestinationFailure =>
  platformFailure(platform, 'setup_missing', `has no unique attribute ${personKey} any more`, {
    words,
    missing: [personKey],
  })

/** True when a value is refused because another record has it. */
export const isTaken = ({ code, message }: { readonly code: string; readonly message: string }): boolean =>
  /uniqueness|conflict/i.test(code) || /already in use/i.test(message)

/** The refusal with the attribute it is about, from the error's path or the quotes in its message. */
function refusalIn({ platform }: PlatformAccount, json: unknown, sent: readonly string[]) {
  const { code, message, path, validation_errors } = errorIn(json)
  const words = `${message ?? ''} ${validation_errors.map((each) => each.message).join(' ')}`.slice(0, 5_000)
  const named = [...path, ...validation_errors.flatMap((each) => each.path)].map(String)
  const field = sent.find((name) => named.includes(name)) ?? sent.find((name) => words.includes(`"${name}"`)) ?? null
  return {
    code: (code ?? 'refused').slice(0, 100),
    message: platformWords(words, platform) ?? 'Attio does not take it',
    field,
  }
}

/** A failure that is not about one record. */
export function wholeFailure(workspace: PlatformAccount, { status, json }: JsonAnswer): DestinationFailure {
  const { message: words } = errorIn(json)
  return words?.includes(personKey)
    ? keyIsGone(workspace, words)
    : platformFailure(workspace.platform, 'request_refused', `refuses the call (HTTP ${status})`, { words })
}
