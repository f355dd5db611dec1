import { flagName, wordsOf } from './command-words.ts'
import { alternativesOf, wholeSchema, type Json } from './openapi/schema.ts'
import type { Operation } from './operation.ts'
import { basePath } from './registry.ts'

/** A call that was made; `path` is below `/api/v1`, with its parameters encoded. */
export type MadeCall = {
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly body: Readonly<Record<string, unknown>> | null
}

/** Quotes a word for any POSIX shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

const search = ({ query }: MadeCall): string =>
  query.length === 0 ? '' : `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`

/** The call as a `curl` command; the key is read from `LES_API_KEY`, so that the command can be shared. */
export function asCurl(call: MadeCall, baseUrl: string): string {
  const address = `${baseUrl.replace(/\/$/, '')}${basePath}${call.path}${search(call)}`
  const lines = [
    `curl ${call.method === 'GET' ? '' : `--request ${call.method} `}${shellWord(address)}`,
    '--header "X-API-Key: $LES_API_KEY"',
  ]
  if (call.body !== null)
    lines.push("--header 'Content-Type: application/json'", `--data ${shellWord(JSON.stringify(call.body))}`)
  return lines.join(' \\\n  ')
}

const typesOf = (schema: Operation['query']): [name: string, type: unknown][] =>
  alternativesOf(wholeSchema(schema, 'input')).flatMap(({ properties }) =>
    Object.entries((properties ?? {}) as Record<string, Json>).map(([name, { type }]): [string, unknown] => [
      name,
      type,
    ]),
  )

function flagOf(name: string, value: unknown, type: unknown): string {
  const flag = flagName(name)
  if (type === 'boolean' && (value === true || value === 'true')) return `--${flag}`
  if (type === 'boolean' && (value === false || value === 'false')) return `--no-${flag}`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Written with `=`: a separate value that starts with a dash would be parsed as a flag.
  return text.startsWith('-') ? `--${flag}=${shellWord(text)}` : `--${flag} ${shellWord(text)}`
}

const direct = (call: MadeCall): string =>
  ['les api', call.method, shellWord(`${call.path}${search(call)}`)]
    .concat(call.body === null ? [] : ['--body', shellWord(JSON.stringify(call.body))])
    .join(' ')

function positionalsOf(operation: Operation, { path }: MadeCall): string[] | null {
  const segments = path.split('/')
  try {
    return operation.path
      .split('/')
      .flatMap((name, at) => (name.startsWith('{') ? [decodeURIComponent(segments[at] ?? '')] : []))
  } catch {
    return null
  }
}

/** The call as a `les` command; `les api` when the operation is unknown (null) or a sent field has no flag. */
export function asLes(operation: Operation | null, call: MadeCall): string {
  if (operation === null) return direct(call)
  const positionals = positionalsOf(operation, call)
  if (positionals === null) return direct(call)
  const types = new Map([...typesOf(operation.query), ...(operation.body === null ? [] : typesOf(operation.body))])
  const fields: (readonly [string, unknown])[] = [...call.query, ...Object.entries(call.body ?? {})]
  if (fields.some(([name]) => !types.has(name)) || positionals.some((word) => word === '' || word.startsWith('-')))
    return direct(call)
  return ['les', ...wordsOf(operation), ...positionals.map(shellWord)]
    .concat(fields.map(([name, value]) => flagOf(name, value, types.get(name))))
    .join(' ')
}
