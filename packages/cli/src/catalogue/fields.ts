/** Derives flags from an operation's schemas (CLI-02). */
import { describeSchema, targetingFilters, type Operation } from '@les/contract'
import type { z } from 'zod'
import { kebabCase, type Field, type FieldKind } from './entry.ts'

export type Node = { readonly [key: string]: unknown }

function resolve(node: Node, root: Node): Node {
  const reference = typeof node.$ref === 'string' ? /^#\/\$defs\/(.+)$/.exec(node.$ref)?.[1] : undefined
  return reference === undefined ? node : resolve((root.$defs as Record<string, Node>)[reference]!, root)
}

/** Flattens unions into their alternatives. */
export function alternatives(node: Node, root: Node): Node[] {
  const resolved = resolve(node, root)
  const options = (resolved.anyOf ?? resolved.oneOf) as Node[] | undefined
  if (options) return options.flatMap((option) => alternatives(option, root))
  if (Array.isArray(resolved.type)) return resolved.type.map((type: unknown) => ({ ...resolved, type }))
  return [resolved]
}

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

function field(name: string, node: Node, { required, root }: { required: boolean; root: Node }): Field {
  const all = alternatives(node, root)
  const values = all.filter((option) => option.type !== 'null' && option.const !== null)
  const nullable = values.length < all.length
  const kinds = new Set(values.map(kindOf))
  const first = values[0] ?? {}
  const items = alternatives((first.items as Node | undefined) ?? {}, root)
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
  const described = resolve(node, root)
  const notes = [
    kind === 'number' ? range(first) : '',
    nullable ? 'or `null`' : '',
    described.default === undefined ? '' : `default ${JSON.stringify(described.default)}`,
    required ? 'required' : '',
  ].filter((note) => note !== '')
  const words = [
    typeof described.description === 'string' ? described.description : '',
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
  const root = describeSchema(schema, 'input') as Node
  return alternatives(root, root).flatMap((node) => {
    const required = (node.required ?? []) as string[]
    return Object.entries((node.properties ?? {}) as Record<string, Node>).map(([name, property]) =>
      field(name, property, { required: required.includes(name), root }),
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
