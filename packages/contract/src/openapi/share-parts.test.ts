import { expect, it } from 'vitest'
import { openApi } from './index.ts'
import { families, makeShared, namedParts, shareFamilies, shareParts } from './share-parts.ts'
import type { Json } from './schema.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const mode = { type: 'string', enum: ['a', 'b'], description: 'How.' }

it('a part that stands in several places is said once, and data that looks like it stays data', () => {
  const components = new Map<string, Json>([
    ['One', { type: 'object', properties: { mode, list: { type: 'array', items: mode } }, example: { mode } }],
    ['Other', { anyOf: [mode, { type: 'null' }], default: mode }],
  ])
  shareParts(components, { Mode: 'One.mode' })
  expect(Object.fromEntries(components)).toEqual({
    One: {
      type: 'object',
      properties: { mode: ref('Mode'), list: { type: 'array', items: ref('Mode') } },
      example: { mode },
    },
    Other: { anyOf: [ref('Mode'), { type: 'null' }], default: mode },
    Mode: mode,
  })
  expect(() => shareParts(components, { Gone: 'One.gone' })).toThrow('One.gone')
})

it('a family shares the fields that all have in the same words and as surely', () => {
  const [id, note, at] = [{ type: 'string' }, { type: ['string', 'null'] }, { type: 'integer' }]
  const components = new Map<string, Json>([
    ['A', { type: 'object', properties: { id, note, at }, required: ['id', 'note'] }],
    ['B', { type: 'object', allOf: [ref('C')], properties: { id, note }, required: ['id'] }],
  ])
  shareFamilies(components, { Both: ['A', 'B'] })
  expect(Object.fromEntries(components)).toEqual({
    A: { type: 'object', allOf: [ref('Both')], properties: { note, at }, required: ['note'] },
    B: { type: 'object', allOf: [ref('C'), ref('Both')], properties: { note } },
    Both: { type: 'object', properties: { id }, required: ['id'] },
  })
})

it('what is written alike twice becomes a component with a name of its own', () => {
  const shared = makeShared('responses')
  const [one, two, alone] = [{ a: 1 }, { a: 2 }, { a: 3 }]
  for (const value of [one, one, two, two, alone]) shared.add({ ...value }, 'Done')
  expect([one, two, alone].map(shared.of)).toEqual([
    { $ref: '#/components/responses/Done' },
    { $ref: '#/components/responses/Done2' },
    alone,
  ])
  expect(shared.all()).toEqual({ Done: one, Done2: two })
})

it('every part and family of the tables is worth its name', () => {
  const { schemas } = openApi().components as { schemas: Record<string, Json> }
  const text = JSON.stringify(openApi())
  const uses = (name: string) => text.split(`"#/components/schemas/${name}"`).length - 1
  expect(Object.keys(namedParts).filter((name) => uses(name) < 2)).toEqual([])
  for (const [name, members] of Object.entries(families)) {
    expect([name, Object.keys(schemas[name]!.properties as Json).length]).toEqual([
      name,
      expect.toSatisfy((n) => n > 2),
    ])
    expect([name, uses(name)]).toEqual([name, members.length])
  }
})
