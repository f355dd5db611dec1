/** Refusals in the description: one schema per stable code, and one shared response per set of refusals. */
import { adviceFor } from '../advice.ts'
import { errorBody, errorTable, type ErrorKey } from '../errors.ts'
import { jsonSchema, type Components, type Json } from './schema.ts'

const pascal = (text: string): string =>
  text.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const rows = Object.entries(errorTable)
const rowsOf = (code: string) => rows.filter(([, row]) => row.code === code).map(([, row]) => row)

/** Identifies a refusal within its status: its code, or its key when it has no code. */
export const identityOf = (key: ErrorKey): string => errorTable[key].code ?? `:${key}`

const isPlain = (key: ErrorKey): boolean =>
  errorTable[key].code === null && Object.keys(errorTable[key].details.shape).length === 0

/** Example bodies of refusals by identity. */
export type RefusalExamples = ReadonlyMap<string, readonly unknown[]>

const shown = (examples: RefusalExamples, identities: readonly string[]): Json => {
  const bodies = identities.flatMap((identity) => examples.get(identity) ?? [])
  return bodies.length === 0 ? {} : { examples: bodies }
}

function schemaOfCode(code: string, components: Components, examples: RefusalExamples): string {
  const name = pascal(code)
  if (components.has(name)) return name
  const all = rowsOf(code)
  const details = all
    .map((row) => jsonSchema(row.details, 'output', { components, owner: name }))
    .map(({ properties, required }) => ({ properties: properties as Json, required: (required ?? []) as string[] }))
  const named = Object.assign({}, ...details.map(({ properties }) => properties)) as Json
  components.set(name, {
    description: `${[...new Set(all.map(({ message }) => message))].join('; ')}. ${adviceFor(all[0]!.status, code)}`,
    allOf: [{ $ref: '#/components/schemas/Error' }],
    type: 'object',
    required: [
      'code',
      ...details[0]!.required.filter((field) => details.every(({ required }) => required.includes(field))),
    ],
    properties: { code: { type: 'string', const: code, description: 'Stable error code.' }, ...named },
    ...shown(examples, [code]),
  })
  return name
}

function schemaWithoutCode(keys: readonly ErrorKey[], components: Components, examples: RefusalExamples): Json {
  const details = keys.map((key) => jsonSchema(errorTable[key].details, 'output', { components, owner: 'Error' }))
  const named = Object.assign({}, ...details.map(({ properties }) => properties)) as Json
  const plain = { $ref: '#/components/schemas/Error' }
  if (Object.keys(named).length === 0) return plain
  const its = keys.filter((key) => !isPlain(key)).map(identityOf)
  return { allOf: [plain], type: 'object', properties: named, ...shown(examples, its) }
}

function schemaOf(keys: readonly ErrorKey[], components: Components, examples: RefusalExamples): Json {
  const codes = [...new Set(keys.map((key) => errorTable[key].code).filter((code) => code !== null))].sort()
  const uncoded = keys.filter((key) => errorTable[key].code === null)
  const refs = codes.map((code) => ({ $ref: `#/components/schemas/${schemaOfCode(code, components, examples)}` }))
  if (refs.length === 0) return schemaWithoutCode(uncoded, components, examples)
  if (uncoded.length > 0) return { anyOf: [...refs, schemaWithoutCode(uncoded, components, examples)] }
  if (refs.length === 1) return refs[0]!
  return {
    oneOf: refs,
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(codes.map((code, at) => [code, refs[at]!.$ref])),
    },
  }
}

const descriptionOf = (keys: readonly ErrorKey[]): string =>
  [...new Set(keys.map((key) => errorTable[key].code ?? errorTable[key].message))].join('; ')

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

const byName = (names: readonly string[]): Json => Object.fromEntries(names.map((name) => [name, ref('headers', name)]))

/**
 * Headers of every answer. Other headers are described only where a caller needs them: OpenAPI cannot share a set of headers,
 * and repeating all of them made up a tenth of the description.
 */
export const everyHeader: Json = byName(['X-Request-Id'])

const rateHeaders = byName([
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
])

/**
 * The fields of every refusal without `code`: if this schema allowed any text as `code`, generated clients could not
 * discriminate the refusals that have one. It stays open, but without an index signature, which would make all fields `unknown`.
 */
function withoutCode({ additionalProperties: _open, properties, ...rest }: Json): Json {
  const { code: _code, ...others } = properties as Json
  return { ...rest, properties: others }
}

/** Collects shared responses, one for each status and set of codes. */
export function makeResponses(
  components: Components,
  examples: RefusalExamples,
): {
  /** A reference to the response of these refusals, all of one status. */
  of(status: number, keys: readonly ErrorKey[]): Json
  all(): Json
} {
  jsonSchema(errorBody, 'output', { components, owner: 'Error' })
  components.set('Error', {
    ...withoutCode(components.get('Error')!),
    ...shown(examples, (Object.keys(errorTable) as ErrorKey[]).filter(isPlain).map(identityOf)),
  })
  const made = new Map<string, { readonly name: string; readonly response: Json }>()
  const taken = new Map<number, number>()
  return {
    of: (status, keys) => {
      const identity = `${status} ${[...new Set(keys.map(identityOf))].sort().join(' ')}`
      let known = made.get(identity)
      if (!known) {
        const count = (taken.get(status) ?? 0) + 1
        taken.set(status, count)
        known = {
          // Named by status to stay short: the name is repeated in every operation.
          name: count === 1 ? `${status}` : `${status}.${count}`,
          response: {
            description: descriptionOf(keys),
            headers: {
              ...everyHeader,
              ...(status === 400 ? byName(['X-Ignored-Parameters']) : {}),
              ...(status === 502 || status === 503 ? byName(['Retry-After']) : {}),
              ...(status === 429 ? rateHeaders : {}),
            },
            content: { 'application/json': { schema: schemaOf(keys, components, examples) } },
          },
        }
        made.set(identity, known)
      }
      return ref('responses', known.name)
    },
    all: () => Object.fromEntries([...made.values()].map(({ name, response }) => [name, response])),
  }
}
