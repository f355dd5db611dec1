import { describe, expect, it } from 'vitest'
import { breakingChanges } from '../../../scripts/openapi/breaking.ts'
import { openApi } from '../src/index.ts'

type Json = { [key: string]: any }

const sent = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 60 },
    depth: { type: 'integer', minimum: 1, maximum: 60 },
    mode: { type: 'string', enum: ['a', 'b'] },
    rows: { type: 'array', maxItems: 10, items: { type: 'object', properties: { column: { type: 'string' } } } },
    cap: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  },
}
const read = {
  type: 'object',
  required: ['id', 'total'],
  properties: {
    id: { type: 'string' },
    total: { type: 'integer' },
    note: { type: ['string', 'null'] },
    inner: { $ref: '#/components/schemas/Inner' },
  },
}
const description = (): Json => ({
  paths: {
    '/api/v1/things': {
      post: {
        operationId: 'makeThing',
        parameters: [
          { $ref: '#/components/parameters/Key' },
          { in: 'query', name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: 100 } },
        ],
        requestBody: { content: { 'application/json': { schema: structuredClone(sent) } } },
        responses: { 201: { content: { 'application/json': { schema: structuredClone(read) } } }, 400: {} },
      },
    },
  },
  webhooks: {
    'thing.made': { post: { requestBody: { content: { 'application/json': { schema: structuredClone(read) } } } } },
  },
  components: {
    parameters: { Key: { in: 'header', name: 'Idempotency-Key', required: false, schema: { type: 'string' } } },
    schemas: {
      Inner: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'integer' }, self: { $ref: '#/components/schemas/Inner' } },
      },
    },
  },
})
const operationOf = (of: Json) => of.paths['/api/v1/things'].post as Json
const bodyOf = (of: Json) => operationOf(of).requestBody.content['application/json'].schema as Json
const shareBoth = (of: Json): void => {
  of.components.requestBodies = { Made: operationOf(of).requestBody }
  of.components.responses = { Made: operationOf(of).responses['201'] }
  operationOf(of).requestBody = { $ref: '#/components/requestBodies/Made' }
  operationOf(of).responses['201'] = { $ref: '#/components/responses/Made' }
}
const answerOf = (of: Json) => operationOf(of).responses['201'].content['application/json'].schema as Json

const after = (change: (of: Json) => void): string[] => {
  const changed = description()
  change(changed)
  return breakingChanges(description(), changed)
}

describe('breaks callers', () => {
  it.each<[string, (of: Json) => void, string]>([
    ['an operation removed', (of) => delete of.paths['/api/v1/things'], 'POST /api/v1/things was removed'],
    ['an operation renamed', (of) => (operationOf(of).operationId = 'x'), 'operationId is now x'],
    ['a parameter removed', (of) => operationOf(of).parameters.pop(), 'parameter query limit was removed'],
    [
      'a parameter required',
      (of) => (operationOf(of).parameters[1].required = true),
      'parameter query limit is now required',
    ],
    [
      'a new required parameter',
      (of) => operationOf(of).parameters.push({ in: 'query', name: 'x', required: true, schema: {} }),
      'parameter query x is new and required',
    ],
    ['a bound tightened', (of) => (operationOf(of).parameters[1].schema.maximum = 50), 'maximum is now 50 (was 100)'],
    ['a field no longer taken', (of) => delete bodyOf(of).properties.depth, 'body: field depth was removed'],
    ['a field now required', (of) => bodyOf(of).required.push('depth'), 'body: field depth is now required'],
    ['a type narrowed', (of) => (bodyOf(of).properties.cap = { type: 'integer' }), 'body.cap: no longer takes null'],
    ['a value no longer taken', (of) => bodyOf(of).properties.mode.enum.pop(), 'body.mode: no longer takes b'],
    [
      'free text now an enum',
      (of) => (bodyOf(of).properties.name = { type: 'string', maxLength: 60, enum: ['x'] }),
      'body.name: now takes only x',
    ],
    ['a text shorter', (of) => (bodyOf(of).properties.name.maxLength = 59), 'maxLength is now 59'],
    ['a list shorter', (of) => (bodyOf(of).properties.rows.maxItems = 9), 'maxItems is now 9'],
    [
      'a field of a row no longer taken',
      (of) => delete bodyOf(of).properties.rows.items.properties.column,
      'body.rows[]: field column was removed',
    ],
    ['an answer field removed', (of) => delete answerOf(of).properties.id, '201: field id was removed'],
    ['an answer field that may be missing', (of) => answerOf(of).required.pop(), '201: field total may now be missing'],
    [
      'an answer field that may be null',
      (of) => (answerOf(of).properties.id = { anyOf: [{ type: 'string' }, { type: 'null' }] }),
      '201.id: may now be null',
    ],
    [
      'an answer type changed',
      (of) => (answerOf(of).properties.total = { type: 'string' }),
      '201.total: may now be string',
    ],
    [
      'a field of a shared schema removed',
      (of) => delete of.components.schemas.Inner.properties.a,
      '201.inner: field a was removed',
    ],
    [
      'a success status gone',
      (of) => (
        (operationOf(of).responses['200'] = operationOf(of).responses['201']), delete operationOf(of).responses['201']
      ),
      'no longer answers 201',
    ],
    [
      'a field of a body and of an answer gone that are now described once for several operations',
      (of) => {
        delete bodyOf(of).properties.mode
        delete answerOf(of).properties.total
        shareBoth(of)
      },
      'field mode was removed',
    ],
    ['an event removed', (of) => delete of.webhooks['thing.made'], 'event thing.made was removed'],
    [
      'a field of an event removed',
      (of) => delete of.webhooks['thing.made'].post.requestBody.content['application/json'].schema.properties.total,
      'event thing.made: field total was removed',
    ],
  ])('%s', (_what, change, words) => expect(after(change).join('\n')).toContain(words))
})

describe('breaks nobody', () => {
  it.each<[string, (of: Json) => void]>([
    ['nothing changed', () => {}],
    ['an operation added', (of) => (of.paths['/api/v1/more'] = { get: { operationId: 'more', responses: {} } })],
    ['an optional argument added', (of) => (bodyOf(of).properties.extra = { type: 'string' })],
    ['an argument no longer required', (of) => (bodyOf(of).required = [])],
    [
      'a bound loosened, a value added, a type widened',
      (of) => (
        (bodyOf(of).properties.depth.maximum = 90),
        bodyOf(of).properties.mode.enum.push('c'),
        (bodyOf(of).properties.depth.type = 'number')
      ),
    ],
    [
      'an answer field added, one that is always there now, one that is null no more',
      (of) => (
        (answerOf(of).properties.extra = { type: 'string' }),
        answerOf(of).required.push('note'),
        (answerOf(of).properties.note = { type: 'string' })
      ),
    ],
    ['another description', (of) => (operationOf(of).description = 'words')],
    [
      'a schema moved into components',
      (of) => (
        (of.components.schemas.Id = { type: 'string' }),
        (answerOf(of).properties.id = { $ref: '#/components/schemas/Id' })
      ),
    ],
    ['a body and an answer moved into components', (of) => shareBoth(of)],
    ['another error', (of) => (operationOf(of).responses['422'] = {})],
  ])('%s', (_what, change) => expect(after(change)).toEqual([]))

  it('the interface does not break itself', () => {
    const now = JSON.parse(JSON.stringify(openApi())) as Json
    expect(breakingChanges(now, now)).toEqual([])
  })
})
