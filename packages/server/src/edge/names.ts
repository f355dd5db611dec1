/**
 * Names that the operation does not know. Pure. In a body, near misses of a known name (case, `_`, `-`) are refused, because an
 * ignored name looks obeyed: `credit_cap_per_sync` leaves the charge unlimited (G156). A header names unknown query parameters
 * (G11), and body fields that cannot be refused.
 */
import type { Operation } from '@les/contract'
import { z } from 'zod'

type NearName = { readonly path: readonly PropertyKey[]; readonly meant: string }

/** A name reduced to what people write alike: lower case, without `_` and `-`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** The alternatives of a schema, without its wrappers (optional, default, transform). */
function alternativesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternativesOf)
  const { def } = schema._zod as {
    def: { innerType?: z.core.$ZodType; in?: z.core.$ZodType; out?: z.core.$ZodType }
  }
  if (def.innerType !== undefined) return alternativesOf(def.innerType)
  if (def.in === undefined) return [schema]
  return alternativesOf(def.in instanceof z.ZodTransform ? def.out! : def.in)
}

/** A strict object refuses every unknown name by itself. */
const isStrict = (schema: z.ZodObject): boolean => schema._zod.def.catchall instanceof z.ZodNever

const objectsOf = (schemas: readonly z.core.$ZodType[]): z.ZodObject[] =>
  schemas.flatMap(alternativesOf).filter((schema): schema is z.ZodObject => schema instanceof z.ZodObject)

function fieldsOf(objects: readonly z.ZodObject[]): ReadonlyMap<string, readonly z.core.$ZodType[]> {
  const fields = new Map<string, z.core.$ZodType[]>()
  for (const { shape } of objects)
    for (const [name, field] of Object.entries(shape as Record<string, z.core.$ZodType>))
      fields.set(name, [...(fields.get(name) ?? []), field])
  return fields
}

/** The field names that a schema knows at `path`. */
export function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const there = path.reduce<readonly z.core.$ZodType[]>(
    (schemas, part) => {
      const all = schemas.flatMap(alternativesOf)
      if (typeof part === 'number') return all.flatMap((each) => (each instanceof z.ZodArray ? [each.element] : []))
      return fieldsOf(objectsOf(all)).get(String(part)) ?? []
    },
    [schema],
  )
  return [...fieldsOf(objectsOf(there)).keys()]
}

/** The first property of `value`, at any depth, that nearly has a known name; null when there is none. */
export function findNearName(
  schemas: readonly z.core.$ZodType[],
  value: unknown,
  path: readonly PropertyKey[] = [],
): NearName | null {
  if (typeof value !== 'object' || value === null) return null
  const alternatives = schemas.flatMap(alternativesOf)
  if (Array.isArray(value)) {
    const items = alternatives.flatMap((schema) => (schema instanceof z.ZodArray ? [schema.element] : []))
    if (items.length === 0) return null
    return firstOf(value.entries(), ([at, item]) => findNearName(items, item, [...path, at]))
  }
  const objects = objectsOf(alternatives)
  const known = fieldsOf(objects)
  if (objects.some((object) => !isStrict(object))) {
    const meant = new Map([...known.keys()].map((name) => [plainName(name), name]))
    for (const name of Object.keys(value)) {
      const near = known.has(name) ? undefined : meant.get(plainName(name))
      if (near !== undefined) return { path: [...path, name], meant: near }
    }
  }
  return firstOf(known, ([name, fields]) =>
    Object.hasOwn(value, name)
      ? findNearName(fields, (value as Readonly<Record<string, unknown>>)[name], [...path, name])
      : null,
  )
}

function firstOf<Item>(items: Iterable<Item>, find: (item: Item) => NearName | null): NearName | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}

/** Edit distance where a swap of neighbours counts as one; `max + 1` when the lengths differ by more than `max`. */
function distance(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1)
    }
    before = row
    row = next
  }
  return row[other.length]!
}

/** The known name that was probably meant; undefined when none is close. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const asked = plainName(name)
  // A very long name is not compared: the cost grows with its length.
  if (asked === '' || asked.length > 60) return undefined
  const max = asked.length < 4 ? 0 : asked.length < 8 ? 1 : 2
  let best: { readonly name: string; readonly away: number } | undefined
  for (const candidate of names) {
    const away = distance(asked, plainName(candidate), max)
    if (away <= max && (best === undefined || away < best.away)) best = { name: candidate, away }
  }
  return best?.name
}

const namesShown = 10
const shownName = /^[A-Za-z0-9_.[\]-]{1,60}$/

type Sent = {
  readonly query: readonly (readonly [name: string, value: string | null])[]
  readonly body: Readonly<Record<string, unknown>>
}

/** The value of `X-Ignored-Parameters`; null when there is nothing to report. */
export function ignoredParameters(operation: Operation, raw: Sent): string | null {
  const knownIn = (schema: z.ZodType) => [...fieldsOf(objectsOf([schema])).keys()]
  const query = knownIn(operation.query)
  const body = operation.body === null ? [] : knownIn(operation.body)
  const inQuery = raw.query
    .map(([name]) => name)
    .filter((name) => !query.includes(name) && shownName.test(name))
    // A head can hold thousands of names, and finding a near name costs more than reading one.
    .slice(0, namesShown)
    .map((name) => [name, nearestName(name, query)] as const)
  // Body fields are reported only as near misses: callers send whole records of their own.
  const inBody = (operation.body === null ? [] : Object.keys(raw.body))
    .slice(0, 200)
    .filter((name) => !body.includes(name))
    .map((name) => [name, nearestName(name, body)] as const)
    .filter(([, nearest]) => nearest !== undefined)
  const found = new Map([...inQuery, ...inBody].filter(([name]) => shownName.test(name)))
  if (found.size === 0) return null
  return [...found]
    .slice(0, namesShown)
    .map(([name, nearest]) => (nearest === undefined ? name : `${name};did-you-mean=${nearest}`))
    .join(', ')
}
