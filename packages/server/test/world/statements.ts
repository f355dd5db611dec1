import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { readTables, saysWhichTeam, statementsWithoutTeam, tablesNamed } from '../architecture/sharding.ts'

const seen = new Set<string>()
let collecting = false

/** Starts collecting, until the process ends. */
export function collectStatements(): void {
  if (collecting) return
  collecting = true
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
  const plain = prototype.query
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    const text = typeof first === 'string' ? first : (first as { text?: unknown } | undefined)?.text
    if (typeof text === 'string') seen.add(text)
    return plain.apply(this, given)
  }
}

/** The distinct statements sent so far. */
export const statementsAsked = (): readonly string[] => [...seen]

/** Statements that use tables of teams without naming a team and are on no list of exceptions. */
export function statementsOfNoTeam(): string[] {
  const schema = readFileSync(join(import.meta.dirname, '../../../../docs/generated/schema.sql'), 'utf8')
  const ofTeams = new Set(readTables(schema).flatMap(({ name, hasTeam }) => (hasTeam ? [name] : [])))
  return [...seen].filter(
    (statement) =>
      tablesNamed(statement, ofTeams).length > 0 &&
      !saysWhichTeam(statement) &&
      !statementsWithoutTeam.some(({ shape }) => shape.test(statement.replaceAll(/\s+/g, ' '))),
  )
}
