/** The registry as an OpenAPI 3.1 description; pure. */
import type { z } from 'zod'
import { declaredErrors } from '../declared.ts'
import { errorTable } from '../errors.ts'
import { eventExamples, events, type EventName } from '../events.ts'
import { takesIdempotencyKey, type Operation } from '../operation.ts'
import { basePath, interfaceVersion, registry } from '../registry.ts'
import { examplesOf, refusalExamples, type RecordedExamples } from './examples.ts'
import recordedFile from './recorded.json' with { type: 'json' }
import {
  deliveryParameters,
  headers,
  howTo,
  parameters as sharedParameters,
  tagDescriptions,
  tagOrder,
} from './info.ts'
import { describeJobs } from './jobs.ts'
import { everyHeader, makeResponses } from './refusals.ts'
import { jsonSchema, nameSchema, type Components, type Json } from './schema.ts'
import { shareFields } from './share-fields.ts'

export { tagDescriptions, tagOrder } from './info.ts'
export { describeSchema } from './schema.ts'
export { meanings } from './meanings.ts'
export type { RecordedExamples } from './examples.ts'

/** The examples that are committed. */
export const recordedExamples = recordedFile as unknown as RecordedExamples

/** What callers of an operation that charges are told besides. */
const chargeNote =
  'Can charge credits: send an Idempotency-Key, and repeat a call only under the same one; what it has charged is then charged once, however often the call is sent.'

/** What the description is made with. */
export type DescriptionSettings = {
  /** Where the service is reached, without a path; `/` unless told otherwise. */
  readonly serverUrl?: string
  /** Real requests and answers to show; those that are committed unless told otherwise. */
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
    const object = jsonSchema(schema, 'input', components, operation.id)
    const required = (object.required ?? []) as string[]
    return Object.entries((object.properties ?? {}) as Record<string, Json>).map(
      ([name, { description, ...rest }]) => ({
        name,
        in: where,
        required: where === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
        ...exampleOf(name, where),
      }),
    )
  }
  const header = takesIdempotencyKey(operation) ? 'IdempotencyKey' : 'IfNoneMatch'
  return [...of(operation.params, 'path'), ...of(operation.query, 'query'), ref('parameters', header)]
}

/**
 * Parameters that several operations take in just the same way, each described once: by its name, or where one name has several
 * forms by that and its place among them.
 */
function sharedParametersOf(
  components: Components,
  recorded: RecordedExamples,
): { readonly all: Json; of(parameter: Json): Json } {
  const counts = new Map<string, { readonly parameter: Json; uses: number }>()
  for (const operation of registry as readonly Operation[])
    for (const parameter of parametersOf(operation, components, recorded)) {
      if ('$ref' in parameter) continue
      const text = JSON.stringify(parameter)
      const known = counts.get(text) ?? { parameter, uses: 0 }
      known.uses += 1
      counts.set(text, known)
    }
  const names = new Map<string, string>()
  const all: Json = {}
  for (const [text, { parameter, uses }] of counts) {
    if (uses < 2) continue
    const stem = `${parameter.in === 'path' ? 'Path' : 'Query'}${pascal(String(parameter.name))}`
    let name = stem
    for (let nth = 2; name in all; nth++) name = `${stem}${nth}`
    names.set(text, name)
    all[name] = parameter
  }
  return {
    all,
    of: (parameter) => {
      const name = names.get(JSON.stringify(parameter))
      return name === undefined ? parameter : ref('parameters', name)
    },
  }
}

/** Reads of work that goes on say when to ask again. */
const isFollowed = ({ path }: Operation): boolean => /\/sync$|\/status$|^\/pushes\//.test(path)

/** Headers of a success, besides those of every answer. */
const successHeaders = (operation: Operation): Json =>
  Object.fromEntries(
    [
      ...(takesIdempotencyKey(operation)
        ? ['Idempotency-Replayed']
        : ['ETag', ...(isFollowed(operation) ? ['Retry-After'] : [])]),
      'X-Ignored-Parameters',
    ].map((name) => [name, ref('headers', name)]),
  )

function responsesOf(
  operation: Operation,
  components: Components,
  shared: ReturnType<typeof makeResponses>,
  recorded: RecordedExamples,
): Json {
  const success = (status: number, description: string): Json => ({
    description,
    headers: { ...everyHeader, ...successHeaders(operation) },
    content: {
      'application/json': {
        schema: nameSchema(
          jsonSchema(operation.success, 'output', components, operation.id),
          operation.id,
          'Answer',
          components,
        ),
        ...examplesOf(recorded, operation, status),
      },
    },
  })
  const { status, otherStatus, summary } = operation
  const answers: Json = { [status]: success(status, summary) }
  if (otherStatus)
    answers[otherStatus.status] = success(otherStatus.status, `${summary}: when \`${otherStatus.when}\` is true`)
  if (!takesIdempotencyKey(operation)) answers[304] = ref('responses', 'NotModified')
  const byStatus = Map.groupBy(declaredErrors(operation), (key) => errorTable[key].status)
  for (const [refused, keys] of [...byStatus].sort(([a], [b]) => a - b)) answers[refused] = shared.of(refused, keys)
  return answers
}

/** The schema of a body; where null means something it may be that too (CON-12). */
const bodySchema = (operation: Operation, schema: Json): Json =>
  operation.nullBody ? { anyOf: [schema, { type: 'null' }] } : schema

/** True when an empty body is refused: one of its fields is required. */
const needsBody = (schema: Json, components: Components): boolean => {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : undefined
  const { required, anyOf } = (name === undefined ? schema : components.get(name)!) as {
    required?: string[]
    anyOf?: Json[]
  }
  return anyOf !== undefined ? anyOf.every((each) => needsBody(each, components)) : (required ?? []).length > 0
}

/** What was sent on the sandbox, and the contract's own example where that shows other fields. */
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
  const made = jsonSchema(operation.body, 'input', components, operation.id)
  const schema = nameSchema(made, operation.id, 'Body', components)
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
            'Signed: X-Service-Signature is v1=<hex HMAC-SHA256 of timestamp.body>; the three Standard Webhooks headers ride along.',
          parameters: Object.keys(deliveryParameters).map((parameter) => ref('parameters', parameter)),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: jsonSchema(schema, 'output', components, name),
                example: eventExamples[name as EventName],
              },
            },
          },
          responses: {
            '2XX': { description: 'Any 2xx within 15 seconds is success; everything else is tried again.' },
          },
        },
      },
    ]),
  )
}

const sorted = (entries: Iterable<readonly [string, unknown]>): Json =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))

/** Builds the description that `/openapi.json` serves. */
export function openApi({ serverUrl = '/', examples: recorded = recordedExamples }: DescriptionSettings = {}): Json {
  const components: Components = new Map()
  const shared = makeResponses(components, refusalExamples(recorded, registry))
  const paths: Record<string, Json> = {}
  const common = sharedParametersOf(components, recorded)
  for (const operation of registry as readonly Operation[]) {
    const path = `${basePath}${operation.path}`
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: {
        operationId: operation.id,
        tags: [operation.tag],
        summary: operation.summary,
        description: operation.charges ? `${operation.description} ${chargeNote}` : operation.description,
        ...(operation.charges ? { 'x-charges-credits': true } : {}),
        parameters: parametersOf(operation, components, recorded).map(common.of),
        ...requestBody(operation, components, recorded),
        responses: responsesOf(operation, components, shared, recorded),
      },
    }
  }
  const sent = webhooks(components)
  describeJobs(components)
  shareFields(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lead Engagement Service',
      version: interfaceVersion,
      description: howTo,
      contact: { name: 'Whoever operates this service' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-all-rights-reserved' },
    },
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [] }],
    tags: tagOrder.map((name) => ({ name, description: tagDescriptions[name] })),
    paths,
    webhooks: sent,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of the team, cs_….' },
      },
      parameters: { ...sharedParameters, ...common.all, ...deliveryParameters },
      headers,
      responses: {
        NotModified: {
          description: 'As If-None-Match has it: what the caller holds is still so.',
          headers: { ...everyHeader, ETag: ref('headers', 'ETag') },
        },
        ...shared.all(),
      },
      schemas: sorted(components),
    },
  }
}
