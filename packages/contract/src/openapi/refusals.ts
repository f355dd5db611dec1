/** Refusals in the description: one schema for each stable code, and one shared response for each set of them. */
import { adviceFor } from '../advice.ts'
import { errorBody, errorTable, type ErrorKey } from '../errors.ts'
import { jsonSchema, type Components, type Json } from './schema.ts'

const pascal = (text: string): string =>
  text.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const rows = Object.entries(errorTable)
const rowsOf = (code: string) => rows.filter(([, row]) => row.code === code).map(([, row]) => row)

/** Identifies a refusal within its status: by its code, or by its key where it has none. */
export const identityOf = (key: ErrorKey): string => errorTable[key].code ?? `:${key}`

/** True for a refusal that says nothing but what went wrong. */
const isPlain = (key: ErrorKey): boolean =>
  errorTable[key].code === null && Object.keys(errorTable[key].details.shape).length === 0

/** Bodies of refusals to show, by identity. */
export type RefusalExamples = ReadonlyMap<string, readonly unknown[]>

const shown = (examples: RefusalExamples, identities: readonly string[]): Json => {
  const bodies = identities.flatMap((identity) => examples.get(identity) ?? [])
  return bodies.length === 0 ? {} : { examples: bodies }
}

/** The schema of a stable code: the body of every error, its code, what rides along with it, what to do about it, and examples. */
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
    properties: { code: { type: 'string', const: code, description: 'Stable name of the failure.' }, ...named },
    ...shown(examples, [code]),
  })
  return name
}

/** The schema of refusals without a code: what rides along with any of them may be there. */
function schemaWithoutCode(keys: readonly ErrorKey[], components: Components, examples: RefusalExamples): Json {
  const details = keys.map((key) => jsonSchema(errorTable[key].details, 'output', { components, owner: 'Error' }))
  const named = Object.assign({}, ...details.map(({ properties }) => properties)) as Json
  const plain = { $ref: '#/components/schemas/Error' }
  if (Object.keys(named).length === 0) return plain
  const its = keys.filter((key) => !isPlain(key)).map(identityOf)
  return { allOf: [plain], type: 'object', properties: named, ...shown(examples, its) }
}

/** What a status can answer: where every refusal has a code, one of their schemas, with the code as discriminator. */
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

/** The codes of a response, and in words what has none; their schemas say the rest. */
const descriptionOf = (keys: readonly ErrorKey[]): string =>
  [...new Set(keys.map((key) => errorTable[key].code ?? errorTable[key].message))].join('; ')

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

const byName = (names: readonly string[]): Json => Object.fromEntries(names.map((name) => [name, ref('headers', name)]))

/**
 * What every answer says of itself. The rate window is described where one has to wait, what was ignored where a request was wrong: a
 * set of headers cannot be shared, and repeated in each answer they were a tenth of the whole description.
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
 * What every refusal has, and no `code`: where a refusal may have none, generated clients could not tell the others by theirs
 * if this schema allowed any text. Open like every answer, without an index signature that would make all details `unknown`.
 */
function withoutCode({ additionalProperties: _open, properties, ...rest }: Json): Json {
  const { code: _code, ...others } = properties as Json
  return { ...rest, properties: others }
}

/** Shared responses, each made once: by its status and the codes that stand behind it. */
export function makeResponses(
  components: Components,
  examples: RefusalExamples,
): {
  /** The response of these refusals, all of one status, by reference. */
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
          // By its status, for its name stands in each of the operations.
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
