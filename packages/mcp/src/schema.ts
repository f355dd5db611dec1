/** JSON Schemas of tools: the contract's schemas, merged over a tool's operations and cut to what a model needs. */
import { alternativesOf, meanings, wholeSchema, type Operation } from '@les/contract'

export type Schema = { readonly [key: string]: unknown }

export type Properties = Readonly<Record<string, Schema>>

export type Fields = { readonly properties: Properties; readonly required: readonly string[] }

/**
 * Keys kept of a schema. Inputs must suit the strictest common client: no format, constant, default or alternatives.
 * `nullMeans` is ours; `inWords` turns it into part of the description.
 */
const keptKeys = {
  input: [
    'type',
    'enum',
    'description',
    'nullMeans',
    'minimum',
    'maximum',
    'maxItems',
    'properties',
    'required',
    'items',
  ],
  output: ['type', 'properties', 'items', 'anyOf', 'oneOf'],
} as const

/** A maximum that only repeats the usual integer limit is dropped. */
const unbounded = 2_147_483_647

function foldNull(node: Schema): Schema {
  const options = (node.anyOf ?? node.oneOf) as Schema[] | undefined
  if (!options) return node
  const { anyOf: _any, oneOf: _one, ...rest } = node
  const some = options.filter((option) => option.type !== 'null')
  const nullable = some.length < options.length
  if (some.length !== 1) return { ...rest, anyOf: options }
  const [only] = some as [Schema]
  const type = nullable && typeof only.type === 'string' ? { type: [only.type, 'null'] } : {}
  return { ...only, ...rest, ...type, ...(nullable && Array.isArray(only.enum) ? { enum: [...only.enum, null] } : {}) }
}

/** JSON types that a schema accepts; empty: any. */
export function kindsOf(node: Schema): readonly string[] {
  const kinds = alternativesOf(node).flatMap(({ type, enum: options, const: only }) => {
    if (type !== undefined) return type as string | string[]
    const values = Array.isArray(options) ? options : only === undefined ? [] : [only]
    return values.map((value) => (value === null ? 'null' : typeof value))
  })
  return [...new Set(kinds)]
}

const ofNull = (description: unknown): string => {
  const clauses = typeof description === 'string' ? description.split(/[.;] /) : []
  const about = clauses.find((clause) => /\bnull\b/i.test(clause) && !/left out|absent/.test(clause))
  return about?.replace(/\.$/, '').replace(/^Null/, 'null') ?? ''
}

/** An argument with a single type; several alternatives become text, which arguments.ts parses. */
function singleType(node: Schema): Schema {
  const kinds = kindsOf(node)
  const some = kinds.filter((kind) => kind !== 'null')
  const [kind = 'string'] = some.length === 1 ? some : []
  const shape: Schema = some.length === 1 ? alternativesOf(node).find((one) => kindsOf(one).includes(kind))! : {}
  const {
    format,
    const: only,
    enum: options = only === undefined ? [] : [only],
    ...rest
  } = { ...shape, ...aside(node) }
  const choices = (options as readonly unknown[]).filter((value) => value !== null)
  const description = [
    typeof rest.description === 'string' ? brief(rest.description) : [],
    /^date/.test(String(format)) && !/\b(day|instant)\b/.test(String(rest.description)) ? 'day or instant' : [],
    some.length > 1 && some.includes('array') ? 'a list as JSON' : [],
  ].flat()
  return {
    ...rest,
    type: kind,
    ...(choices.length > 0 ? { enum: choices } : {}),
    ...(description.length === 0 ? {} : { description: description.join('; ') }),
    ...(kinds.includes('null') ? { nullMeans: ofNull(rest.description) } : {}),
  }
}

const aside = ({ anyOf: _any, oneOf: _one, ...rest }: Schema): Schema => rest

/** Adds the meaning of null to a description, in the reference's words if it has none of its own. */
function inWords({ nullMeans, ...node }: Schema, name = ''): Schema {
  const { description, properties, items } = node
  const isSaid = nullMeans === undefined || /\bnull\b/i.test(String(description ?? ''))
  const about = isSaid ? [] : nullMeans || ofNull(meanings[name]) || 'or null'
  const words = [description ?? [], about].flat().join('; ')
  return {
    ...node,
    ...(words === '' ? {} : { description: words }),
    ...(properties === undefined ? {} : { properties: finished(properties as Properties) }),
    ...(items === undefined ? {} : { items: inWords(items as Schema) }),
  }
}

/** Arguments as clients see them. */
export const finished = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, inWords(schema, name)]))

function brief(text: string): string {
  const sentence = text.split('. ')[0]!.replace(/\.$/, '')
  return sentence.length > 70 ? sentence.split('; ')[0]! : sentence
}

/** Row fields by name only: a model sees the rows, so types are not worth their tokens. */
const namesOnly = (properties: Properties): Properties =>
  Object.fromEntries(Object.keys(properties).map((name) => [name, {}]))

/** Fields by name, with a type only if there is a single one. */
export const typesOnly = (properties: Properties): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [name, typeof type === 'string' ? { type } : {}]),
  )

/** Larger parts of an answer are not described: a model reads them when they arrive. */
const fieldsWorthNaming = 8

/** Cuts a schema for a model: below `depth`, rows and small parts of answers list field names, the rest only a type. */
export function compact(node: Schema, io: 'input' | 'output', depth: number): Schema {
  const folded = io === 'input' ? singleType(node) : foldNull(node)
  const out: Record<string, unknown> = {}
  for (const key of keptKeys[io]) {
    const value = folded[key]
    if (value === undefined || (key === 'maximum' && value === unbounded)) continue
    if (key === 'properties') {
      if (depth > 0)
        out.properties = Object.fromEntries(
          Object.entries(value as Properties).map(([name, field]) => [name, compact(field, io, depth - 1)]),
        )
      else if (io === 'output' && (depth < 0 || Object.keys(value as Properties).length <= fieldsWorthNaming))
        out.properties = namesOnly(value as Properties)
    } else if (key === 'items') out.items = compact(value as Schema, io, io === 'output' ? -1 : depth)
    else if (key === 'anyOf' || key === 'oneOf')
      out.anyOf = (value as Schema[]).map((option) => compact(option, io, depth))
    else if (key === 'required') {
      if (depth > 0) out.required = value
    } else out[key] = value
  }
  if (io === 'output' && out.type === undefined && folded.const !== undefined) out.type = typeof folded.const
  if (io === 'output' && out.type === undefined && Array.isArray(folded.enum))
    out.type = [...new Set(folded.enum.map((value) => (value === null ? 'null' : typeof value)))]
  return out
}

const withoutDescription = ({ description: _description, nullMeans: _null, ...rest }: Schema): Schema => rest

/** The shortest schema that accepts whatever `one` or `other` accepts. */
function unionSchema(one: Schema, other: Schema): Schema {
  const description = one.description ?? other.description
  const nullMeans = one.nullMeans || (other.nullMeans ?? one.nullMeans)
  const described = {
    ...(description === undefined ? {} : { description }),
    ...(nullMeans === undefined ? {} : { nullMeans }),
  }
  if (JSON.stringify(withoutDescription(one)) === JSON.stringify(withoutDescription(other)))
    return { ...one, ...described }
  const types = [...new Set([one.type, other.type].flat())].filter((type) => type !== undefined)
  if (Array.isArray(one.enum) && Array.isArray(other.enum))
    return {
      type: types.length === 1 ? types[0] : types,
      enum: [...new Set([...one.enum, ...other.enum])],
      ...described,
    }
  if (one.items && other.items)
    return {
      type: types.length === 1 ? types[0] : types,
      items: unionSchema(one.items as Schema, other.items as Schema),
      ...described,
    }
  if (one.properties && other.properties)
    return {
      type: types.length === 1 ? types[0] : types,
      properties: mergeProperties([one.properties as Properties, other.properties as Properties]),
      ...described,
    }
  if (one.anyOf || other.anyOf || types.length === 0) return described
  return { type: types.length === 1 ? types[0] : types, ...described }
}

export function mergeProperties(all: readonly Properties[]): Properties {
  const merged: Record<string, Schema> = {}
  for (const properties of all)
    for (const [name, schema] of Object.entries(properties))
      merged[name] = merged[name] ? unionSchema(merged[name], schema) : schema
  return merged
}

/** An object schema's fields; for a union those of all members. */
export function fieldsOf(schema: Schema): Fields {
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (options) {
    const all = options.map(fieldsOf)
    return {
      properties: mergeProperties(all.map(({ properties }) => properties)),
      required: all[0]!.required.filter((name) => all.every(({ required }) => required.includes(name))),
    }
  }
  return { properties: (schema.properties ?? {}) as Properties, required: (schema.required ?? []) as string[] }
}

/** The path, query and body fields of an operation. */
export function inputFields(operation: Operation): Fields {
  const parts = [operation.params, operation.query, operation.body]
    .filter((part) => part !== null)
    .map((part) => fieldsOf(wholeSchema(part, 'input')))
  // Query fields with a default are required in the output, but not in what is sent.
  return {
    properties: mergeProperties(parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required),
  }
}

const bare = ({ type, properties, required, items }: Schema): Schema => ({
  type,
  ...(properties === undefined
    ? {}
    : {
        properties: Object.fromEntries(
          Object.entries(properties as Properties).map(([name, field]) => [name, bare(field)]),
        ),
      }),
  ...(required === undefined ? {} : { required }),
  ...(items === undefined ? {} : { items: bare(items as Schema) }),
})

/** Describes repeated rows once; later ones keep their types and refer to the first by name. */
export function saidOnce(properties: Properties, first = new Map<string, string>(), above = ''): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const path = `${above}${name}`
      if (schema.properties !== undefined)
        return [name, { ...schema, properties: saidOnce(schema.properties as Properties, first, `${path}.`) }]
      const items = JSON.stringify(schema.items ?? null)
      if (items.length < 200) return [name, schema]
      const known = first.get(items)
      if (known === undefined) {
        first.set(items, path)
        return [name, schema]
      }
      const description = `${schema.description === undefined ? 'Rows' : String(schema.description)}; rows as in ${known}`
      return [name, { ...schema, description, items: bare(schema.items as Schema) }]
    }),
  )
}

/** Answer fields with at most one type; every list has `items`. */
export function relaxedOutput(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type, properties: inner, items }]) => [
      name,
      {
        ...(typeof type === 'string' ? { type } : {}),
        ...(inner === undefined ? {} : { properties: relaxedOutput(inner as Properties) }),
        ...(items === undefined
          ? type === 'array'
            ? { items: {} }
            : {}
          : { items: relaxedOutput({ items: items as Schema }).items }),
      },
    ]),
  )
}
