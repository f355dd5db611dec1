/** Tables that grow between two looks of the database's own. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { holds } from '../../src/platform/db/conditions.ts'
import { analyzeGrown, tablesHaveGrown } from '../../src/platform/db/statistics.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
  await sql`create table grows (n int, text text) with (autovacuum_enabled = false)`.execute(database.bare)
})
afterAll(() => database.drop())

const add = (rows: number) =>
  sql`insert into grows select n, repeat('x', 100) from generate_series(1, ${rows}::int) n`.execute(database.bare)
const known = async () =>
  (
    await sql<{ rows: number }>`select reltuples::int as rows from pg_class where relname = 'grows'`.execute(
      database.bare,
    )
  ).rows[0]!.rows

it('are looked at once they are half a megabyte, and again each time they have doubled', async () => {
  await add(1_000)
  expect([await holds(database.root, tablesHaveGrown()), await known()]).toEqual([false, -1])
  await add(4_000)
  expect(await holds(database.root, tablesHaveGrown())).toBe(true)
  expect([await analyzeGrown(database.root), await known()]).toEqual([1, 5_000])
  await add(4_000)
  expect([await holds(database.root, tablesHaveGrown()), await analyzeGrown(database.root), await known()]).toEqual([
    false,
    0,
    5_000,
  ])
  await add(4_000)
  expect([await holds(database.root, tablesHaveGrown()), await analyzeGrown(database.root), await known()]).toEqual([
    true,
    1,
    13_000,
  ])
})

it('are passed over while something else has them, and looked at later', async () => {
  await add(20_000)
  await database.bare.transaction().execute(async (tx) => {
    await sql`lock table grows in share update exclusive mode`.execute(tx)
    await analyzeGrown(database.root)
    expect(await known()).toBe(13_000)
  })
  await analyzeGrown(database.root)
  expect(await known()).toBe(33_000)
})
