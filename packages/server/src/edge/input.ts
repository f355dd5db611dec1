/** Validates a request by itself: renamed, unknown, texts, then schemas (G3, G10, G11, G130). Every refusal names the field. */
import { bounds, type Operation } from '@les/contract'
import type { z } from 'zod'
import { plainName } from '../platform/field-names.ts'
import { fieldName, knownInstead, readFields, shown, unknownField } from '../platform/read-fields.ts'
import { Refusal } from '../platform/refusal.ts'
import { findNearName } from './names.ts'

/** A request's parts: path parameters decoded once, query pairs in order (null: undecodable), the parsed body. */
export type RawInput = {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string | null])[]
  readonly body: Readonly<Record<string, unknown>>
}

const invalid = (message: string) => new Refusal('invalid_request', {}, message)
const bad = (text: string) => text.includes('\0') || !text.isWellFormed()
/** Refuses 400 for text that PostgreSQL cannot store: NUL and unpaired surrogates, in names and in values. */
export function refuseBadText(value: unknown, path: readonly PropertyKey[]): void {
  const refuseIt = () => {
    throw invalid(
      `${path.length === 0 ? 'The request' : shown(fieldName(path))} must not contain NUL or an unpaired surrogate`,
    )
  }
  if (typeof value === 'string') {
    if (bad(value)) refuseIt()
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseBadText(item, [...path, index])
  } else if (value !== null && typeof value === 'object') {
    for (const [name, field] of Object.entries(value)) {
      if (bad(name))
        throw invalid(`${shown(fieldName([...path, name]))} must not contain NUL or an unpaired surrogate in its name`)
      refuseBadText(field, [...path, name])
    }
  }
}

/** Refuses near misses of a known name (case, `_`, `-`); other unknown names are ignored unless the body is strict (G156). */
function refuseNearNames(operation: Operation, body: RawInput['body']): void {
  if (operation.body === null) return
  const known = Object.keys((operation.body as Partial<z.ZodObject>).shape ?? {})
  for (const name of Object.keys(body).filter((each) => !known.includes(each))) {
    const isNear = ([other]: readonly [string, string]) => plainName(other) === plainName(name)
    const renamed = Object.entries(operation.renamed).find(isNear)
    if (renamed) throw unknownField([name], `send \`${renamed[1]}\``)
    const refused = Object.entries(operation.refusedFields).find(isNear)
    if (refused) throw unknownField([name], `\`${refused[0]}\` ${refused[1]}`)
  }
  const near = findNearName([operation.body], body)
  if (near !== null && !(operation.strictBody && near.path.length === 1))
    throw unknownField(near.path, `send \`${near.meant}\``)
}

function refuseRenamedAndUnknown(operation: Operation, body: RawInput['body']): void {
  for (const [old, now] of Object.entries(operation.renamed)) {
    if (Object.hasOwn(body, old))
      throw new Refusal('renamed_field', {}, `\`${old}\` was renamed: send \`${now}\` instead`)
  }
  for (const [name, why] of Object.entries(operation.refusedFields))
    if (Object.hasOwn(body, name)) throw invalid(`\`${name}\` ${why}`)
  refuseNearNames(operation, body)
  if (!operation.strictBody) return
  const known = Object.keys((operation.body as z.ZodObject | null)?.shape ?? {})
  for (const name of Object.keys(body)) {
    if (!known.includes(name)) throw unknownField([name], knownInstead(name, known, 'this body'))
  }
}

function queryOf(pairs: RawInput['query']): Record<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of pairs) {
    if (value === null) throw invalid(`${shown(name)} must be percent-encoded UTF-8`)
    if (values.has(name)) throw invalid(`${shown(name)} must not be repeated in the query`)
    values.set(name, value)
  }
  return Object.fromEntries(values)
}

/** Path, query and body parsed into one object; refuses 400 for anything that does not fit. */
export function validateInput(operation: Operation, raw: RawInput): Record<string, unknown> {
  refuseRenamedAndUnknown(operation, raw.body)
  for (const [name, value] of Object.entries(raw.params)) {
    if (value.length > bounds.pathParameter)
      throw invalid(`${shown(name)} must be at most ${bounds.pathParameter} characters`)
  }
  const query = queryOf(raw.query)
  for (const part of [raw.params, query, raw.body]) refuseBadText(part, [])
  return {
    ...readFields(operation.params, raw.params),
    ...readFields(operation.query, query),
    ...(operation.body === null ? {} : readFields(operation.body, raw.body, operation.strictBody)),
  }
}
