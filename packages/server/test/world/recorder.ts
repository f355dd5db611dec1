/**
 * Records the statements of a run, their answers and order, per database, into the folder `LES_RECORD`;
 * `scripts/citus-compare.ts` replays them on Citus.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareValue } from 'pg/lib/utils.js'

/** A statement and its answer. */
export type Recorded = {
  /** The connection's number within its process. */
  readonly connection: number
  /** Position in the order of sending; a statement that waits for a lock is answered after later ones. */
  readonly place: number
  readonly text: string
  readonly name?: string | undefined
  /** As sent: text, null, or bytes as base64 after `bytes:`. */
  readonly values: readonly (string | null | { readonly bytes: string })[]
  readonly answer: Answer
}

/** Rows as JSON, or the error. */
export type Answer =
  | { readonly rows: string[] }
  | { readonly code: string; readonly constraint?: string; readonly message: string }

type Given = string | { readonly text?: string | undefined; readonly name?: string; readonly values?: unknown[] }

/** The recorded form of a driver's result. */
export const answerOf = (result: pg.QueryResult | pg.QueryResult[]): Answer => ({
  rows: (Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows).map((row) => JSON.stringify(row)),
})

/** The recorded form of an error. */
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
let places = 0
const numbers = new WeakMap<pg.Client, number>()

/** How long a statement may delay those after it; one that takes longer is waiting for a lock. */
const patienceMs = 30
const turns = new Map<string, Promise<unknown>>()

/** Sends the statements of a database one after another; otherwise the order of the answers would be meaningless. */
function inTurn<T>(database: string, ask: () => Promise<T>): Promise<T> {
  const before = turns.get(database) ?? Promise.resolve()
  const answered = before.then(ask)
  const settled = answered.then(
    () => {},
    () => {},
  )
  const late = before.then(() => sleep(patienceMs, undefined, { ref: false }))
  turns.set(database, Promise.race([settled, late]))
  return answered
}

/** Starts recording into a folder, one file per database. */
export function recordStatements(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const plain = prototype.query
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const callback = typeof given.at(-1) === 'function' ? (given.pop() as (...said: unknown[]) => void) : undefined
    const [asked, values] = given as [Given, unknown[] | undefined]
    const config = typeof asked === 'string' ? { text: asked } : asked
    const { text, name, values: own = values ?? [] } = config
    if (text === undefined || 'submit' in config) return plain.apply(this, callback ? [...given, callback] : given)
    const connection = numbers.get(this) ?? ++connections
    numbers.set(this, connection)
    const sentValues = own.map(sent)
    const note = (place: number, answer: Answer): void =>
      appendFileSync(
        join(folder, `${this.database}.jsonl`),
        `${JSON.stringify({ connection, place, text, name, values: sentValues, answer } satisfies Recorded)}\n`,
      )
    const answer = inTurn(this.database ?? '', async () => {
      const place = ++places
      try {
        const result = (await plain.apply(this, given)) as pg.QueryResult
        note(place, answerOf(result))
        return result
      } catch (error) {
        note(place, failureOf(error))
        throw error
      }
    })
    if (callback === undefined) return answer
    answer.then(
      (result) => callback(undefined, result),
      (error: unknown) => callback(error),
    )
    return undefined
  }
}
