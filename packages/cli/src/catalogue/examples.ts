import { wordsOf, type Operation } from '@les/contract'
import { kebabCase } from './entry.ts'
import { fieldsOf, positionalsOf } from './fields.ts'
import presentation from './presentation.json' with { type: 'json' }

type Presentation = {
  /** The command, if the contract has none. */
  readonly words?: readonly string[]
  /** Columns shown when rows are too wide. */
  readonly columns?: readonly string[]
  readonly examples?: readonly string[]
}

export const presentationOf = ({ id }: Operation): Presentation =>
  (presentation as Readonly<Record<string, Presentation>>)[id] ?? {}

const sampleId = '0198c3f0-5a5e-7b60-8f3e-2f6d1c0b9a77'

const quoted = (text: string): string => (/^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

function flagText([name, value]: [string, unknown]): string {
  const flag = kebabCase(name)
  if (typeof value === 'boolean') return value ? `--${flag}` : `--no-${flag}`
  if (Array.isArray(value) && !value.some((item) => typeof item === 'object'))
    return value.map((item) => `--${flag} ${quoted(String(item))}`).join(' ')
  return `--${flag} ${quoted(typeof value === 'string' ? value : JSON.stringify(value))}`
}

function positional(name: string, operation: Operation): string {
  if (name === 'username') return operation.path.startsWith('/company/') ? 'acme' : 'jane-doe'
  if (name === 'urn') return 'urn:li:activity:7395000000000000001'
  return sampleId
}

/** Command lines that call an operation, simplest first; each has every required flag. */
export function examplesOf(operation: Operation): string[] {
  const start = [
    'les',
    ...wordsOf(operation),
    ...positionalsOf(operation).map((name) => positional(name, operation)),
  ].join(' ')
  const given = operation.example ?? {}
  const flags = Object.entries(given).map(flagText)
  const isWhole = fieldsOf(operation).every(({ name, required }) => !required || name in given)
  const { examples: more = [] } = presentationOf(operation)
  return [
    ...new Set([
      ...(isWhole || more.length === 0 ? [[start, ...flags].join(' ')] : []),
      ...more.map((rest) => `${start} ${rest}`),
    ]),
  ]
}
