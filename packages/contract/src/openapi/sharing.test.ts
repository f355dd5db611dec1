import { expect, it } from 'vitest'
import { openApi } from './index.ts'
import type { Json } from './schema.ts'
import { families, namedParts, shareFamilies, shareFields, shareParts, shareRepeated } from './sharing.ts'

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
  const holder: Json = { a: { is: 1 }, b: { is: 1 }, c: { is: 2 }, d: { is: 2 }, e: { is: 3 } }
  const shared = shareRepeated(
    'responses',
    Object.keys(holder).map((key) => ({ holder, key, stem: 'Done' })),
  )
  expect(shared).toEqual({ Done: { is: 1 }, Done2: { is: 2 } })
  const [one, two] = ['Done', 'Done2'].map((name) => ({ $ref: `#/components/responses/${name}` }))
  expect(holder).toEqual({ a: one, b: one, c: two, d: two, e: { is: 3 } })
})

it('an open object that holds another is that one and what it adds; one that is closed or differs stays whole', () => {
  const long = (name: string) => ({ type: 'string', description: name.repeat(60) })
  const part: Json = { type: 'object', properties: { first: long('first'), other: long('other') }, required: ['first'] }
  const more = { properties: { ...(part.properties as Json), third: long('third') }, required: ['first', 'third'] }
  const closed = { type: 'object', ...more, additionalProperties: false }
  const looser = { type: 'object', ...more, required: ['third'] }
  const components = new Map<string, Json>([
    ['Part', part],
    ['Whole', { type: 'object', description: 'Both.', ...more }],
    ['Closed', closed],
    ['Looser', looser],
  ])
  shareFields(components)
  expect(Object.fromEntries(components)).toEqual({
    Part: part,
    Whole: {
      type: 'object',
      description: 'Both.',
      allOf: [{ $ref: '#/components/schemas/Part' }],
      required: ['third'],
      properties: { third: long('third') },
    },
    Closed: closed,
    Looser: looser,
  })
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
