/** Tables that grow between two looks of the database's own. */
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { holds } from '../../src/platform/db/conditions.ts'
import type { Database } from '../../src/platform/db/schema.ts'
import { analyzeGrown, tablesHaveGrown } from '../../src/platform/db/statistics.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

let database: TestDatabase | undefined
beforeEach(async () => {
  await database?.drop()
  database = await freshDatabase()
  await sql`create table grows (n int, text text) with (autovacuum_enabled = false)`.execute(database.bare)
})
afterAll(() => database?.drop())

const insert = (db: Kysely<Database>, rows: number) =>
  sql`insert into grows select n, repeat('x', 100) from generate_series(1, ${rows}::int) n`.execute(db)

/** What a connection has changed is counted at its next word after the transaction, and not a second later as else. */
const counted = (db: Kysely<Database>) => sql`select pg_stat_force_next_flush()`.execute(db)

const add = (rows: number) =>
  database!.bare.connection().execute(async (db) => {
    await insert(db, rows)
    await counted(db)
    await sql`select 1`.execute(db)
  })
const known = async () =>
  (
    await sql<{ rows: number }>`select reltuples::int as rows from pg_class where relname = 'grows'`.execute(
      database!.bare,
    )
  ).rows[0]!.rows
const look = async () => [
  await holds(database!.root, tablesHaveGrown()),
  await analyzeGrown(database!.root),
  await known(),
]

it('are looked at once they are half a megabyte, and again each time they have doubled', async () => {
  await add(1_900)
  expect(await look()).toEqual([false, 0, -1])
  await add(3_100)
  expect(await look()).toEqual([true, 1, 5_000])
  await add(4_000)
  expect(await look()).toEqual([false, 0, 5_000])
  await add(4_000)
  expect(await look()).toEqual([true, 1, 13_000])
})

it('are passed over while something else has them, and looked at later', async () => {
  await add(20_000)
  await database!.bare.transaction().execute(async (tx) => {
    await sql`lock table grows in share update exclusive mode`.execute(tx)
    await analyzeGrown(database!.root)
    expect(await known()).toBe(-1)
  })
  expect(await look()).toEqual([true, 1, 20_000])
})

it('are not looked at in the middle of a load, which would find them large and empty', async () => {
  await database!.bare.connection().execute(async (db) => {
    await db.transaction().execute(async (tx) => {
      await insert(tx, 20_000)
      await counted(tx)
      expect(await look()).toEqual([false, 0, -1])
    })
    await counted(db)
    await sql`select 1`.execute(db)
  })
  expect(await look()).toEqual([true, 1, 20_000])
})
