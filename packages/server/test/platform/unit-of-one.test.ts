/** A unit of work of one statement: spared the begin and the commit, and held to being one. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUnitOfWork, type UnitOfWork } from '../../src/platform/db/unit-of-work.ts'
import { machineIds } from '../../src/platform/random.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'

describe('a unit of one statement', () => {
  let database: TestDatabase
  let unitOfWork: UnitOfWork
  const counted: string[] = []
  beforeAll(async () => {
    database = await freshDatabase()
    await database.pool.query('create table shown (a int primary key)')
    unitOfWork = makeUnitOfWork({
      db: database.bare,
      ids: machineIds(),
      serviceNow: async () => new Date(0),
      wake: () => {},
      onEffectError: () => {},
      count: (counter, label, by) => void counted.push(`${counter} ${label} ${by}`),
    })
  })
  afterAll(() => database.drop())
  const shown = async () => (await database.pool.query('select a from shown order by a')).rows.map(({ a }) => a)

  it('commits by itself, without a transaction around it, and spends its effects then', async () => {
    const ids = await unitOfWork(async (tx) => {
      tx.count('deliveries', 'sent', 2)
      const { rows } = await sql<{ a: number; alone: boolean }>`
        insert into shown values (1) returning a, now() = statement_timestamp() as alone`.execute(tx.db)
      return rows
    }, 'statement')
    expect([ids, await shown(), counted]).toEqual([[{ a: 1, alone: true }], [1], ['deliveries sent 2']])
  })
  it('that fails writes nothing, and its effects are forgotten', async () => {
    const failing = unitOfWork(async (tx) => {
      tx.count('deliveries', 'sent', 1)
      await sql`insert into shown values (2), (1)`.execute(tx.db)
    }, 'statement')
    await expect(failing).rejects.toThrow('duplicate key')
    expect([await shown(), counted.length]).toEqual([[1], 1])
  })
  it('refuses a second statement, and a mark outside of its own', async () => {
    const second = unitOfWork(async (tx) => {
      await sql`insert into shown values (3)`.execute(tx.db)
      await sql`insert into shown values (4)`.execute(tx.db)
    }, 'statement')
    await expect(second).rejects.toThrow('a second statement in a unit of one')
    await expect(unitOfWork(async (tx) => tx.mark('delivery', 'team'), 'statement')).rejects.toThrow('marks within it')
    await expect(unitOfWork(async (tx) => tx.enqueue('delivery', 'team'), 'statement')).rejects.toThrow('marks within')
    await expect(unitOfWork(async (tx) => tx.markAll('team'), 'statement')).rejects.toThrow('marks within it')
    expect(await shown()).toEqual([1, 3])
  })
})
