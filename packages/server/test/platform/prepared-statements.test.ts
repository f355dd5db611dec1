/** A pool that prepares: what is asked often is planned once, and a migration under it passes by itself. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, type OpenDatabase } from '../../src/platform/db/open.ts'
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
