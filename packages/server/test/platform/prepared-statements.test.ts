/** A pool that prepares: frequent statements are planned once, and survive a migration. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type OpenDatabase } from '../../src/platform/db/open.ts'
import { plannedOnce } from '../../src/platform/db/prepared.ts'
import { makeUnitOfWork } from '../../src/platform/db/unit-of-work.ts'
import { machineIds } from '../../src/platform/random.ts'
import { databaseTrouble } from '../../src/platform/db/trouble.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

describe('a pool that prepares', () => {
  let database: TestDatabase
  let pool: OpenDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    pool = openDatabase(database.connection, { poolSize: 1, names: 'repeated', onError: () => {} })
    await database.pool.query('create table shown (a int); insert into shown values (1)')
  })
  afterAll(async () => {
    await pool.close()
    await database.drop()
  })
  const ask = async () => (await sql`select * from shown where a > ${0}`.execute(pool.bare)).rows
  const prepared = async () =>
    (await pool.pool.query(`select statement from pg_prepared_statements where statement like '%shown%'`)).rows.length

  it('prepares what is asked for the fifth time, and nothing before', async () => {
    for (let n = 0; n < 4; n++) expect(await ask()).toEqual([{ a: 1 }])
    expect(await prepared()).toBe(0)
    for (let n = 0; n < 3; n++) expect(await ask()).toEqual([{ a: 1 }])
    expect(await prepared()).toBe(1)
  })
  it('goes on after a table got a column: one answer is a passing trouble, the next is right', async () => {
    for (let n = 0; n < 6; n++) await ask()
    await database.pool.query('alter table shown add column b int default 2')
    const answers = []
    for (let n = 0; n < 3; n++) answers.push(await ask().catch((error: unknown) => databaseTrouble(error)))
    expect(answers).toEqual(['busy', [{ a: 1, b: 2 }], [{ a: 1, b: 2 }]])
  })
  it('a unit of work that meets it is begun anew on another connection', async () => {
    for (let n = 0; n < 6; n++) await ask()
    await database.pool.query('alter table shown add column c int default 3')
    const unitOfWork = makeUnitOfWork({
      db: pool.bare,
      ids: machineIds(),
      serviceNow: async () => new Date(0),
      wake: () => {},
      onEffectError: () => {},
    })
    const asked = unitOfWork(async ({ db }) => (await sql`select * from shown where a > ${0}`.execute(db)).rows)
    expect(await asked).toEqual([{ a: 1, b: 2, c: 3 }])
  })
})

describe('a pool that prepares always', () => {
  it('plans a statement once, from its first time on, and for no values in particular', async () => {
    const database = await freshDatabase()
    const { pool, bare, close } = openDatabase(database.connection, { poolSize: 1, names: 'all', onError: () => {} })
    for (const n of [1, 2, 3]) expect((await sql`select ${n}::int as shown`.execute(bare)).rows).toEqual([{ shown: n }])
    const { rows } = await pool.query(
      "select generic_plans::int, custom_plans::int from pg_prepared_statements where statement like '%as shown'",
    )
    expect(rows).toEqual([{ generic_plans: 3, custom_plans: 0 }])
    await close()
    await database.drop()
  })
})

describe.each([
  ['behind a pooler prepares nothing under a name, whoever asks for one', 'none', 0],
  ['on its own prepares what its code names', 'marked', 1],
] as const)('a pool', (title, names, expected) => {
  it(title, async () => {
    const database = await freshDatabase()
    const { pool, bare, close } = openDatabase(database.connection, { poolSize: 1, names, onError: () => {} })
    for (let n = 0; n < 6; n++)
      expect((await pool.query({ name: 'a-name', text: 'select $1::int as n', values: [n] })).rows).toEqual([{ n }])
    const count = async () =>
      (await pool.query('select count(*)::int as n from pg_prepared_statements where name <> $1', [''])).rows[0].n
    expect(await count()).toBe(expected)
    for (const n of [1, 2]) expect((await plannedOnce(sql`select ${n}::int as n`).execute(bare)).rows).toEqual([{ n }])
    expect(await count()).toBe(2 * expected)
    await close()
    await database.drop()
  })
})
