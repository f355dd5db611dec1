import {
  basePath,
  interfaceVersion,
  registry,
  sessionRegistry,
  wholeSchema,
  wordsOf,
  type Operation,
} from '@les/contract'
import type { AnswerShape, Catalogue, Entry, ListShape } from './entry.ts'
import { examplesOf, presentationOf } from './examples.ts'
import { alternatives, fieldsOf, positionalsOf, type Node } from './fields.ts'

const properties = (nodes: readonly Node[]): [string, Node][] => [
  ...new Map(nodes.flatMap((node) => Object.entries((node.properties ?? {}) as Record<string, Node>))),
]

function rowsOf(node: Node): Node[] | undefined {
  const array = alternatives(node).find((each) => each.type === 'array')
  const items = array && alternatives((array.items ?? {}) as Node)
  return items && items.length > 0 && items.every((item) => item.type === 'object') ? items : undefined
}

const isPlain = (node: Node): boolean =>
  alternatives(node).every(
    ({ type, items, enum: choices, const: only }) =>
      choices !== undefined ||
      only !== undefined ||
      (type !== 'object' && type !== undefined && (type !== 'array' || (items as Node | undefined)?.type === 'string')),
  )

/** In other operations a list is a detail of the answer, such as the changes of an edit. */
const isAboutRows = (id: string): boolean => /^(?:list|read)/.test(id) || id === 'getDiscoverRun'

function answerOf(operation: Operation): AnswerShape {
  const all = properties(alternatives(wholeSchema(operation.success, 'output')))
  const lists = all.flatMap(([name, node]): ListShape[] => {
    const rows = rowsOf(node)
    if (!rows) return []
    const columns = properties(rows)
    // `excluded` is kept in every format: rows without it would look like people to contact.
    const plain = columns.filter(([column, value]) => isPlain(value) || column === 'excluded').map(([column]) => column)
    const fields = columns.map(([column]) => column)
    return [{ name, fields, plain, columns: presentationOf(operation).columns ?? plain }]
  })
  const names = all.map(([name]) => name)
  const asks = Object.keys((operation.query as { shape?: object }).shape ?? {})
  return {
    fields: names,
    list: isAboutRows(operation.id) && lists.length === 1 ? lists[0]! : null,
    secret: names.includes('signingSecret'),
    paged: names.includes('hasMore') && asks.includes('limit') && asks.includes('offset'),
  }
}

function entry(operation: Operation): Entry {
  const { id, method, charges, path, tag, summary, description } = operation
  return {
    id,
    words: wordsOf(operation),
    method,
    charges,
    path,
    tag,
    summary,
    description,
    positionals: positionalsOf(operation),
    fields: fieldsOf(operation),
    answer: answerOf(operation),
    examples: examplesOf(operation),
  }
}

const personEntries = (): Entry[] =>
  (sessionRegistry as readonly Operation[]).flatMap((operation) => {
    const { words, examples = [] } = presentationOf(operation)
    return words ? [{ ...entry(operation), words, examples, person: true as const }] : []
  })

export function makeCatalogue(): Catalogue {
  return {
    version: interfaceVersion,
    basePath,
    entries: (registry as readonly Operation[]).map(entry),
    person: personEntries(),
  }
}

/** The catalogue as text, one operation per line for readable diffs. */
export function catalogueText(): string {
  const { version, basePath: path, entries, person } = makeCatalogue()
  const lines = (all: readonly Entry[]) => all.map((each) => JSON.stringify(each)).join(',\n')
  return [
    '{',
    `"version": ${JSON.stringify(version)},`,
    `"basePath": ${JSON.stringify(path)},`,
    `"entries": [\n${lines(entries)}\n],`,
    `"person": [\n${lines(person)}\n]}\n`,
  ].join('\n')
}
