/** Every place where the API takes text, read from the registries, and texts that are expensive for naive parsers. */
import { describeSchema, registry, sessionRegistry, type Operation, type SessionOperation } from '@les/contract'

/** Texts that cause backtracking in regular expressions; each is repeated to the wanted length. */
export const shapes: readonly string[] = [
  ' ',
  'a',
  'a ',
  'a.',
  'a;',
  '; ',
  ' ;',
  ',',
  ', ',
  '<',
  '< ',
  '"',
  '\\"',
  '%41',
  'a=&',
  '(',
  '-',
  '0',
  '/../',
  'Bearer ',
]

/** A shape repeated to `length` characters, ending in a character that breaks the pattern. */
export const textOf = (shape: string, length: number): string =>
  `${shape.repeat(Math.ceil(length / shape.length)).slice(0, length - 1)}!`

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Place = { readonly name: string; readonly with: (text: string) => unknown }

/** The places of a schema where text may stand, at any depth. */
export function textPlaces(schema: Schema, name = ''): Place[] {
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (options) return options.flatMap((option) => textPlaces(option, name))
  const kinds = [schema.type ?? []].flat()
  const places: Place[] = []
  if (kinds.includes('string') || schema.enum) places.push({ name, with: (text) => text })
  if (schema.items)
    places.push(
      ...textPlaces(schema.items, `${name}[]`).map((place) => ({
        ...place,
        with: (text: string) => [place.with(text)],
      })),
    )
  for (const [key, inner] of Object.entries(schema.properties ?? {}))
    places.push(
      ...textPlaces(inner, `${name}.${key}`).map((place) => ({
        ...place,
        with: (text: string) => ({ [key]: place.with(text) }),
      })),
    )
  if (schema.additionalProperties) places.push({ name: `${name}.*`, with: (text) => ({ [text]: text }) })
  // A place that several forms of a body share counts once.
  return places.filter((place, at) => places.findIndex((other) => other.name === place.name) === at)
}

/** A request that carries a text; `path` is relative to the surface's root. */
export type TextRequest = {
  readonly name: string
  readonly surface: 'api' | 'dashboard'
  readonly role: string | null
  readonly method: string
  readonly at: (text: string) => { readonly path: string; readonly body?: unknown }
}

const someId = '00000000-0000-4000-8000-000000000000'
const filled = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => (name === 'kind' ? 'openai' : someId))
/** As much of a text as fits into a request's head after encoding. */
const inHead = (text: string): string => encodeURIComponent(text).slice(0, 29_000).replace(/%.?$/, '')

function requestsOf(operation: Operation | SessionOperation, surface: TextRequest['surface']): TextRequest[] {
  const { id, method, path } = operation
  const role = 'role' in operation ? (operation.role as string | null) : null
  const of = (name: string, at: TextRequest['at']): TextRequest => ({
    name: `${id} ${name}`,
    surface,
    role,
    method,
    at,
  })
  const example = ('example' in operation ? operation.example : undefined) as Record<string, unknown> | undefined
  const inBody = operation.body === null ? [] : textPlaces(describeSchema(operation.body, 'input') as Schema)
  const inQuery = Object.keys((describeSchema(operation.query, 'input') as Schema).properties ?? {})
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  return [
    ...inBody.map((place) =>
      of(`body${place.name}`, (text) => {
        const value = place.with(text)
        return { path: filled(path), body: place.name === '' ? value : { ...example, ...(value as object) } }
      }),
    ),
    ...inQuery.map((name) =>
      of(`?${name}`, (text) => ({ path: `${filled(path)}?${name}=${inHead(text)}`, body: example })),
    ),
    ...inPath.map((name) =>
      of(`{${name}}`, (text) => ({ path: filled(path.replace(`{${name}}`, inHead(text))), body: example })),
    ),
  ]
}

/** A request for every text field of every operation of both registries. */
export const textRequests: readonly TextRequest[] = [
  ...(registry as readonly Operation[]).flatMap((operation) => requestsOf(operation, 'api')),
  ...(sessionRegistry as readonly SessionOperation[]).flatMap((operation) => requestsOf(operation, 'dashboard')),
]

/** Headers that the service, its sign-in library or its framework reads. */
export const readHeaders: readonly string[] = `
  accept accept-encoding accept-language authorization content-encoding content-type cookie if-modified-since
  if-none-match idempotency-key last-event-id mcp-protocol-version mcp-session-id origin range referer
  sec-fetch-mode sec-fetch-site traceparent tracestate user-agent x-api-key x-forwarded-for x-forwarded-host
  x-forwarded-proto x-les-peer x-request-id
`
  .trim()
  .split(/\s+/)
