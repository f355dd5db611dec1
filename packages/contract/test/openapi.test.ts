/** The OpenAPI description as clients' tools read it. */
import { describe, expect, it } from 'vitest'
import {
  declaredErrors,
  deliveryHeaders,
  errorTable,
  openApi,
  recordedExamples,
  registry,
  type Operation,
} from '../src/index.ts'

type Json = { readonly [key: string]: unknown }
type Described = {
  readonly operationId: string
  readonly parameters: readonly Json[]
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
}

const description = openApi() as Json & {
  paths: Record<string, Record<string, Described>>
  components: Record<string, Json>
  info: Json
}
const text = JSON.stringify(description)

const follow = (node: Json): Json =>
  typeof node.$ref === 'string'
    ? node.$ref
        .slice(2)
        .split('/')
        .reduce<Json>((at, key) => at[key] as Json, description)
    : node

describe('openApi', () => {
  it('has every path below /api/v1 and every operation of the registry once, by its id', () => {
    expect(Object.keys(description.paths).filter((path) => !path.startsWith('/api/v1/'))).toEqual([])
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(
      (registry as readonly Operation[]).map(({ id, method, path }) => `${id} ${method} /api/v1${path}`).sort(),
    )
  })

  it('leaves nothing of zod behind', () => expect(text).not.toMatch(/"\$defs"|"\$schema"|"openapi":\{|#\/\$defs/))
})

describe.each(registry as readonly Operation[])('$id in the description', (operation) => {
  const described = description.paths[`/api/v1${operation.path}`]![operation.method.toLowerCase()]!

  it('has the id of a method, and says that it asks for a key, may be limited, and tells the id of its request', () => {
    expect(described.operationId).toMatch(/^[a-z][A-Za-z]+$/)
    expect(operation.path).toMatch(/^(?:\/[A-Za-z-]+|\/\{[a-zA-Z]+\})+$/)
    expect(Object.keys(described.responses)).toEqual(expect.arrayContaining(['401', '429']))
    expect(Object.keys(follow(described.responses[operation.status]!).headers as Json)).toContain('X-Request-Id')
  })

  it('has its success and every refusal it can answer, typed by its code and with an example', () => {
    expect(described.responses[operation.status]).toBeDefined()
    for (const key of declaredErrors(operation)) {
      const { status, code } = errorTable[key]
      const response = follow(described.responses[status]!)
      const { schema } = (response.content as Json)['application/json'] as { schema: Json }
      const recorded = recordedExamples.own[operation.id]?.[key] ?? recordedExamples.refusals[key]
      const coded = [schema, ...((schema.oneOf ?? schema.anyOf ?? []) as Json[])].map(follow)
      const { Error: plain } = description.components.schemas as Record<string, Json>
      const its =
        code === null
          ? coded.find(
              ({ allOf, examples }) => allOf && examples && JSON.stringify(examples).includes(JSON.stringify(recorded)),
            )
          : coded.find(({ properties }) => ((properties as Json | undefined)?.code as Json | undefined)?.const === code)
      expect((its ?? plain)!.examples).toContainEqual(
        recorded ?? expect.objectContaining(code === null ? {} : { code }),
      )
    }
  })
})

describe('refusals in the description', () => {
  it('a 409 that asks for a confirmation is told apart by its code, and carries typed figures [SPD-01]', () => {
    const asking = (registry as readonly Operation[]).filter(({ errors }) =>
      errors.includes('spend_confirmation_required'),
    )
    expect(asking.length).toBeGreaterThan(8)
    for (const { path, method } of asking) {
      const response = follow(description.paths[`/api/v1${path}`]![method.toLowerCase()]!.responses['409']!)
      const { schema } = (response.content as Json)['application/json'] as { schema: Json }
      expect(schema.discriminator).toMatchObject({
        propertyName: 'code',
        mapping: { spend_confirmation_required: '#/components/schemas/SpendConfirmationRequired' },
      })
      expect(schema.oneOf).toContainEqual({ $ref: '#/components/schemas/SpendConfirmationRequired' })
    }
    expect(
      Object.keys(
        (description.components.schemas as Record<string, Json>).SpendConfirmationRequired!.properties as Json,
      ),
    ).toEqual(
      expect.arrayContaining([
        'code',
        'estimatedDailyMax',
        'daysToExhaustAtCap',
        'remainingBalance',
        'estimatedCredits',
      ]),
    )
  })
})

describe('the description as a whole', () => {
  it('describes the seven headers of a delivery, on every event', () => {
    const { 'lead.detected': event, ...others } = description.webhooks as Record<string, { post: Described }>
    expect(event!.post.parameters.map((parameter) => follow(parameter).name)).toEqual(Object.values(deliveryHeaders))
    for (const { post } of Object.values(others)) expect(post.parameters).toEqual(event!.post.parameters)
  })
})

describe('query fields in the description', () => {
  const parameters = description.paths['/api/v1/leads']!.get!.parameters.map(follow)
  it.each([
    ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 50 }],
    ['isIcp', { type: 'boolean' }],
    ['since', { anyOf: [{ format: 'date-time' }, { format: 'date' }] }],
    ['profileId', { type: 'string', format: 'uuid' }],
    ['sourceKind', { type: 'string', enum: ['keyword', 'post', 'profile', 'all'] }],
  ])('%s is %j', (name, schema) =>
    expect(parameters.find((parameter) => parameter.name === name)).toMatchObject({ schema }),
  )
})
