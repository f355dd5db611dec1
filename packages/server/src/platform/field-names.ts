/** Names of fields: those a schema knows, and which of them a misspelt name probably means. Pure. */
import { z } from 'zod'

/** A name reduced to what people write alike: lower case, without `_` and `-`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/** The alternatives of a schema, without its wrappers (optional, default, transform). */
export function alternativesOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternativesOf)
  const { def } = schema._zod as { def: { [Part in 'innerType' | 'in' | 'out']?: z.core.$ZodType } }
  if (def.innerType !== undefined) return alternativesOf(def.innerType)
  if (def.in === undefined) return [schema]
  return alternativesOf(def.in instanceof z.ZodTransform ? def.out! : def.in)
}

export const objectsOf = (schemas: readonly z.core.$ZodType[]): z.ZodObject[] =>
  schemas.flatMap(alternativesOf).filter((schema): schema is z.ZodObject => schema instanceof z.ZodObject)

export function fieldsOf(objects: readonly z.ZodObject[]): ReadonlyMap<string, readonly z.core.$ZodType[]> {
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
