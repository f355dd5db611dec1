/** Refusals in the description: one schema for each stable code, and one shared response for each set of them. */
import { errorBody, errorTable, type ErrorKey } from '../errors.ts'
import { jsonSchema, type Components, type Json } from './schema.ts'

const pascal = (text: string): string =>
  text.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const rows = Object.entries(errorTable)
const rowsOf = (code: string) => rows.filter(([, row]) => row.code === code).map(([, row]) => row)

/** The name of the schema of a stable code: `spend_confirmation_required` is `SpendConfirmationRequired`. */
export const refusalName = (code: string): string => pascal(code)

/** The schema of a stable code: the body of every error, its code, and what rides along with it. */
function schemaOfCode(code: string, components: Components): string {
  const name = refusalName(code)
  if (components.has(name)) return name
  const all = rowsOf(code)
  const details = all
    .map((row) => jsonSchema(row.details, 'output', components, name))
    .map(({ properties, required }) => ({ properties: properties as Json, required: (required ?? []) as string[] }))
  const named = Object.assign({}, ...details.map(({ properties }) => properties)) as Json
  components.set(name, {
    description: [...new Set(all.map(({ message }) => message))].join('; '),
    allOf: [{ $ref: '#/components/schemas/Error' }],
    type: 'object',
    required: [
      'code',
      ...details[0]!.required.filter((field) => details.every(({ required }) => required.includes(field))),
    ],
    properties: { code: { type: 'string', const: code, description: 'Stable name of the failure.' }, ...named },
  })
  return name
}

/** The schema of refusals without a code: what rides along with any of them may be there. */
function schemaWithoutCode(keys: readonly ErrorKey[], components: Components): Json {
  const details = keys.map((key) => jsonSchema(errorTable[key].details, 'output', components, 'Error'))
  const named = Object.assign({}, ...details.map(({ properties }) => properties)) as Json
  const plain = { $ref: '#/components/schemas/Error' }
  return Object.keys(named).length === 0 ? plain : { allOf: [plain], type: 'object', properties: named }
}

/** What a status can answer: where every refusal has a code, one of their schemas, told apart by it. */
function schemaOf(keys: readonly ErrorKey[], components: Components): Json {
  const codes = [...new Set(keys.map((key) => errorTable[key].code).filter((code) => code !== null))].sort()
  const uncoded = keys.filter((key) => errorTable[key].code === null)
  const refs = codes.map((code) => ({ $ref: `#/components/schemas/${schemaOfCode(code, components)}` }))
  if (refs.length === 0) return schemaWithoutCode(uncoded, components)
  if (uncoded.length > 0) return { anyOf: [...refs, schemaWithoutCode(uncoded, components)] }
  if (refs.length === 1) return refs[0]!
  return {
    oneOf: refs,
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(codes.map((code, at) => [code, refs[at]!.$ref])),
    },
  }
}

/** The codes of a response, and in words what has none; the examples say the rest. */
const descriptionOf = (keys: readonly ErrorKey[]): string =>
  [...new Set(keys.map((key) => errorTable[key].code ?? errorTable[key].message))].join('; ')

const statusNames: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'TooLarge',
  422: 'Unprocessable',
  429: 'RateLimited',
  500: 'ServerError',
  502: 'BadGateway',
  503: 'Unavailable',
}

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

const byName = (names: readonly string[]): Json => Object.fromEntries(names.map((name) => [name, ref('headers', name)]))

/** Headers of every answer; those of the rate window as structured fields are listed where one has to wait. */
export const everyHeader: Json = byName([
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
])

/**
 * What every refusal has, and no `code`: where a refusal may have none, generated clients could not tell the others by theirs
 * if this schema allowed any text. Open like every answer, without an index signature that would make all details `unknown`.
 */
function withoutCode({ additionalProperties: _open, properties, ...rest }: Json): Json {
  const { code: _code, ...others } = properties as Json
  return { ...rest, properties: others }
}

/** Shared responses, each made once: by its status and the refusals that stand behind it. */
export function makeResponses(components: Components): {
  /** The response of these refusals, all of one status, by reference. */
  of(status: number, keys: readonly ErrorKey[], exampleName: (key: ErrorKey) => string): Json
  all(): Json
} {
  jsonSchema(errorBody, 'output', components, 'Error')
  components.set('Error', withoutCode(components.get('Error')!))
  const made = new Map<string, { readonly name: string; readonly response: Json }>()
  const taken = new Map<string, number>()
  return {
    of: (status, keys, exampleName) => {
      const identity = `${status} ${keys.map(exampleName).sort().join(' ')}`
      let known = made.get(identity)
      if (!known) {
        const stem = statusNames[status]!
        const count = (taken.get(stem) ?? 0) + 1
        taken.set(stem, count)
        known = {
          name: count === 1 ? stem : `${stem}${count}`,
          response: {
            description: descriptionOf(keys),
            headers: {
              ...everyHeader,
              ...(status === 503 ? byName(['Retry-After']) : {}),
              ...(status === 429 ? byName(['Retry-After', 'RateLimit', 'RateLimit-Policy']) : {}),
            },
            content: {
              'application/json': {
                schema: schemaOf(keys, components),
                examples: Object.fromEntries(keys.map((key) => [key, ref('examples', exampleName(key))])),
              },
            },
          },
        }
        made.set(identity, known)
      }
      return ref('responses', known.name)
    },
    all: () => Object.fromEntries([...made.values()].map(({ name, response }) => [name, response])),
  }
}
