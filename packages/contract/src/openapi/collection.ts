/** The registry as a Postman collection (2.1.0): every operation with its example, and a test of its answer. */
import { errorTable } from '../errors.ts'
import { declaredErrors, tagDescriptions, takesIdempotencyKey, type Operation } from '../operation.ts'
import { basePath, interfaceVersion, registry } from '../registry.ts'
import { recordedExamples } from './index.ts'
import type { Json } from './schema.ts'

const statusesOf = (operation: Operation): number[] => [
  ...new Set([
    operation.status,
    ...(operation.otherStatus ? [operation.otherStatus.status] : []),
    ...declaredErrors(operation).map((key) => errorTable[key].status),
  ]),
]

const testOf = (operation: Operation): string[] => [
  `pm.test('the answer is one that ${operation.id} declares', () => {`,
  `  pm.expect(pm.response.code).to.be.oneOf(${JSON.stringify(statusesOf(operation))})`,
  '  const body = pm.response.json()',
  "  if (pm.response.code >= 400) pm.expect(body).to.include.keys('error', 'requestId')",
  '})',
]

function urlOf({ id, path }: Operation): Json {
  const recorded = recordedExamples.operations[id]
  const segments = `${basePath}${path}`.split('/').slice(1)
  const names = segments.flatMap((segment) => /^\{(\w+)\}$/.exec(segment)?.[1] ?? [])
  const query = Object.entries(recorded?.query ?? {}).map(([key, value]) => ({ key, value: String(value) }))
  const search = query.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&')
  const shown = segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'))
  return {
    raw: `{{baseUrl}}/${shown.join('/')}${search === '' ? '' : `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: shown,
    ...(query.length > 0 ? { query } : {}),
    ...(names.length > 0
      ? { variable: names.map((key) => ({ key, value: String(recorded?.params[key] ?? 'example') })) }
      : {}),
  }
}

function itemOf(operation: Operation): Json {
  const sent = recordedExamples.operations[operation.id]?.request ?? operation.example
  const hasBody = operation.body !== null
  return {
    name: operation.summary,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: testOf(operation) } }],
    request: {
      method: operation.method,
      description: operation.description,
      header: [
        ...(hasBody ? [{ key: 'Content-Type', value: 'application/json' }] : []),
        ...(takesIdempotencyKey(operation) ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      url: urlOf(operation),
      ...(hasBody ? { body: { mode: 'raw', raw: JSON.stringify(sent ?? {}, null, 2) } } : {}),
    },
  }
}

/** Builds the collection; the API key is the variable `apiKey`, left empty. */
export function postmanCollection(serverUrl = 'http://127.0.0.1:8080'): Json {
  const operations = registry as readonly Operation[]
  return {
    info: {
      name: 'Lead Engagement Service',
      version: interfaceVersion,
      description:
        'Set the variables baseUrl and apiKey. Calls that charge are refused with figures until you send ' +
        'confirmSpend.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key' },
        { key: 'value', value: '{{apiKey}}' },
        { key: 'in', value: 'header' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: serverUrl },
      { key: 'apiKey', value: '' },
    ],
    item: Object.entries(tagDescriptions).map(([tag, description]) => ({
      name: tag,
      description,
      item: operations.filter((operation) => operation.tag === tag).map(itemOf),
    })),
  }
}
