/** `les-server shards move` killed as a process: nothing of the team is lost, and the same command continues. */
import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { clientConfig } from '../../src/platform/db/open.ts'
import { inShard } from '../../src/platform/db/shards.ts'
import { builtProgram } from '../process/program.ts'
import { endPrograms, startProgram, type Spawned } from '../process/spawned.ts'
import { capture } from '../scenarios/outreach-stage.ts'
import { urlOf } from '../world/database-url.ts'
import { findDrift } from '../world/oracle.ts'
import { useWorld, type Team } from '../world/world.ts'
import { contentsOf, lastMove, openMover, otherShard, rowsButCalls } from './stage.ts'

// Without workers: only the mover waits for locks.
const world = useWorld({ config: { shards: 2, roles: ['http'] } })
afterAll(() => endPrograms('SIGKILL'))

async function shards(...words: string[]): Promise<Spawned> {
  const { path, settings } = await builtProgram()
  return startProgram([path, 'shards', ...words], {
    cwd: tmpdir(),
    settings: {
      ...settings,
      DATABASE_URL: urlOf(world.database.connection),
      LES_MASTER_KEY: world.service.config.masterKey!.toString('base64'),
      LES_SANDBOX: '1',
    },
  })
}

async function endOf(...words: string[]): Promise<readonly [number | null, string]> {
  const program = await shards(...words)
  return [await program.ended, program.err()]
}

/** Holds a lock until released; `waiter` is the backend that waits for it, once there is one. */
async function hold(statement: string) {
  const client = new pg.Client(clientConfig(world.database.connection))
  await client.connect()
  await client.query('begin')
  await client.query(statement)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const waiting = async (): Promise<number | undefined> =>
    (
      await world.database.pool.query<{ pid: number }>(
        'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
        [rows[0]!.pid],
      )
    ).rows[0]?.pid
  return {
    waiter: async (): Promise<number> => {
      await expect.poll(waiting, { timeout: 20_000, interval: 10 }).toBeDefined()
      return (await waiting())!
    },
    release: async (): Promise<void> => {
      await client.query('rollback')
      await client.end()
    },
  }
}

/** Locks that stop a mover at a step, one after another: each is taken while it waits for the previous one. */
function locksAt(step: string, { id }: Team, to: string): readonly string[] {
  const table = (name: string) => `lock table ${to}.${name} in access exclusive mode`
  const team = `select 1 from team where id = '${id}' for key share`
  const locks: Record<string, readonly string[]> = {
    copying: [table('lead')],
    sealed: [team],
    switching: [team, `select 1 from team_move where team_id = '${id}' for update`],
    switched: [team, table('company')],
  }
  return locks[step]!
}

/** Begins a move, kills it at a step, and waits until the database has noticed. */
async function killAt(step: string, team: Team, to: string): Promise<void> {
  const [first, ...others] = locksAt(step, team, to)
  let held = await hold(first!)
  const mover = await shards('move', team.id, to)
  let waiter = await held.waiter()
  for (const lock of others) {
    const next = await hold(lock)
    await held.release()
    held = next
    waiter = await held.waiter()
  }
  mover.child.kill('SIGKILL')
  await mover.ended
  await held.release()
  const isThere = async () =>
    (await world.database.pool.query('select 1 from pg_stat_activity where pid = $1', [waiter])).rowCount === 1
  await expect.poll(isThere, { timeout: 20_000, interval: 10 }).toBe(false)
}

/** Simulates the minute for which others do not touch a dead mover's move; its seal ends long before. */
const minutePasses = ({ id }: Team) =>
  world.database.pool.query(
    'update team_move set owner_until_ms = 0, sealed_until_ms = 0 where team_id = $1 and ended_at is null',
    [id],
  )

const drift = async (): Promise<unknown[]> =>
  (
    await Promise.all(world.service.shards.names.map((shard) => inShard(shard, () => findDrift(world.database.root))))
  ).flat()

// In process, a mover dies at the other steps in move.test.ts.
it.each([
  ['copying', 'resumed'],
  ['sealed', 'undone'],
  ['switching', 'resumed'],
  ['switched', 'resumed'],
])(
  'killed while %s and %s: every row is there once, and the money adds up [CRD-13]',
  { timeout: 60_000 },
  async (step, end) => {
    const team = await world.team({ credits: 100 })
    await capture(world, team, [{}, { company: 'acme' }, {}])
    await world.drain()
    const [from, to] = [await world.shardOf(team), await otherShard(world, team)]
    const before = await rowsButCalls(world, team.id)
    await killAt(step!, team, to)
    const isOver = step === 'switched'
    expect(await lastMove(world, team.id)).toMatchObject({ state: isOver ? 'switched' : 'copying' })
    expect(await world.shardOf(team)).toBe(isOver ? to : from)
    expect(await rowsButCalls(world, team.id)).toEqual(before)
    const isSealed = ['sealed', 'switching'].includes(step!)
    expect((await team.post('/exports', { format: 'csv' })).status).toBe(isSealed ? 503 : 200)
    if (step === 'copying') expect((await endOf('move', team.id, to))[1]).toContain('died less than a minute ago')
    await minutePasses(team)
    expect((await team.post('/exports', { format: 'csv' })).status).toBe(200)
    await world.drain()
    const worked = await rowsButCalls(world, team.id)
    if (end === 'undone') expect(await endOf('move', team.id, '--undo')).toEqual([0, ''])
    else if (isOver)
      expect(await endOf('move', team.id, to)).toEqual([1, expect.stringContaining(`is in ${to} already`)])
    else expect(await endOf('move', team.id, to)).toEqual([0, ''])
    expect(await world.shardOf(team)).toBe(end === 'undone' ? from : to)
    expect(await rowsButCalls(world, team.id)).toEqual(worked)
    const mover = openMover(world)
    await mover.clean()
    await mover.close()
    expect(await contentsOf(world, team.id, end === 'undone' ? to : from)).toEqual({})
    expect(await lastMove(world, team.id)).toMatchObject({ state: end === 'undone' ? 'undone' : 'done' })
    expect(await team.balance()).toBe(97)
    expect(await drift()).toEqual([])
  },
)
