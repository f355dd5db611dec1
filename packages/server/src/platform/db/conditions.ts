import { sql, type RawBuilder } from 'kysely'
import { queryOne } from './query.ts'
import type { Reader } from './tx.ts'

/** An SQL expression that is true or false. */
export type Condition = RawBuilder<boolean>

/** The names of the conditions that hold, asked in one statement so that all see the same instant. */
export async function evaluateConditions<Name extends string>(
  db: Reader,
  conditions: Readonly<Record<Name, Condition>>,
): Promise<Set<Name>> {
  const names = Object.keys(conditions) as Name[]
  const found = (await queryOne<Record<Name, boolean>>(db)`
    select ${sql.join(names.map((name) => sql`${conditions[name]} as ${sql.ref(name)}`))}`)!
  return new Set(names.filter((name) => found[name]))
}

/** Whether one condition holds. */
export async function holds(db: Reader, condition: Condition): Promise<boolean> {
  return (await evaluateConditions(db, { it: condition })).has('it')
}
