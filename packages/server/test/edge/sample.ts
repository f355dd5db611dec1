import { describeSchema } from '@les/contract'
import type { z } from 'zod'

type Schema = { readonly [key: string]: any }

const texts: Readonly<Record<string, string>> = {
  uuid: '0190a1b2-0000-7000-8000-000000000001',
  'date-time': '2026-06-01T12:00:00.000Z',
  uri: 'https://example.com/',
}

function ofSchema(schema: Schema, definitions: Schema): unknown {
  if (typeof schema.$ref === 'string') return ofSchema(definitions[schema.$ref.split('/').at(-1)!], definitions)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.anyOf ?? schema.oneOf) return ofSchema((schema.anyOf ?? schema.oneOf).at(-1), definitions)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part: Schema) => ofSchema(part, definitions)))
  const type = Array.isArray(schema.type) ? schema.type.at(-1) : schema.type
  if (type === 'object')
    return Object.fromEntries(
      ((schema.required ?? []) as string[]).map((name) => [name, ofSchema(schema.properties[name], definitions)]),
    )
  if (type === 'array') return []
  if (type === 'string')
    return (
      texts[schema.format] ?? (schema.pattern?.includes('\\d') ? '1' : 'x'.repeat(Math.max(1, schema.minLength ?? 1)))
    )
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return true
  return null
}

/** The smallest value that a schema accepts, for stubs that must answer as the contract promises. */
export function sampleOf(schema: z.ZodType): unknown {
  const described = describeSchema(schema, 'output') as Schema
  return ofSchema(described, described.$defs ?? {})
}
