/** Malformed requests from the contract (types, bounds, extra or missing fields, changed bytes), the same for a seed. */
import { describeSchema, type Operation } from '@les/contract'
import { bodied, fill, operations, requiredQuery, type Owned } from './stage.ts'

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** A request as sent over the wire. */
export type Malformed = { readonly method: string; readonly path: string; readonly body: Buffer | undefined }

/** Pseudo-random numbers from 0 up to 1, decided by the seed. */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const anything: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2_147_483_647,
  2_147_483_648,
  '',
  ' ',
  'x',
  '\u0000',
  '\ud800',
  '0',
  'null',
  '../..',
  '%2e%2e',
  "' or 1=1 --",
  'é',
  '𝒳'.repeat(50),
  [],
  [[]],
  [null],
  {},
  { a: 1 },
  { __proto__: { polluted: true } },
]

const edgesOf = new WeakMap<Schema, readonly unknown[]>()

/** Values at the edges of a schema, inside and outside; cached, because some are lists of thousands. */
function edges(schema: Schema): readonly unknown[] {
  const known = edgesOf.get(schema) ?? makeEdges(schema)
  edgesOf.set(schema, known)
  return known
}

function makeEdges(schema: Schema): unknown[] {
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.flatMap((option) => edges(option))
  if (schema.enum)
    return [...schema.enum, ...schema.enum.map((value) => String(value).toLowerCase()), `${String(schema.enum[0])}x`]
  const kind = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (kind === 'integer' || kind === 'number') {
    const [low, high] = [schema.minimum ?? schema.exclusiveMinimum ?? 0, schema.maximum ?? 2_147_483_647]
    return [low - 1, low, low + 1, high - 1, high, high + 1, low + 0.5, String(low)]
  }
  if (kind === 'string') {
    const [low, high] = [schema.minLength ?? 0, Math.min(schema.maxLength ?? 300, 5_000)]
    return [
      'x'.repeat(low),
      'x'.repeat(Math.max(0, low - 1)),
      'x'.repeat(high),
      'x'.repeat(high + 1),
      '\u0007',
      'urn:li:activity:7395000000000000999',
      'urn:li:share:1',
      'https://www.linkedin.com/in/x',
      '2026-13-45T00:00:00Z',
      '1999-01-01T00:00:00Z',
    ]
  }
  if (kind === 'array') {
    const item = schema.items ? edges(schema.items)[0] : 'x'
    const most = Math.min(schema.maxItems ?? 30, 6_000)
    return [
      [],
      [item, item],
      Array.from({ length: most }, (_, at) => (typeof item === 'string' ? `${item}${at}` : item)),
      Array.from({ length: most + 1 }, () => item),
      ...(schema.items ? edges(schema.items).map((value) => [value]) : []),
    ]
  }
  if (kind === 'object')
    return [
      {},
      ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) =>
        edges(inner).map((value) => ({ [name]: value })),
      ),
    ]
  return [true, false, 'true', 0]
}

/** Makes malformed requests, about what a team owns and about what does not exist. */
export function malformedRequests(owned: readonly Owned[], seed: number): () => Malformed {
  const random = dice(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const shapes = new Map(
    operations.map((operation) => [
      operation.id,
      {
        body: operation.body === null ? {} : (describeSchema(operation.body, 'input') as Schema),
        query: describeSchema(operation.query, 'input') as Schema,
      },
    ]),
  )

  const value = (schema: Schema | undefined): unknown =>
    schema && random() < 0.7 ? pick(edges(schema)) : pick(anything)

  const body = (operation: Operation): Buffer => {
    const shape = shapes.get(operation.id)!.body
    const fields: Record<string, unknown> = { ...operation.example }
    const names = Object.keys(shape.properties ?? {})
    for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--) {
      const name =
        names.length > 0 && random() < 0.85
          ? pick(names)
          : pick(['creditCap', 'unknownField', '__proto__', 'constructor', 'confirmSpend', 'contractVersion', ''])
      if (random() < 0.15) delete fields[name]
      else
        Object.defineProperty(fields, name, {
          value: value(shape.properties?.[name]),
          enumerable: true,
          configurable: true,
          writable: true,
        })
    }
    const bytes = Buffer.from(JSON.stringify(fields))
    if (random() > 0.2 || bytes.length === 0) return bytes
    // Overwrites a few bytes and sometimes cuts the end off.
    for (let changes = 1 + Math.floor(random() * 3); changes > 0; changes--)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    return random() < 0.3 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes
  }

  const query = (operation: Operation): string => {
    const shape = shapes.get(operation.id)!.query
    const names = Object.keys(shape.properties ?? {})
    if (names.length === 0 || random() < 0.3) return requiredQuery[operation.id] ?? ''
    const pairs = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const name = random() < 0.9 ? pick(names) : 'unknown'
      const given = value(shape.properties?.[name])
      const text = typeof given === 'string' ? given : JSON.stringify(given)
      return `${name}=${text.isWellFormed() && random() < 0.95 ? encodeURIComponent(text) : pick(['%', '%zz', '%00', '%ff'])}`
    })
    return `?${pairs.join('&')}`
  }

  const path = (operation: Operation): string => {
    const named = fill(operation.path, pick(owned))
    if (random() < 0.85) return named
    const odd = pick([
      '%00',
      '%zz',
      '%ff',
      '..',
      '%2F',
      '%E4%BD%A0',
      'x'.repeat(2_001),
      '%F0%9F%98%80',
      'urn:li:share:1',
      'https%3A%2F%2Fwww.linkedin.com%2Fin%2Fx',
      '',
    ])
    return operation.path.replace(/\{\w+\}/g, odd)
  }

  return () => {
    const operation = random() < 0.8 ? pick(bodied) : pick(operations)
    return {
      method: operation.method,
      path: path(operation) + query(operation),
      body: operation.body === null ? undefined : body(operation),
    }
  }
}
