/** The registry as an OpenAPI 3.1 description; pure. */
import { z } from 'zod'
import { declaredErrors } from './declared.ts'
import { errorBody, errorTable } from './errors.ts'
import { eventExamples, events, type EventName } from './events.ts'
import { takesRetryKey, type Operation, type Tag } from './operation.ts'
import { basePath, interfaceVersion, registry } from './registry.ts'

type Json = { [key: string]: unknown }

/** What callers of an operation that charges are told besides. */
const chargeNote =
  'Can charge credits: send an Idempotency-Key, and repeat a call only under the same one; what it has charged is then charged once, however often the call is sent.'

/** What each group is about. */
export const tagDescriptions: Readonly<Record<Tag, string>> = {
  enrich: 'Tracking people and company pages, and enriching those already captured.',
  sources: 'What is tracked: settings, syncs, webhooks, ICP criteria and pushes.',
  posts: 'Tracking single posts, and reading posts and their engagement.',
  keywords: 'Recurring searches of posts.',
  leads: 'The people who were captured.',
  discover: 'One-off searches for people who post about a topic.',
  agent: 'The Engagement Agent of a website.',
  outreach: 'Sending leads to campaigns of the outreach platform.',
  account: 'Credits and API keys.',
  jobs: 'Work that goes on after the answer.',
}

/** Describes a zod schema as JSON Schema; a schema's own `openapi` meta replaces what zod derives from how it is parsed. */
export function describeSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  return z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: node }) => {
      const described = z.globalRegistry.get(zodSchema)?.openapi as Json | undefined
      if (described) {
        // A query boolean is parsed from an enum of texts: left in place, that enum would contradict `type: boolean`.
        for (const key of Object.keys(node)) if (key !== 'description' && key !== 'default') delete (node as Json)[key]
        Object.assign(node, described)
      }
      delete (node as Json).openapi
    },
  }) as Json
}

/** Turns a zod schema into JSON Schema, moving named parts into `components`. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', components: Map<string, Json>): Json {
  const made = describeSchema(schema, io)
  const rewritten = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
  for (const [name, definition] of Object.entries((rewritten.$defs ?? {}) as Record<string, Json>)) {
    const { id: _id, ...rest } = definition
    components.set(name, rest)
  }
  const { $schema: _schema, $defs: _defs, id, ...rest } = rewritten
  if (typeof id !== 'string') return rest
  components.set(id, rest)
  return { $ref: `#/components/schemas/${id}` }
}

function parameters(operation: Operation, components: Map<string, Json>): Json[] {
  const of = (schema: z.ZodType, where: 'path' | 'query'): Json[] => {
    const object = jsonSchema(schema, 'input', components)
    const required = (object.required ?? []) as string[]
    return Object.entries((object.properties ?? {}) as Record<string, Json>).map(
      ([name, { description, ...rest }]) => ({
        name,
        in: where,
        required: where === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
      }),
    )
  }
  const idempotency = !takesRetryKey(operation) ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]
  return [...of(operation.params, 'path'), ...of(operation.query, 'query'), ...idempotency]
}

function responses(operation: Operation, components: Map<string, Json>): Json {
  const headers: Json = Object.fromEntries(
    [
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'RateLimit',
      'RateLimit-Policy',
      'X-Request-Id',
    ].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )
  const replayed = takesRetryKey(operation)
    ? { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } }
    : {}
  const success = {
    description: operation.summary,
    headers: { ...headers, ...replayed },
    content: { 'application/json': { schema: jsonSchema(operation.success, 'output', components) } },
  }
  const answers: Json = {
    [operation.status]: success,
    ...(operation.otherStatus
      ? {
          [operation.otherStatus.status]: {
            ...success,
            description: `${operation.summary}: when \`${operation.otherStatus.when}\` is true`,
          },
        }
      : {}),
  }
  if (!takesRetryKey(operation))
    answers[304] = { description: 'As If-None-Match has it: what the caller holds is still so.', headers }
  const byStatus = Map.groupBy(declaredErrors(operation), (key) => errorTable[key].status)
  for (const [status, group] of [...byStatus].sort(([a], [b]) => a - b)) {
    const codes = [...new Set(group.map((key) => errorTable[key].code).filter((code) => code !== null))]
    answers[status] = {
      description: [...new Set(group.map((key) => errorTable[key].message))].join('; '),
      headers,
      content: {
        'application/json': {
          schema:
            codes.length === 0
              ? { $ref: '#/components/schemas/Error' }
              : {
                  allOf: [
                    { $ref: '#/components/schemas/Error' },
                    { type: 'object', properties: { code: { enum: codes } } },
                  ],
                },
        },
      },
    }
  }
  return answers
}

/** The schema of a body; where null means something it may be that too (CON-12). */
const bodySchema = (operation: Operation, schema: Json): Json =>
  operation.nullBody ? { anyOf: [schema, { type: 'null' }] } : schema

/** Builds the description that `/openapi.json` serves. */
export function openApi(): Json {
  const components = new Map<string, Json>()
  jsonSchema(errorBody, 'output', components)
  const paths: Record<string, Json> = {}
  for (const operation of registry as readonly Operation[]) {
    const entry: Json = {
      operationId: operation.id,
      tags: [operation.tag],
      summary: operation.summary,
      description: operation.charges ? `${operation.description} ${chargeNote}` : operation.description,
      ...(operation.charges ? { 'x-charges-credits': true } : {}),
      parameters: parameters(operation, components),
      ...(operation.body === null
        ? {}
        : {
            requestBody: {
              content: {
                'application/json': {
                  schema: bodySchema(operation, jsonSchema(operation.body, 'input', components)),
                  ...(operation.example ? { example: operation.example } : {}),
                },
              },
            },
          }),
      responses: responses(operation, components),
    }
    const path = `${basePath}${operation.path}`
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: entry }
  }
  const webhooks = Object.fromEntries(
    Object.entries(events).map(([name, schema]) => [
      name,
      {
        post: {
          operationId: `event.${name}`,
          summary: `Sent to the webhook: ${name}`,
          description:
            'Signed: X-Service-Signature is v1=<hex HMAC-SHA256 of timestamp.body>; the three Standard Webhooks headers ride along.',
          requestBody: {
            content: {
              'application/json': {
                schema: jsonSchema(schema, 'output', components),
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
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lead Engagement Service',
      version: interfaceVersion,
      description:
        'Captures the people who engage with posts on a professional network, enriches them and delivers them as leads.',
      contact: { name: 'Whoever operates this service' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-all-rights-reserved' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(registry.map((operation) => operation.tag))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    webhooks,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'Makes a retry safe: the first success under a key is replayed for 24 hours with Idempotency-Replayed: true, and nothing is done or charged again. Taken by every write and by every read that charges credits. Refusals are not kept, so the request that adds confirmSpend may carry the same key; any other request under it is 422.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      },
      headers: {
        'X-RateLimit-Limit': { description: 'Calls a window allows.', schema: { type: 'integer' } },
        'X-RateLimit-Remaining': { description: 'Calls left in this window.', schema: { type: 'integer' } },
        'X-RateLimit-Reset': { description: 'Epoch seconds at which the window ends.', schema: { type: 'integer' } },
        RateLimit: {
          description: 'The same as a structured field: what is left (r) and seconds to the end (t).',
          schema: { type: 'string' },
        },
        'RateLimit-Policy': { description: 'The window and its quota (q) in seconds (w).', schema: { type: 'string' } },
        'X-Request-Id': { description: 'Id of this request.', schema: { type: 'string' } },
        'Idempotency-Replayed': {
          description:
            'Present, and true, when this is the stored answer of an earlier request with the same Idempotency-Key.',
          schema: { type: 'string', enum: ['true'] },
        },
      },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}
