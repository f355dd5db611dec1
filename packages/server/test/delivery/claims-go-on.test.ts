/** Claims of deliveries that go on where the last one ended. */
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { claimMany } from '../../src/modules/delivery/claim.ts'
import { deliverStep } from '../../src/modules/delivery/index.ts'
import { Positions } from '../../src/modules/delivery/positions.ts'
import { answer, useStage, type Inbox, type Stage } from './stage.ts'

let stage: Stage
let inbox: Inbox
let ownerId: string
let made = 0
useStage((opened) => ({ stage, inbox } = opened))
beforeEach(async () => {
  inbox.reply = answer(200)
  inbox.received.length = 0
  await sql`delete from delivery`.execute(stage.db)
  await sql`delete from delivery_lease`.execute(stage.db)
  ownerId = await stage.makeSource(`goes-on-${++made}`)
  await stage.put(ownerId, { webhookUrl: inbox.url })
})

/** So many deliveries that are due one after the other, of the endpoint. */
async function lay(count: number, agoMs: number): Promise<void> {
  await sql`
    insert into delivery (team_id, id, owner_id, event, subject, state, body, due_at, created_at)
    select ${stage.teamId}, gen_random_uuid(), ${ownerId}, 'sync.completed', ${agoMs} || '-' || n, 'pending', '{}',
      ${new Date(stage.state.now.getTime() - agoMs)}::timestamptz + n * interval '10 us', ${stage.state.now}
    from generate_series(1, ${count}::int) n`.execute(stage.db)
  await stage.unitOfWork(async (tx) => tx.mark('delivery', stage.teamId))
}

/** A process that claims, of this endpoint up to `depth` in all, and nothing else. */
function openProcess(depth = 5) {
  const [positions, newOwnerId] = [new Positions(), stage.ids.uuid(stage.state.now)]
  const state = { nowMs: stage.system.nowMs() }
  const system = { ...stage.system, nowMs: () => state.nowMs }
  const claim = async (most: number) => {
    const depths = [{ teamId: stage.teamId, ownerId, depth }]
    const known = (teamId: string) => positions.of(teamId, state.nowMs)
    const claimed = await stage.unitOfWork((tx) => claimMany(tx, { system, newOwnerId }, { most, depths, known }))
    positions.claimed(claimed, { beganMs: state.nowMs, nowMs: state.nowMs })
    return claimed
  }
  return { state, claim, positions }
}
const countOf = ({ bound }: { bound: readonly unknown[] }) => bound.length

test('take no more of an endpoint than it may have, with what earlier claims have taken', async () => {
  await lay(40, 1_000)
  const { claim } = openProcess(12)
  expect(countOf(await claim(5))).toBe(5)
  expect([countOf(await claim(5)), countOf(await claim(5)), countOf(await claim(5))]).toEqual([5, 2, 0])
})

test('leave an endpoint its five while another process sends to it, too', async () => {
  await lay(40, 1_000)
  const [one, other] = [openProcess(12), openProcess(12)]
  expect(countOf(await one.claim(5))).toBe(5)
  await sql`delete from delivery_lease where delivery_id in (select delivery_id from delivery_lease order by fence limit 3)`.execute(
    stage.db,
  )
  expect([countOf(await other.claim(12)), countOf(await one.claim(12))]).toEqual([3, 0])
})

test('find what became due behind them when nothing is left, and within a second', async () => {
  await lay(8, 1_000)
  const { claim, state } = openProcess(50)
  expect(countOf(await claim(5))).toBe(5)
  await lay(2, 5_000)
  expect(countOf(await claim(2))).toBe(2)
  state.nowMs += 1_000
  expect(countOf(await claim(2))).toBe(2)
  expect([countOf(await claim(5)), countOf(await claim(5))]).toEqual([1, 0])
  await lay(1, 6_000)
  expect(countOf(await claim(5))).toBe(1)
})

test('find what was given back', async () => {
  await lay(20, 1_000)
  const { claim, positions } = openProcess(50)
  const { bound } = await claim(5)
  await claim(5)
  await sql`delete from delivery_lease where delivery_id = ${bound[0]!.leased.id}`.execute(stage.db)
  positions.givenBack(bound[0]!.leased)
  expect((await claim(1)).bound.map(({ leased }) => leased.id)).toEqual([bound[0]!.leased.id])
})

/** Entries that were read so far of the indexes that claims walk; each session tells of its own when it is asked to, or a second late. */
async function entriesRead(): Promise<number> {
  const { pool } = stage.database
  const idle = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()))
  for (const session of idle) {
    await session.query('select pg_stat_force_next_flush()')
    session.release()
  }
  const { rows } = await sql<{ read: number }>`
    select sum(idx_tup_read)::int as read from pg_stat_user_indexes
    where relname in ('delivery', 'delivery_lease')`.execute(stage.db)
  return rows[0]!.read
}

/** Deliveries that were answered, as their record leaves them: out of what waits, and without a lease. */
async function settle(ids: readonly string[]): Promise<void> {
  await sql`update delivery set state = 'sent', finished_at = ${stage.state.now} where id = any(${[...ids]}::uuid[])`.execute(
    stage.db,
  )
  await sql`delete from delivery_lease where delivery_id = any(${[...ids]}::uuid[])`.execute(stage.db)
}

test('pass by nothing that is over, however long another session could still see it', async () => {
  const [count, each] = [2_000, 20]
  await lay(count, 1_000)
  await sql`analyze delivery`.execute(stage.db)
  const holder = await stage.database.pool.connect()
  await holder.query('begin isolation level repeatable read read only')
  await holder.query('select 1 from team')
  const before = await entriesRead()
  // Time stands still: after a while everything is looked at from its front again.
  const { claim } = openProcess(each)
  for (let claimed = 0; claimed < count; claimed += each) {
    const { bound } = await claim(each)
    expect(bound).toHaveLength(each)
    await settle(bound.map(({ leased }) => leased.id))
  }
  const read = (await entriesRead()) - before
  await holder.query('rollback')
  holder.release()
  // Three for each. Where what is over is passed by it grows with them: 255 here.
  expect(read / count).toBeLessThan(10)
}, 120_000)

test('are what the worker makes: it begins at the front, and goes on from where it came', async () => {
  const count = 500
  await lay(count, 1_000)
  const claimed = vi.spyOn(Positions.prototype, 'claimed')
  // How large claims are, and how many begin at the front once more, is up to the machine.
  const nowMs = stage.system.nowMs()
  await stage.drain(deliverStep({ ...stage.deps, system: { ...stage.system, nowMs: () => nowMs } }))
  const reached = claimed.mock.calls.flatMap(([claim]) => claim.reached)
  claimed.mockRestore()
  expect(inbox.received).toHaveLength(count)
  expect(reached[0]).toMatchObject({ ownerId, from: null })
  const ends = reached.map(({ position }) => position)
  const goneOn = reached.flatMap(({ from }) => from ?? [])
  expect(goneOn.length).toBeGreaterThan(0)
  for (const from of goneOn) expect(ends).toContainEqual(from)
})
