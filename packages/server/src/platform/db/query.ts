/** Statements of which only the answer is wanted, as tags: queryAll<Row>(db)`select …`. */
import { sql } from 'kysely'
import type { Reader } from './tx.ts'

type Statement<Answer> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Answer>

/** Every row. */
export const queryAll =
  <Row>(db: Reader): Statement<Row[]> =>
  async (...statement) =>
    (await sql<Row>(...statement).execute(db)).rows

/** The first row; undefined when there is none. */
export const queryOne =
  <Row>(db: Reader): Statement<Row | undefined> =>
  async (...statement) =>
    (await queryAll<Row>(db)(...statement))[0]

/** The first column of the first row; undefined when there is none. */
export const queryValue =
  <Value>(db: Reader): Statement<Value | undefined> =>
  async (...statement) =>
    Object.values((await queryOne<Record<string, Value>>(db)(...statement)) ?? {})[0]

/** The first column of every row. */
export const queryColumn =
  <Value>(db: Reader): Statement<Value[]> =>
  async (...statement) =>
    (await queryAll<Record<string, Value>>(db)(...statement)).map((row) => Object.values(row)[0]!)

/** True when there is a row. */
export const queryExists =
  (db: Reader): Statement<boolean> =>
  async (...statement) =>
    (await queryOne(db)(...statement)) !== undefined

/** How many rows an insert, update or delete has touched. */
export const countAffected =
  (db: Reader): Statement<number> =>
  async (...statement) =>
    Number((await sql(...statement).execute(db)).numAffectedRows ?? 0)
