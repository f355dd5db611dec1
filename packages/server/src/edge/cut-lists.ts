/**
 * Lists that are longer than they may be are cut before they are judged: a schema looks at every item before it counts them, and
 * 80,000 rows of a filter, of which 50 are allowed, cost it half a second.
 */
import { z } from 'zod'

/** What a schema says once `optional`, `nullable`, defaults and transforms around it are taken off. */
function within(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod as { def: { innerType?: z.core.$ZodType; in?: z.core.$ZodType } }
  const inner = def.innerType ?? def.in
  return inner === undefined ? schema : within(inner)
}

/** How many items a list may have. */
const longestOf = (list: z.ZodArray): number =>
  Math.min(
    ...(list._zod.def.checks ?? []).map(
      ({ _zod: { def } }) => (def as { maximum?: number }).maximum ?? Number.POSITIVE_INFINITY,
    ),
  )

/** A value with every list one longer than its schema allows at most, which is enough to be refused for its length. */
export function cutLists(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = within(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const bound = longestOf(inner)
    return value.length > bound + 1 ? value.slice(0, bound + 1) : value
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value
  const cut: Record<string, unknown> = { ...value }
  for (const [name, field] of Object.entries(inner.shape as Record<string, z.core.$ZodType>))
    if (Object.hasOwn(cut, name)) cut[name] = cutLists(field, cut[name])
  return cut
}
