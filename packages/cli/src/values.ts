/** Parses flag texts. Only types are checked here: bounds and combinations are checked by the service. */
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import type { Field, FieldKind } from './catalogue/entry.ts'

const refuse = (message: string): never => {
  throw new InvalidArgumentError(message)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return refuse('must be JSON, or @ and the name of a file that holds it')
  }
}

function fromFile(name: string): string {
  try {
    return readFileSync(name, 'utf8')
  } catch (error) {
    return refuse(`cannot read ${name}: ${(error as Error).message.replace(/,.*$/, '')}`)
  }
}

function parseAny(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function parseOne(kind: FieldKind, text: string): unknown {
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : refuse('must be a number')
  if (kind === 'boolean') return text === 'true' || (text === 'false' ? false : refuse('must be true or false'))
  if (kind === 'any') return parseAny(text)
  return kind === 'json' ? parseJson(text.startsWith('@') ? fromFile(text.slice(1)) : text) : text
}

/** One item, or several separated by commas where items contain none; or a JSON array, or `@file` with one item per line. */
function parseList({ itemKind, byCommas }: Field, text: string): unknown[] {
  const source = text.startsWith('@') ? fromFile(text.slice(1)) : text
  if (source.trimStart().startsWith('[')) {
    const parsed = parseJson(source)
    return Array.isArray(parsed) ? parsed : refuse('must be a list')
  }
  const items = text.startsWith('@') ? source.split(/\r?\n/) : byCommas ? source.split(',') : [source]
  return items
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => parseOne(itemKind, item))
}

/** Parses a flag's text; `previous` is the value from earlier uses of the same flag. */
export function parseFlag(field: Field, text: string, previous: unknown): unknown {
  if (field.nullable && text === 'null') return null
  if (field.choices && !field.choices.includes(text)) return refuse(`must be one of ${field.choices.join(', ')}`)
  if (field.kind !== 'list') return parseOne(field.kind, text)
  return [...(Array.isArray(previous) ? (previous as unknown[]) : []), ...parseList(field, text)]
}
