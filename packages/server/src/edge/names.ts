/**
 * Names that the operation does not know. Pure. In a body, near misses of a known name (case, `_`, `-`) are refused, because an
 * ignored name looks obeyed: `credit_cap_per_sync` leaves the charge unlimited (G156). A header names unknown query parameters
 * (G11), and body fields that cannot be refused.
 */
import type { Operation } from '@les/contract'
import { z } from 'zod'
import { alternativesOf, fieldsOf, nearestName, objectsOf, plainName } from '../platform/field-names.ts'

type NearName = { readonly path: readonly PropertyKey[]; readonly meant: string }

/** A strict object refuses every unknown name by itself. */
const isStrict = (schema: z.ZodObject): boolean => schema._zod.def.catchall instanceof z.ZodNever

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
