import { expect, it } from 'vitest'
import type { Json } from './schema.ts'
import { shareFields } from './share-fields.ts'

const long = (name: string) => ({ type: 'string', description: name.repeat(60) })
const part: Json = { type: 'object', properties: { first: long('first'), other: long('other') }, required: ['first'] }
const more = { properties: { ...(part.properties as Json), third: long('third') }, required: ['first', 'third'] }

it('an open object that holds another is that one and what it adds; one that is closed or differs stays whole', () => {
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
