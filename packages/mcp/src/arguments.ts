/**
 * Reads arguments the way clients send them (G165): a null without meaning counts as absent, and text that is exactly a list,
 * object, number or flag is parsed where the schema takes no text.
 */
import { agentFilterColumns, alternativesOf, bounds } from '@les/contract'
import { kindsOf, type Properties, type Schema } from './schema.ts'

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** Bounds parsed text by the depth and size limits of a body, which were not yet applied to it. */
function isBounded(value: unknown): boolean {
  const left = [{ value, depth: 1 }]
  for (let count = 0; left.length > 0; count++) {
    const { value: next, depth } = left.pop()!
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next)
    if (depth > bounds.jsonDepth || count + left.length + inner.length > bounds.jsonValues) return false
    for (const one of inner) left.push({ value: one, depth: depth + 1 })
  }
  return true
}

function structureIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && isBounded(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns the text itself when it spells none of `kinds`. */
function spelledBy(text: string, kinds: readonly string[]): unknown {
  const takesText = kinds.length === 0 || kinds.includes('string')
  if (kinds.includes('array') || (kinds.includes('object') && !takesText)) {
    const structure = structureIn(text)
    if (structure !== undefined && kinds.includes(Array.isArray(structure) ? 'array' : 'object')) return structure
  }
  if (takesText) return text
  if ((kinds.includes('number') || kinds.includes('integer')) && number.test(text) && Number.isFinite(Number(text)))
    return Number(text)
  if (kinds.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function withOperand(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const name = String(row.column).replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
  if ((agentFilterColumns as Readonly<Record<string, string>>)[name] !== 'number') return row
  const read = (value: unknown) => (typeof value === 'string' ? spelledBy(value, ['number']) : value)
  return { ...row, value: Array.isArray(row.value) ? row.value.map(read) : read(row.value) }
}

/** Undefined for a null that has no meaning. */
function readValue(given: unknown, node: Schema): unknown {
  const kinds = kindsOf(node)
  if (given === null) return kinds.includes('null') ? null : undefined
  const value = typeof given === 'string' ? spelledBy(given, kinds) : given
  if (Array.isArray(value)) {
    const items = alternativesOf(node).find((part) => part.items !== undefined)?.items as Schema | undefined
    return items === undefined ? value : value.map((item) => readValue(item, items) ?? item)
  }
  if (typeof value !== 'object' || value === null) return value
  const properties = alternativesOf(node).find((part) => part.properties !== undefined)?.properties as
    | Properties
    | undefined
  if (properties === undefined) return value
  const read = readFields(value as Readonly<Record<string, unknown>>, properties)
  return 'column' in properties && 'operator' in properties && 'value' in read ? withOperand(read) : read
}

/** Reads each field by its schema; fields without a schema stay unchanged. */
export function readFields(
  given: Readonly<Record<string, unknown>>,
  schemas: Properties,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (!Object.hasOwn(schemas, name)) return [[name, value]]
      const read = readValue(value, schemas[name]!)
      return read === undefined ? [] : [[name, read]]
    }),
  )
}
