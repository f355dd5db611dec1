/** Derives flags from an operation's schemas (CLI-02). */
import { alternativesOf, targetingFilters, wholeSchema, type Operation } from '@les/contract'
import type { z } from 'zod'
import { kebabCase, type Field, type FieldKind } from './entry.ts'

export type Node = { readonly [key: string]: unknown }

/** Flattens unions and lists of types into their alternatives. */
export const alternatives = (node: Node): Node[] =>
  alternativesOf(node).flatMap((each) =>
    Array.isArray(each.type) ? each.type.map((type: unknown) => ({ ...each, type })) : [each],
  )

function kindOf(node: Node): FieldKind {
  if (node.type === 'integer' || node.type === 'number') return 'number'
  if (node.type === 'boolean') return 'boolean'
  if (node.type === 'string') return 'text'
  if (node.type === 'array') return 'list'
  return node.type === 'object' ? 'json' : 'any'
}

const range = ({ minimum, maximum }: Node): string => {
  if (minimum === undefined && maximum === undefined) return ''
  return maximum === undefined ? `at least ${minimum}` : `${minimum ?? ''}-${maximum}`
}

const isWithoutCommas = (name: string, item: Node): boolean =>
  kindOf(item) === 'number' ||
  item.format === 'uuid' ||
  (Array.isArray(item.enum) && item.enum.every((value) => !String(value).includes(','))) ||
  (Object.hasOwn(targetingFilters, name) && targetingFilters[name as keyof typeof targetingFilters] !== 'words')

function field(name: string, node: Node, required: boolean): Field {
  const all = alternatives(node)
  const values = all.filter((option) => option.type !== 'null' && option.const !== null)
  const nullable = values.length < all.length
  const kinds = new Set(values.map(kindOf))
  const first = values[0] ?? {}
  const items = alternatives((first.items as Node | undefined) ?? {})
  const itemKind = items.length === 1 ? kindOf(items[0]!) : 'json'
  let kind: FieldKind = kinds.size === 1 ? [...kinds][0]! : 'json'
  // A list of objects cannot be separated by commas.
  if (kind === 'list' && (itemKind === 'json' || itemKind === 'list')) kind = 'json'
  const named = values.flatMap(
    (option) => (option.enum ?? (option.const === undefined ? [] : [option.const])) as unknown[],
  )
  const choices =
    kind === 'text' &&
    named.length > 0 &&
    values.every((option) => option.enum !== undefined || option.const !== undefined)
      ? named.map(String)
      : undefined
  const notes = [
    kind === 'number' ? range(first) : '',
    nullable ? 'or `null`' : '',
    node.default === undefined ? '' : `default ${JSON.stringify(node.default)}`,
    required ? 'required' : '',
  ].filter((note) => note !== '')
  const words = [
    typeof node.description === 'string' ? node.description : '',
    notes.length > 0 ? `(${notes.join(', ')})` : '',
  ]
  return {
    name,
    flag: kebabCase(name),
    kind,
    itemKind,
    ...(kind === 'list' && items.every((item) => isWithoutCommas(name, item)) ? { byCommas: true as const } : {}),
    nullable,
    required,
    choices,
    description: words.filter((word) => word !== '').join(' '),
  }
}

function fieldsOfSchema(schema: z.ZodType): Field[] {
  return alternatives(wholeSchema(schema, 'input')).flatMap((node) => {
    const required = (node.required ?? []) as string[]
    return Object.entries((node.properties ?? {}) as Record<string, Node>).map(([name, property]) =>
      field(name, property, required.includes(name)),
    )
  })
}

/** The query and body fields of an operation, in declared order. */
export function fieldsOf(operation: Operation): Field[] {
  const all = [...fieldsOfSchema(operation.query), ...(operation.body === null ? [] : fieldsOfSchema(operation.body))]
  return [...new Map(all.map((each) => [each.name, each])).values()]
}

/** The path parameters of an operation, in path order. */
export function positionalsOf(operation: Operation): string[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
}
