/** The selection with its fields from the contract, from which both platforms' descriptions are made. */
import { alternatives, type Node } from '../../packages/cli/src/catalogue/fields.ts'
import { makeCatalogue } from '../../packages/cli/src/catalogue/make.ts'
import { describeSchema, findOperation } from '../../packages/contract/src/index.ts'
import { addMeanings } from '../../packages/contract/src/openapi/schema.ts'
import { selection, type Choice } from './selection.ts'

/** A field that a workflow's author fills in. */
export type Field = {
  readonly name: string
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'instant' | 'texts' | 'json'
  readonly choices: readonly string[]
  readonly required: boolean
  /** Without the last full stop; may be empty. */
  readonly description: string
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly at: 'path' | 'query' | 'body'
  /** Path in the query or body; `entries[0].kind` for a row's field. */
  readonly property: string
}

/** An action of a workflow with everything about it. */
export type Action = Choice & {
  /** Such as `trackPerson`; unique in its resource. */
  readonly key: string
  readonly method: string
  readonly path: string
  readonly charges: boolean
  readonly summary: string
  readonly description: string
  readonly fields: readonly Field[]
  readonly list: string | null
  readonly paged: boolean
}

const kindOf = (values: readonly Node[]): Field['kind'] => {
  if (values.some(({ format }) => format === 'date-time')) return 'instant'
  const [{ type, items }] = values as [Node]
  if (values.length > 1) return 'json'
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (type === 'array') return (items as Node).type === 'string' ? 'texts' : 'json'
  return type === 'string' ? 'text' : 'json'
}

function readField(name: string, node: Node, place: Pick<Field, 'at' | 'property' | 'required'>): Field {
  const values = alternatives(node).filter(({ type }) => type !== 'null')
  const { enum: choices, minimum, maximum } = values[0] as Node
  return {
    ...place,
    name,
    kind: kindOf(values),
    choices: ((choices ?? []) as unknown[]).map(String),
    description: String(node.description ?? '').replace(/\.$/, ''),
    minimum: minimum as number | undefined,
    maximum: maximum as number | undefined,
  }
}

function readFields(schema: Node, at: Field['at'], each?: string): Field[] {
  const required = (schema.required ?? []) as readonly string[]
  return Object.entries((schema.properties ?? {}) as Record<string, Node>).flatMap(([name, node]) => {
    if (name !== each) return [readField(name, node, { at, property: name, required: required.includes(name) })]
    const row = node.items as Node
    return readFields(row, at).map((field) => ({ ...field, property: `${name}[0].${field.name}` }))
  })
}

const catalogue = makeCatalogue()

/** `Job Title` becomes `jobTitle`. */
export const keyOf = (name: string): string => {
  const joined = name.replaceAll(' ', '')
  return `${joined[0]!.toLowerCase()}${joined.slice(1)}`
}

function readAction(choice: Choice): Action {
  const { id, each, omit = [], preset = {} } = choice
  const operation = findOperation(id)
  const { answer } = catalogue.entries.find((entry) => entry.id === id)!
  const schemas = { path: operation.params, query: operation.query, body: operation.body }
  const fields = Object.entries(schemas).flatMap(([at, schema]) =>
    schema === null
      ? []
      : readFields(addMeanings(describeSchema(schema, 'input'), [id], 'input') as Node, at as Field['at'], each),
  )
  const { method, path, charges, summary, description } = operation
  return {
    ...choice,
    ...{ key: keyOf(choice.name), method, path, charges, summary, description },
    fields: fields
      .filter(({ name }) => !omit.includes(name) && !(name in preset))
      .map((field) => (field.name === 'id' ? { ...field, description: `ID of the ${choice.resource}` } : field)),
    list: answer.list?.name ?? null,
    paged: answer.paged,
  }
}

export const readActions = (): readonly Action[] => selection.map(readAction)

const capitals: Readonly<Record<string, string>> = { Id: 'ID', Url: 'URL', Icp: 'ICP', Ai: 'AI', Csv: 'CSV' }

/** `profileId` becomes `Profile ID`. */
export const labelOf = (name: string): string =>
  name
    .replace(/[_-]/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(' ')
    .map((word) => `${word[0]!.toUpperCase()}${word.slice(1)}`)
    .map((word) => capitals[word] ?? word)
    .join(' ')
