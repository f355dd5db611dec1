import type { z } from 'zod'
import { errorTable } from '../errors.ts'
import { eventExamples, events, type EventName } from '../events.ts'
import { declaredErrors, tagDescriptions, takesIdempotencyKey, type Operation } from '../operation.ts'
import { basePath, interfaceVersion, registry } from '../registry.ts'
import { examplesOf, refusalExamples, type RecordedExamples } from './examples.ts'
import recordedFile from './recorded.json' with { type: 'json' }
import { deliveryParameters, headers, howTo, parameters as sharedParameters } from './info.ts'
import { describeJobs } from './jobs.ts'
import { everyHeader, makeResponses } from './refusals.ts'
import { jsonSchema, nameSchema, type Components, type Json } from './schema.ts'
import { shareFamilies, shareFields, shareParts, shareRepeated, type Place } from './sharing.ts'

export { alternativesOf, describeSchema, wholeSchema } from './schema.ts'
export { meanings } from './meanings.ts'
export type { RecordedExamples } from './examples.ts'

export const recordedExamples = recordedFile as unknown as RecordedExamples

const chargeNote = 'Can charge credits: send an Idempotency-Key (see Spending).'

type DescriptionSettings = {
  /** Origin of the service, `/` by default. */
  readonly serverUrl?: string
  /** Default: the committed recordings. */
  readonly examples?: RecordedExamples
}

const pascal = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}`

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

function parametersOf(operation: Operation, components: Components, recorded: RecordedExamples): Json[] {
  const exampleOf = (name: string, where: 'path' | 'query'): Json => {
    const value = recorded.operations[operation.id]?.[where === 'path' ? 'params' : 'query'][name]
    return value === undefined ? {} : { example: value }
  }
  const of = (schema: z.ZodType, where: 'path' | 'query'): Json[] => {
    const object = jsonSchema(schema, 'input', { components, owner: operation.id })
    const required = (object.required ?? []) as string[]
    return Object.entries((object.properties ?? {}) as Record<string, Json>).map(
      ([name, { description, ...rest }]) => ({
        name,
        in: where,
        ...(where === 'path' || required.includes(name) ? { required: true } : {}),
        ...(description === undefined ? {} : { description }),
        schema: rest,
        ...exampleOf(name, where),
      }),
    )
  }
  const header = takesIdempotencyKey(operation) ? 'IdempotencyKey' : 'IfNoneMatch'
  return [...of(operation.params, 'path'), ...of(operation.query, 'query'), ref('parameters', header)]
}

const stemOf = (holder: Json, operation: Operation): string => {
  const { schema } = (holder.content as Json)['application/json'] as { schema: Json }
  return typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : pascal(operation.id)
}

/** The parts that several operations may describe identically. */
function placesOf(operation: Operation, described: Json) {
  const { parameters, requestBody, responses } = described as { [key in string]: Json }
  return {
    parameters: Object.entries(parameters as Record<string, Json>)
      .filter(([, parameter]) => !('$ref' in parameter))
      .map(([key, { in: where, name }]): Place => {
        const stem = `${where === 'path' ? 'Path' : 'Query'}${pascal(String(name))}`
        return { holder: parameters!, key, stem }
      }),
    requestBodies: requestBody ? [{ holder: described, key: 'requestBody', stem: stemOf(requestBody, operation) }] : [],
    responses: Object.entries(responses as Record<string, Json>)
      .filter(([status]) => status.startsWith('2'))
      .map(([key, response]): Place => ({ holder: responses!, key, stem: `${key}.${stemOf(response, operation)}` })),
  }
}

const isFollowed = ({ path }: Operation): boolean => /\/sync$|\/status$|^\/pushes\//.test(path)

const successHeaders = (operation: Operation): Json =>
  Object.fromEntries(
    (takesIdempotencyKey(operation)
      ? ['Idempotency-Replayed']
      : ['ETag', ...(isFollowed(operation) ? ['Retry-After'] : [])]
    ).map((name) => [name, ref('headers', name)]),
  )

function responsesOf(
  operation: Operation,
  {
    components,
    shared,
    recorded,
  }: {
    readonly components: Components
    readonly shared: ReturnType<typeof makeResponses>
    readonly recorded: RecordedExamples
  },
): Json {
  const success = (status: number, description: string): Json => ({
    description,
    headers: { ...everyHeader, ...successHeaders(operation) },
    content: {
      'application/json': {
        schema: nameSchema(
          jsonSchema(operation.success, 'output', { components, owner: operation.id }),
          { operationId: operation.id, what: 'Answer' },
          components,
        ),
        ...examplesOf(recorded, operation, status),
      },
      ...(operation.csv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
    },
  })
  const { status, otherStatus } = operation
  // A constant text: the summary already says what was done, and repeating it would keep answers from being shared.
  const answers: Json = { [status]: success(status, 'Done.') }
  if (otherStatus)
    answers[otherStatus.status] = success(otherStatus.status, `Done: when \`${otherStatus.when}\` is true.`)
  if (!takesIdempotencyKey(operation)) answers[304] = ref('responses', '304')
  const byStatus = Map.groupBy(declaredErrors(operation), (key) => errorTable[key].status)
  for (const [refused, keys] of [...byStatus].sort(([a], [b]) => a - b)) answers[refused] = shared.of(refused, keys)
  return answers
}

/** Null is allowed where it has a meaning (CON-12). */
const bodySchema = (operation: Operation, schema: Json): Json =>
  operation.nullBody ? { anyOf: [schema, { type: 'null' }] } : schema

const needsBody = (schema: Json, components: Components): boolean => {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : undefined
  const { required, anyOf } = (name === undefined ? schema : components.get(name)!) as {
    required?: string[]
    anyOf?: Json[]
  }
  return anyOf !== undefined ? anyOf.every((each) => needsBody(each, components)) : (required ?? []).length > 0
}

function requestExamples(sent: unknown, written: Json | undefined): Json {
  const example = sent ?? written
  if (example === undefined) return {}
  const fields = (value: unknown): string =>
    Object.keys(value as Json)
      .sort()
      .join()
  if (sent === undefined || written === undefined || fields(sent) === fields(written)) return { example }
  return {
    examples: { usual: { summary: 'The usual way', value: sent }, other: { summary: 'Another way', value: written } },
  }
}

function requestBody(operation: Operation, components: Components, recorded: RecordedExamples): Json {
  if (operation.body === null) return {}
  const made = jsonSchema(operation.body, 'input', { components, owner: operation.id })
  const schema = nameSchema(made, { operationId: operation.id, what: 'Body' }, components)
  const sent = recorded.operations[operation.id]?.request
  return {
    requestBody: {
      required: operation.nullBody === undefined && needsBody(schema, components),
      content: {
        'application/json': {
          schema: bodySchema(operation, schema),
          ...requestExamples(sent, operation.example),
        },
      },
    },
  }
}

function webhooks(components: Components): Json {
  return Object.fromEntries(
    Object.entries(events).map(([name, schema]) => [
      name,
      {
        post: {
          operationId: `event.${name}`,
          summary: `Sent to the webhook: ${name}`,
          description:
            'Signed: X-Service-Signature is v1=<hex HMAC-SHA256 of timestamp.body>. The three Standard Webhooks ' +
            'headers are sent too.',
          parameters: Object.keys(deliveryParameters).map((parameter) => ref('parameters', parameter)),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: jsonSchema(schema, 'output', { components, owner: name }),
                example: eventExamples[name as EventName],
              },
            },
          },
          responses: {
            '2XX': { description: 'Any 2xx response within 15 seconds is a success. Anything else is retried.' },
          },
        },
      },
    ]),
  )
}

const sorted = (entries: Iterable<readonly [string, unknown]>): Json =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))

/** Builds the OpenAPI 3.1 description that `/openapi.json` serves; pure. */
export function openApi({ serverUrl = '/', examples: recorded = recordedExamples }: DescriptionSettings = {}): Json {
  const components: Components = new Map()
  const shared = makeResponses(components, refusalExamples(recorded, registry))
  const paths: Record<string, Json> = {}
  const places: ReturnType<typeof placesOf>[] = []
  for (const operation of registry as readonly Operation[]) {
    const path = `${basePath}${operation.path}`
    const described: Json = {
      operationId: operation.id,
      tags: [operation.tag],
      summary: operation.summary,
      description: operation.charges ? `${operation.description} ${chargeNote}` : operation.description,
      ...(operation.charges ? { 'x-charges-credits': true } : {}),
      parameters: parametersOf(operation, components, recorded),
      ...requestBody(operation, components, recorded),
      responses: responsesOf(operation, { components, shared, recorded }),
    }
    places.push(placesOf(operation, described))
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described }
  }
  const [parameters, requestBodies, responses] = (['parameters', 'requestBodies', 'responses'] as const).map((kind) =>
    shareRepeated(
      kind,
      places.flatMap((each) => each[kind]),
    ),
  )
  const sent = webhooks(components)
  describeJobs(components)
  shareParts(components)
  shareFields(components)
  shareFamilies(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lead Engagement Service',
      version: interfaceVersion,
      description: howTo,
      contact: { name: 'The operator of this service' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-all-rights-reserved' },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: sent,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key of the team, cs_….' },
      },
      parameters: { ...sharedParameters, ...parameters, ...deliveryParameters },
      headers,
      responses: {
        304: {
          description: 'Not modified: the response that the caller holds is still current.',
          headers: { ...everyHeader, ETag: ref('headers', 'ETag') },
        },
        ...responses,
        ...shared.all(),
      },
      requestBodies,
      schemas: sorted(components),
    },
  }
}
