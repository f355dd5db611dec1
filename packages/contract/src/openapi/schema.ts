import { z } from 'zod'
import { isoDateTime } from '../values/index.ts'
import { meaningOf } from './meanings.ts'

export type Json = { [key: string]: unknown }

/** Describes a zod schema as JSON Schema; a schema's own `openapi` meta replaces what zod derives. */
export function describeSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: node }) => {
      const described = z.globalRegistry.get(zodSchema)?.openapi as Json | undefined
      if (described) {
        // zod derives an enum of texts for a query boolean, which would contradict `type: boolean`.
        for (const key of Object.keys(node)) if (key !== 'description' && key !== 'default') delete (node as Json)[key]
        Object.assign(node, described)
      }
      delete (node as Json).openapi
    },
  }) as Json
}

function inline(node: unknown, definitions: Json): unknown {
  if (Array.isArray(node)) return node.map((item) => inline(item, definitions))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node as Json
  const named = typeof $ref === 'string' ? (definitions[$ref.slice('#/$defs/'.length)] as Json) : {}
  return Object.fromEntries(
    Object.entries({ ...named, ...rest }).map(([key, value]) => [key, inline(value, definitions)]),
  )
}

/** A zod schema as one self-contained JSON Schema. */
export function wholeSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $defs, $schema: _schema, ...rest } = describeSchema(schema, io)
  return inline(rest, ($defs ?? {}) as Json) as Json
}

/** The schemas that a value may have, with unions flattened. */
export const alternativesOf = (node: Json): Json[] => {
  const options = (node.anyOf ?? node.oneOf) as Json[] | undefined
  return options ? options.flatMap(alternativesOf) : [node]
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const formats = new Set(['uuid', 'date-time', 'date'])

/** Keywords that only restate the type or format of whole numbers, ids and instants. */
const isNoise = (key: string, node: Json): boolean =>
  ((key === 'minimum' || key === 'maximum') && Math.abs(node[key] as number) === Number.MAX_SAFE_INTEGER) ||
  (key === 'pattern' && formats.has(node.format as string))

function foldNull(node: Json): Json {
  const options = node.anyOf as Json[] | undefined
  if (options?.length !== 2 || options[1]!.type !== 'null') return node
  const [{ type, ...rest }] = options as [Json]
  if (typeof type !== 'string' || 'enum' in rest || 'const' in rest) return node
  const { anyOf: _anyOf, ...outer } = node
  return { ...rest, ...outer, type: [type, 'null'] }
}

/**
 * Adds the meaning of every property whose schema has none, and opens objects that are read: a new field in an answer must
 * not break callers that validate (docs/compatibility.md).
 */
export function addMeanings(node: unknown, path: readonly string[], io: 'input' | 'output'): unknown {
  if (Array.isArray(node)) return node.map((item) => addMeanings(item, path, io))
  if (!isObject(node)) return node
  const out: Json = {}
  const folded = foldNull(node)
  for (const [key, value] of Object.entries(folded)) {
    if ((key === 'additionalProperties' && io === 'output' && value === false) || isNoise(key, folded)) continue
    if (key === 'properties' && isObject(value))
      out.properties = Object.fromEntries(
        Object.entries(value).map(([name, property]) => [name, addPropertyMeaning(property, [...path, name], io)]),
      )
    // Examples and enumeration values are data, not schemas.
    else if (key === 'example' || key === 'examples' || key === 'enum' || key === 'const' || key === 'default')
      out[key] = value
    else out[key] = addMeanings(value, path, io)
  }
  return out
}

function addPropertyMeaning(property: unknown, path: readonly string[], io: 'input' | 'output'): unknown {
  const described = addMeanings(property, path, io)
  // The general description of instants is replaced by the meaning of this field.
  const own = isObject(described) ? described.description : ''
  if (!isObject(described) || (typeof own === 'string' && own !== isoDateTime.description)) return described
  const description = meaningOf(path)
  return description === undefined ? described : { ...described, description }
}

/** Named schemas collected while a description is built. */
export type Components = Map<string, Json>

/** Converts a zod schema, moving named parts into `components`; `owner` is the name of an unnamed schema in `meanings.json`. */
export function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  { components, owner }: { readonly components: Components; readonly owner: string },
): Json {
  const made = describeSchema(schema, io)
  const rewritten = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
  for (const [name, definition] of Object.entries((rewritten.$defs ?? {}) as Record<string, Json>)) {
    const { id: _id, ...rest } = definition
    components.set(name, addMeanings(rest, [name], io) as Json)
  }
  const { $schema: _schema, $defs: _defs, id, ...rest } = rewritten
  if (typeof id !== 'string') return addMeanings(rest, [owner], io) as Json
  components.set(id, addMeanings(rest, [id], io) as Json)
  return { $ref: `#/components/schemas/${id}` }
}

const worthNaming = 150

/**
 * Names an anonymous body or answer, so that clients get a type for it. Operations of one family share the name:
 * `getProfileWebhook` and `getCompanyWebhook` both answer `GetWebhookAnswer`.
 */
export function nameSchema(
  schema: Json,
  { operationId, what }: { readonly operationId: string; readonly what: 'Body' | 'Answer' },
  components: Components,
): Json {
  const text = JSON.stringify(schema)
  if (text.length < worthNaming || '$ref' in schema) return schema
  const nameOf = (id: string) => `${id[0]!.toUpperCase()}${id.slice(1)}${what}`
  for (const [name, known] of components)
    if (name.endsWith(what) && JSON.stringify(known) === text) return { $ref: `#/components/schemas/${name}` }
  for (const name of [nameOf(operationId.replace(/Profile|Company/, '')), nameOf(operationId)]) {
    if (components.has(name)) continue
    components.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }
  return schema
}
