/**
 * What a request carried and nobody read: query parameters that the operation does not know (G11), and body fields that nearly
 * have the name of one it knows, where the specification forbids refusing them. Pure.
 */
import { describeSchema, type Operation } from '@les/contract'
import type { z } from 'zod'
import type { RawInput } from './input.ts'
import { plainName as nameAsCompared } from './near-names.ts'

type Node = { readonly [key: string]: unknown }

function namesIn(node: Node | undefined, root: Node): string[] {
  if (!node) return []
  if (typeof node.$ref === 'string') {
    const definitions = (root.$defs ?? {}) as Readonly<Record<string, Node>>
    return namesIn(definitions[node.$ref.split('/').at(-1)!], root)
  }
  const parts = [node.anyOf, node.oneOf, node.allOf].flatMap((list) => (list ?? []) as Node[])
  return [...Object.keys((node.properties ?? {}) as Node), ...parts.flatMap((part) => namesIn(part, root))]
}

const known = new WeakMap<z.ZodType, readonly string[]>()

/** The fields that a schema reads; worked out once for each. */
function fieldsOf(schema: z.ZodType): readonly string[] {
  const made = known.get(schema)
  if (made) return made
  const root = describeSchema(schema, 'input')
  const names = [...new Set(namesIn(root, root))]
  known.set(schema, names)
  return names
}

/** Changes of one letter, and swaps of two neighbours, from one text to the other; stops caring beyond `most`. */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1)
    }
    before = row
    row = next
  }
  return row[other.length]!
}

/** The known name that was probably meant; undefined when none is near. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const asked = nameAsCompared(name)
  // What is no name at all is never compared: it may be long.
  if (asked === '' || asked.length > 60) return undefined
  const most = asked.length < 4 ? 0 : asked.length < 8 ? 1 : 2
  let best: { readonly name: string; readonly away: number } | undefined
  for (const candidate of names) {
    const away = distance(asked, nameAsCompared(candidate), most)
    if (away <= most && (best === undefined || away < best.away)) best = { name: candidate, away }
  }
  return best?.name
}

const namesShown = 10
const plainName = /^[A-Za-z0-9_.[\]-]{1,60}$/

/** The value of `X-Ignored-Parameters`; null when nothing was ignored that is worth saying. */
export function ignoredParameters(operation: Operation, raw: RawInput): string | null {
  const query = fieldsOf(operation.query)
  const body = operation.body === null ? [] : fieldsOf(operation.body)
  const inQuery = raw.query
    .map(([name]) => name)
    .filter((name) => !query.includes(name) && plainName.test(name))
    // A head holds thousands of names, and what each is near to costs more than to read it.
    .slice(0, namesShown)
    .map((name) => [name, nearestName(name, query)] as const)
  // Of bodies only near misses: callers send whole records of their own, and every field of them is no mistake.
  const inBody = (operation.body === null ? [] : Object.keys(raw.body))
    .slice(0, 200)
    .filter((name) => !body.includes(name))
    .map((name) => [name, nearestName(name, body)] as const)
    .filter(([, nearest]) => nearest !== undefined)
  const found = new Map([...inQuery, ...inBody].filter(([name]) => plainName.test(name)))
  if (found.size === 0) return null
  return [...found]
    .slice(0, namesShown)
    .map(([name, nearest]) => (nearest === undefined ? name : `${name};did-you-mean=${nearest}`))
    .join(', ')
}
