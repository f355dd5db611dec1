/**
 * Properties of a body that miss a known one by case, `_` and `-` alone. They are mistakes, and ignored ones would be taken for
 * obeyed: `webhookURL` leaves the webhook unset, `credit_cap_per_sync` leaves the charge without a limit (G156). Pure.
 */
import { z } from 'zod'

/** A property of a body, and the name of the one that is meant. */
type NearName = { readonly path: readonly PropertyKey[]; readonly meant: string }

/** A name without what people write differently. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** What a schema says once what is around it is taken off: each of its alternatives. */
function alternativesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternativesOf)
  const { def } = schema._zod as {
    def: { innerType?: z.core.$ZodType; in?: z.core.$ZodType; out?: z.core.$ZodType }
  }
  if (def.innerType !== undefined) return alternativesOf(def.innerType)
  if (def.in === undefined) return [schema]
  return alternativesOf(def.in instanceof z.ZodTransform ? def.out! : def.in)
}

/** A strict object refuses every other name by itself. */
const isStrict = (schema: z.ZodObject): boolean => schema._zod.def.catchall instanceof z.ZodNever

/** The fields of objects, by name. */
function fieldsOf(objects: readonly z.ZodObject[]): ReadonlyMap<string, readonly z.core.$ZodType[]> {
  const fields = new Map<string, z.core.$ZodType[]>()
  for (const { shape } of objects)
    for (const [name, field] of Object.entries(shape as Record<string, z.core.$ZodType>))
      fields.set(name, [...(fields.get(name) ?? []), field])
  return fields
}

/** The first property of a value, at whatever depth, that nearly has the name of one that the schemas know; null when none has. */
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
  const objects = alternatives.filter((schema): schema is z.ZodObject => schema instanceof z.ZodObject)
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
