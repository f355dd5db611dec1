/** Database trouble, raised by a real PostgreSQL or its driver, becomes an answer with Retry-After, not a bug. */
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/open.ts'
import { snapshot } from '../world/snapshot.ts'
import { useLocalService, type Answer, type TestTeam } from './local-service.ts'

const service = useLocalService()
let team: TestTeam
beforeAll(async () => {
  team = await service.team({ limits: { reads: 10_000, writes: 10_000 } })
})
beforeEach(() => {
  service.logLines.length = 0
})

async function readThat(trouble: () => Promise<unknown>): Promise<Answer> {
  service.stubs.getCredits = async () => {
    await trouble()
    throw new Error('nothing happened')
  }
  return await service.api('GET', '/credits', team.key)
}

function expectComeBack(answer: Answer): void {
  expect([answer.status, answer.headers['retry-after'], Object.keys(answer.body)]).toEqual([
    503,
    '5',
    ['error', 'requestId'],
  ])
  expect(answer.body.error).toContain('try again')
  const line = service.logLines.find((text) => text.includes(answer.body.requestId))!
  expect(line).toContain('the database failed a request')
  expect(line).toContain('"level":"warn"')
}

const raise = (state: string) =>
  sql.raw(`do $$ begin raise exception 'details of a table' using errcode = '${state}'; end $$`)

test.each(['08006', '57P01', '57P02', '57P03', '57014', '55P03', '53000', '53100', '53200', '53300', '25006', '58030'])(
  'SQLSTATE %s in a read is 503 without a code, with Retry-After and without internals [G110]',
  async (state) => {
    const answer = await readThat(() => raise(state).execute(service.database.root))
    expectComeBack(answer)
    expect(answer.text).not.toContain('details')
  },
)

test('SQLSTATE of a wrong statement or a broken rule stays a bug: 500 [ERR-21]', async () => {
  for (const state of ['42P01', '23505', '22P02'])
    expect([state, (await readThat(() => raise(state).execute(service.database.root))).status]).toEqual([state, 500])
})

test.each(['53100', '55P03', '57014'])(
  'SQLSTATE %s in a write is 503, the write is undone whole and can be sent again under its key [ERR-21, G109]',
  async (state) => {
    service.stubs.createKey = (_input, { unitOfWork }) =>
      unitOfWork(async (tx) => {
        await tx.db.updateTable('team').set({ name: 'touched' }).where('id', '=', team.id).execute()
        await raise(state).execute(tx.db)
        return {}
      })
    const before = await snapshot(service.database.pool)
    const name = `after ${state}`
    expectComeBack(await service.api('POST', '/keys', team.key, { name }, { 'idempotency-key': name }))
    expect(await snapshot(service.database.pool)).toEqual(before)
    delete service.stubs.createKey
    expect((await service.api('POST', '/keys', team.key, { name }, { 'idempotency-key': name })).status).toBe(201)
  },
)

const open = (
  given: Partial<Parameters<typeof openDatabase>[1]['poolTimeouts'] & object> = {},
  to: Parameters<typeof openDatabase>[0] = service.database.connection,
) =>
  openDatabase(to, {
    poolSize: 1,
    poolTimeouts: { statementMs: 60_000, lockMs: 1_000, connectMs: 5_000, ...given },
    onError: () => {},
  })
type Pool = ReturnType<typeof open>
const nowhere = { port: 1, user: 'les', password: 'x', database: 'les' }
const ask = (pool: Pool) => readThat(() => sql`select 1`.execute(pool.root))

test.each<[string, () => Pool, (pool: Pool) => Promise<Answer>]>([
  [
    'a statement that takes longer than its pool allows',
    () => open({ statementMs: 20 }),
    (pool) => readThat(() => sql`select pg_sleep(60)`.execute(pool.root)),
  ],
  [
    'a lock that is not given in time',
    () => open({ lockMs: 20 }),
    (pool) =>
      service.database.bare.transaction().execute(async (holder) => {
        await sql`lock table lead in access exclusive mode`.execute(holder)
        return await readThat(() => sql`select id from lead limit 1`.execute(pool.root))
      }),
  ],
  [
    'a pool without a connection to give',
    () => open({ connectMs: 250 }),
    async (pool) => {
      // Taking the connection may time out too, so it is retried.
      const take = (): Promise<PoolClient> => pool.pool.connect().catch(take)
      const taken = await take()
      const answer = await ask(pool)
      taken.release()
      return answer
    },
  ],
  ['a server that is not there', () => open({}, { ...nowhere, host: '/nonexistent' }), ask],
  ['a server that refuses', () => open({}, { ...nowhere, host: '127.0.0.1' }), ask],
])('%s is 503', async (_what, opened, answerOf) => {
  const pool = opened()
  expectComeBack(await answerOf(pool))
  await pool.close()
})

test('a connection that is ended under a statement is 503, and its pool opens another', async () => {
  const lost = open()
  expectComeBack(await readThat(() => sql`select pg_terminate_backend(pg_backend_pid())`.execute(lost.root)))
  await expect
    .poll(
      () =>
        sql`select 1 as one`.execute(lost.root).then(
          ({ rows }) => rows,
          () => 'not yet',
        ),
      { timeout: 20_000, interval: 10 },
    )
    .toEqual([{ one: 1 }])
  await lost.close()
})
