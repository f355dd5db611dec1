/** Named objects that hold all fields of another are said as that one and what they add. Pure but for the components it changes. */
import type { Components, Json } from './schema.ts'

type Fields = Readonly<Record<string, unknown>>

const propertiesOf = (schema: Json): Fields => (schema.properties ?? {}) as Fields
const requiredOf = (schema: Json): readonly string[] => (schema.required ?? []) as readonly string[]
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const plainKeys = new Set(['type', 'properties', 'required', 'description'])

/** True for an object that others may be made of: open, and nothing but its fields. */
const isPlain = (schema: Json): boolean =>
  schema.type === 'object' && schema.properties !== undefined && Object.keys(schema).every((key) => plainKeys.has(key))

/** True when `whole` has every field of `part`, described in the same words and as surely there, and more besides. */
const holds = (whole: Json, part: Json): boolean => {
  const [all, some] = [propertiesOf(whole), Object.entries(propertiesOf(part))]
  return (
    some.length < Object.keys(all).length &&
    some.every(([name, schema]) => isSame(all[name], schema)) &&
    requiredOf(part).every((name) => requiredOf(whole).includes(name))
  )
}

/** The length that a reference has to be worth. */
const worthSharing = 300

const lengthOf = (schema: Json): number => JSON.stringify(schema.properties).length

/**
 * Writes each open object that holds all fields of another as `allOf` that one and the rest. What is valid stays the same; an
 * object that is closed stays whole, for `additionalProperties: false` would forbid the fields of the other.
 */
export function shareFields(components: Components): void {
  const before = new Map([...components].filter(([, schema]) => isPlain(schema)))
  for (const [name, schema] of before) {
    const [part] = [...before]
      .filter(([other, each]) => other !== name && lengthOf(each) > worthSharing && holds(schema, each))
      .sort(([, a], [, b]) => lengthOf(b) - lengthOf(a))
    if (!part) continue
    const [parent, shared] = part
    const required = requiredOf(schema).filter((field) => !requiredOf(shared).includes(field))
    const { properties, required: _all, ...rest } = schema
    components.set(name, {
      ...rest,
      allOf: [{ $ref: `#/components/schemas/${parent}` }],
      ...(required.length > 0 ? { required } : {}),
      properties: Object.fromEntries(
        Object.entries(properties as Fields).filter(([field]) => !(field in propertiesOf(shared))),
      ),
    })
  }
}
