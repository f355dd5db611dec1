/** The OpenAPI description as clients' tools read it. */
import { describe, expect, it } from 'vitest'
import { errorTable, openApi, registry, type Operation } from '../src/index.ts'

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

function refsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner),
  )
}

/** Every schema inside a value. */
function objectsIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  if (typeof value !== 'object' || value === null) return []
  return [value as Json, ...Object.values(value).flatMap(objectsIn)]
}

describe('openApi', () => {
  it('is OpenAPI 3.1.0 of the interface 1.0.0', () => {
    expect(description.openapi).toBe('3.1.0')
    expect(description.info.version).toBe('1.0.0')
  })

  it('is the same each time and plain JSON', () => {
    expect(JSON.stringify(openApi())).toBe(text)
    expect(JSON.parse(text)).toEqual(description)
  })

  it('has every path below /api/v1 and every operation of the registry once, by its id', () => {
    expect(Object.keys(description.paths).filter((path) => !path.startsWith('/api/v1/'))).toEqual([])
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(
      (registry as readonly Operation[]).map(({ id, method, path }) => `${id} ${method} /api/v1${path}`).sort(),
    )
  })

  it('every $ref resolves, and every component is referred to', () => {
    const refs = new Set(refsIn(description))
    const dangling = [...refs].filter(
      (ref) =>
        ref
          .replace(/^#\//, '')
          .split('/')
          .reduce<unknown>((node, key) => (node as Json | undefined)?.[key], description) === undefined,
    )
    expect(dangling).toEqual([])
    const { securitySchemes: _, ...components } = description.components
    const unused = Object.entries(components)
      .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`))
      .filter((ref) => !refs.has(ref))
    expect(unused).toEqual([])
  })

  it('leaves nothing of zod behind', () => expect(text).not.toMatch(/"\$defs"|"\$schema"|"openapi":\{|#\/\$defs/))

  it('no schema contradicts itself: enum values are of their type', () => {
    const wrong = objectsIn(description).filter(
      ({ type, enum: values }) =>
        typeof type === 'string' && Array.isArray(values) && values.some((value) => typeof value !== type),
    )
    expect(wrong).toEqual([])
  })
})

describe.each(registry as readonly Operation[])('$id in the description', (operation) => {
  const described = description.paths[`/api/v1${operation.path}`]![operation.method.toLowerCase()]!
  const named = (where: string) =>
    described.parameters.filter((parameter) => parameter.in === where).map((parameter) => parameter.name)

  it('has its parameters and its body', () => {
    expect(named('path')).toEqual(Object.keys(operation.params.shape))
    expect(described.parameters.filter((parameter) => parameter.in === 'path' && parameter.required !== true)).toEqual(
      [],
    )
    expect(named('query')).toEqual(Object.keys((operation.query as unknown as { shape: object }).shape))
    expect(described.requestBody !== undefined).toBe(operation.body !== null)
  })

  it('has its success and every refusal of its own with its code', () => {
    expect(described.responses[operation.status]).toBeDefined()
    for (const key of operation.errors) {
      const { status, code } = errorTable[key]
      expect(described.responses[status]).toBeDefined()
      if (code !== null) expect(JSON.stringify(described.responses[status])).toContain(`"${code}"`)
    }
  })
})

describe('query fields in the description', () => {
  const parameters = description.paths['/api/v1/leads']!.get!.parameters
  it.each([
    ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 50 }],
    ['isIcp', { type: 'boolean' }],
    ['since', { type: 'string', format: 'date-time' }],
    ['profileId', { type: 'string', format: 'uuid' }],
    ['sourceKind', { type: 'string', enum: ['keyword', 'post', 'profile', 'all'] }],
  ])('%s is %j', (name, schema) =>
    expect(parameters.find((parameter) => parameter.name === name)).toMatchObject({ schema }),
  )
})
