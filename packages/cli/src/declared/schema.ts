/** The JSON Schema of a file, for editors: made from the contract's own fields. */
import { describeSchema } from '@les/contract'
import type { z } from 'zod'
import { sections, settable, sourceKeys, tracking, type Fields } from './document.ts'

function fields(id: Parameters<typeof settable>[0], names: Readonly<Record<string, string>> = {}): Fields {
  const properties = Object.entries(settable(id)).map(([name, schema]) => {
    const inFile = Object.entries(names).find(([, inBody]) => inBody === name)?.[0] ?? name
    const { $schema: _schema, ...described } = describeSchema(schema as z.ZodType, 'input')
    // A field of its own has no place for definitions: what it refers to is anything.
    const { $defs: _defs, ...whole } = described
    return [inFile, JSON.stringify(whole).includes('"$ref"') ? {} : whole] as const
  })
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) }
}

const orNothing = (schema: Fields): Fields => ({ anyOf: [schema, { type: 'null' }] })

/** Builds it. */
export function fileSchema(): Fields {
  const entry = (key: (typeof sourceKeys)[number]): Fields => ({
    type: 'object',
    required: [key],
    additionalProperties: false,
    properties: {
      [key]: key === 'search' ? { type: 'array', items: { type: 'string' } } : { type: 'string' },
      settings: fields(tracking[key].operationId),
      webhook: orNothing(fields(sections.webhook.operationId, sections.webhook.names)),
      icp: fields(sections.icp.operationId),
      outreach: orNothing(fields(sections.outreach.operationId)),
    },
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'What a team tracks, and where its leads go (les config)',
    type: 'object',
    required: ['version'],
    additionalProperties: false,
    properties: {
      version: { const: 1 },
      sources: { type: 'array', items: { oneOf: sourceKeys.map(entry) } },
      agent: orNothing(fields('updateAgent')),
    },
  }
}
