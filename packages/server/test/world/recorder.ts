/**
 * Records what is asked of each database of a run, in the order in which it was answered, with the answers (`LES_RECORD` names a folder):
 * `scripts/citus-compare.ts` asks a Citus the same and compares.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

/** A statement and its answer. */
export type Recorded = {
  /** The connection, numbered within its process. */
  readonly connection: number
  readonly text: string
  readonly name?: string | undefined
  /** As they are sent: text, null, or bytes in base64 behind `bytes:`. */
  readonly values: readonly (string | null | { readonly bytes: string })[]
  readonly answer: Answer
}

/** What was answered: rows as JSON, or why not. */
export type Answer =
  | { readonly rows: string[] }
  | { readonly code: string; readonly constraint?: string; readonly message: string }

type Given = string | { readonly text?: string; readonly name?: string; readonly values?: unknown[] }

/** What an answer of the driver says. */
export const answerOf = (result: pg.QueryResult | pg.QueryResult[]): Answer => ({
  rows: (Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows).map((row) => JSON.stringify(row)),
})

/** What a failure says. */
export const failureOf = (error: unknown): Answer => {
  const { code = '', constraint, message } = error as pg.DatabaseError
  return { code, message, ...(constraint === undefined ? {} : { constraint }) }
}

const sent = (value: unknown): Recorded['values'][number] => {
  const prepared: unknown = prepareValue(value)
  if (prepared === null || prepared === undefined) return null
  return Buffer.isBuffer(prepared) ? { bytes: prepared.toString('base64') } : String(prepared)
}

let connections = 0
const numbers = new WeakMap<pg.Client, number>()

/** Begins to record into a folder, a file for each database. */
export function recordStatements(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const plain = prototype.query
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked, values] = given as [Given, unknown[] | undefined]
    const text = typeof asked === 'string' ? asked : asked.text
    if (text === undefined) return plain.apply(this, given)
    const connection = numbers.get(this) ?? ++connections
    numbers.set(this, connection)
    const name = typeof asked === 'string' ? undefined : asked.name
    const own = typeof asked === 'string' ? undefined : asked.values
    const prepared = (own ?? (Array.isArray(values) ? values : [])).map(sent)
    const note = (told: Answer): void =>
      appendFileSync(
        join(folder, `${this.database}.jsonl`),
        `${JSON.stringify({ connection, text, name, values: prepared, answer: told } satisfies Recorded)}\n`,
      )
    const callback = given.at(-1)
    if (typeof callback === 'function')
      return plain.apply(this, [
        ...given.slice(0, -1),
        (error: unknown, result: pg.QueryResult) => {
          note(error ? failureOf(error) : answerOf(result))
          callback(error, result)
        },
      ])
    const answer = plain.apply(this, given)
    if (!(answer instanceof Promise)) return answer
    answer.then(
      (result: pg.QueryResult) => note(answerOf(result)),
      (error: unknown) => note(failureOf(error)),
    )
    return answer
  }
}
