/** Reads a caller's values by a schema; every refusal names the field. */
import type { ErrorKey } from '@les/contract'
import { z } from 'zod'
import { namesAt, nearestName } from './field-names.ts'
import { Refusal } from './refusal.ts'
import { cutText } from './text.ts'

/** A name as messages quote it: storable and at most 120 characters. */
export const shown = (name: string) => `\`${cutText(name.toWellFormed().replaceAll('\0', '\uFFFD'), 120)}\``

/** A path as messages name it: `results[0].outcome`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('')
}

/** The refusal of an unknown field; `instead` says what to send. */
export const unknownField = (path: readonly PropertyKey[], instead: string) =>
  new Refusal('unknown_field', {}, `Unknown field ${shown(fieldName(path))}: ${instead}`)

/** Suggests the nearest known field, then lists all of them. */
export function knownInstead(name: string, known: readonly string[], taker: string): string {
  const nearest = nearestName(name, known)
  const all = `${taker} takes ${known.map((field) => `\`${field}\``).join(', ') || 'no fields'}`
  return nearest === undefined ? all : `did you mean \`${nearest}\`? ${all}`
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

/** Parses values of a caller by a schema and refuses 400 naming the field; `isStrict`: an unknown field, at any depth, is `unknown_field`. */
export function readFields(
  schema: z.ZodType,
  raw: Readonly<Record<string, unknown>>,
  isStrict = false,
): Record<string, unknown> {
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
