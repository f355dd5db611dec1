/** Flag texts to field values. Only types are judged here: bounds and combinations are the service's to judge, in its own words. */
import { InvalidArgumentError } from 'commander'
import type { Field, FieldKind } from './fields.ts'

const refuse = (message: string): never => {
  throw new InvalidArgumentError(message)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return refuse('must be JSON')
  }
}

function parseOne(kind: FieldKind, text: string): unknown {
  if (kind === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : refuse('must be a number')
  if (kind === 'boolean') return text === 'true' || (text === 'false' ? false : refuse('must be true or false'))
  return kind === 'json' ? parseJson(text) : text
}

/** Items separated by commas, or a JSON array when an item holds a comma itself; an empty text is no item. */
function parseList(itemKind: FieldKind, text: string): unknown[] {
  if (text.startsWith('[')) {
    const parsed = parseJson(text)
    return Array.isArray(parsed) ? parsed : refuse('must be a list')
  }
  return text === '' ? [] : text.split(',').map((item) => parseOne(itemKind, item.trim()))
}

/** Reads what was given to a flag; `previous` is what the same flag gave before. */
export function parseFlag(field: Field, text: string, previous: unknown): unknown {
  if (field.nullable && text === 'null') return null
  if (field.choices && !field.choices.includes(text)) return refuse(`must be one of ${field.choices.join(', ')}`)
  if (field.kind !== 'list') return parseOne(field.kind, text)
  return [...(Array.isArray(previous) ? (previous as unknown[]) : []), ...parseList(field.itemKind, text)]
}
