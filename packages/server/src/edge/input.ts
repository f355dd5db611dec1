/** Validates a request by itself: renamed, unknown, texts, then schemas (G3, G10, G11, G130). Every refusal names the field. */
import { bounds, type ErrorKey, type Operation } from '@les/contract'
import { z } from 'zod'
import { Refusal } from '../platform/refusal.ts'
import { cutText } from '../platform/text.ts'
import { findNearName, namesAt, nearestName, plainName } from './names.ts'

/** A request's parts: path parameters decoded once, query pairs in order (null: undecodable), the parsed body. */
export type RawInput = {
  readonly params: Readonly<Record<string, string>>
  readonly query: readonly (readonly [name: string, value: string | null])[]
  readonly body: Readonly<Record<string, unknown>>
}

const invalid = (message: string) => new Refusal('invalid_request', {}, message)
const bad = (text: string) => text.includes('\0') || !text.isWellFormed()
const shown = (name: string) => `\`${cutText(name.toWellFormed().replaceAll('\0', '\uFFFD'), 120)}\``

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('')
}

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

const unknownField = (path: readonly PropertyKey[], instead: string) =>
  new Refusal('unknown_field', {}, `Unknown field ${shown(fieldName(path))}: ${instead}`)

/** Suggests the nearest known field, then lists all of them. */
function knownInstead(name: string, known: readonly string[], taker: string): string {
  const nearest = nearestName(name, known)
  const all = `${taker} takes ${known.map((field) => `\`${field}\``).join(', ') || 'no fields'}`
  return nearest === undefined ? all : `did you mean \`${nearest}\`? ${all}`
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

/** The value at an issue's path. A query value can be JSON text; the path then continues inside it. */
function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, part) => {
    const held = typeof value === 'string' ? parsedOrNothing(value) : value
    return held !== null && typeof held === 'object' ? (held as Record<PropertyKey, unknown>)[part] : undefined
  }, raw)
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A schema's issue in the words of the interface: `` `limit` must be a whole number from 1 to 100 ``. */
export function describeIssue(issue: z.core.$ZodIssue, raw: unknown): string {
  const { message } = issue
  const ours = /^[a-z]/.test(message)
  if (issue.path.length === 0) return ours ? `The request ${message}` : message
  const name = shown(fieldName(issue.path))
  const missing = valueAt(raw, issue.path) === undefined
  if (missing && !/^(?:is|cannot|needs) /.test(message))
    return ours ? `${name} is required: ${message}` : `${name} is required`
  return ours ? `${name} ${message}` : `${name} is not valid: ${message}`
}

function within(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod as { def: { innerType?: z.core.$ZodType; in?: z.core.$ZodType } }
  const inner = def.innerType ?? def.in
  return inner === undefined ? schema : within(inner)
}

const maxItemsOf = (list: z.ZodArray): number =>
  Math.min(
    ...(list._zod.def.checks ?? []).map(
      ({ _zod: { def } }) => (def as { maximum?: number }).maximum ?? Number.POSITIVE_INFINITY,
    ),
  )

/** Cuts lists to one item more than allowed, which is still refused: zod checks all items before it counts (80,000: 0.5 s). */
export function cutLists(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = within(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const bound = maxItemsOf(inner)
    return value.length > bound + 1 ? value.slice(0, bound + 1) : value
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value
  const cut: Record<string, unknown> = { ...value }
  for (const [name, field] of Object.entries(inner.shape as Record<string, z.core.$ZodType>))
    if (Object.hasOwn(cut, name)) cut[name] = cutLists(field, cut[name])
  return cut
}

/** Parses one part of a request; an unknown property of a strict body, at any depth, is `unknown_field`. */
function parse(schema: z.ZodType, raw: Readonly<Record<string, unknown>>, isStrict = false): Record<string, unknown> {
  const parsed = schema.safeParse(cutLists(schema, raw))
  if (parsed.success) return parsed.data as Record<string, unknown>
  const { issues } = parsed.error
  // A misspelt required field is also missing: name the unknown field first.
  const unknown = isStrict ? issues.find((each) => each.code === 'unrecognized_keys') : undefined
  if (unknown) {
    const [name] = unknown.keys as [string]
    const taker = shown(fieldName(unknown.path))
    throw unknownField([...unknown.path, name], knownInstead(name, namesAt(schema, unknown.path), taker))
  }
  const issue = issues[0]!
  // A schema may name its own refusal; `invalid_request` is the default.
  const key = (issue.code === 'custom' ? issue.params?.refusal : undefined) as ErrorKey | undefined
  throw new Refusal(key ?? 'invalid_request', {}, describeIssue(issue, raw))
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
    ...parse(operation.params, raw.params),
    ...parse(operation.query, query),
    ...(operation.body === null ? {} : parse(operation.body, raw.body, operation.strictBody)),
  }
}
