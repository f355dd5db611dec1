/**
 * Arguments as clients send them, read as the schema of the operation means them (G165): null where it has no meaning is nothing,
 * and text that is exactly a list, an object, a number or a flag is that where no text is taken.
 */
import { agentFilterColumns, bounds } from '@les/contract'
import { kindsOf, type Properties, type Schema } from './schema.ts'

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** True for a value that nests no deeper and holds no more than a body of the interface may: text in a body was not measured yet. */
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

/** The list or object that a text exactly is; undefined for any other. */
function structureIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && isBounded(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What a text stands for where a schema takes one of these kinds; the text itself when it stands for none. */
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

const partsOf = (node: Schema): readonly Schema[] => {
  const options = (node.anyOf ?? node.oneOf) as Schema[] | undefined
  return options ? options.flatMap(partsOf) : [node]
}

/** A number in the value of a filter's row is one where the column holds numbers. */
function withOperand(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const name = String(row.column).replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
  if ((agentFilterColumns as Readonly<Record<string, string>>)[name] !== 'number') return row
  const read = (value: unknown) => (typeof value === 'string' ? spelledBy(value, ['number']) : value)
  return { ...row, value: Array.isArray(row.value) ? row.value.map(read) : read(row.value) }
}

/** A value as its schema means it; undefined for a null that means nothing there. */
function readValue(given: unknown, node: Schema): unknown {
  const kinds = kindsOf(node)
  if (given === null) return kinds.includes('null') ? null : undefined
  const value = typeof given === 'string' ? spelledBy(given, kinds) : given
  if (Array.isArray(value)) {
    const items = partsOf(node).find((part) => part.items !== undefined)?.items as Schema | undefined
    return items === undefined ? value : value.map((item) => readValue(item, items) ?? item)
  }
  if (typeof value !== 'object' || value === null) return value
  const properties = partsOf(node).find((part) => part.properties !== undefined)?.properties as Properties | undefined
  if (properties === undefined) return value
  const read = readFields(value as Readonly<Record<string, unknown>>, properties)
  return 'column' in properties && 'operator' in properties && 'value' in read ? withOperand(read) : read
}

/** Fields as their schemas mean them; fields without a schema stay as they are. */
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
