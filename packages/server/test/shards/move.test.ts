/** A team moves to another shard while it works (docs/scaling.md): nothing is lost, and nothing happens twice. */
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readShardTables, namesCompanies, withoutTeam } from '../../src/platform/shards/tables.ts'
import type { MoveStep } from '../../src/platform/shards/move.ts'
import { claimRun } from '../../src/modules/sources/index.ts'
import { leaseOf } from '../../src/platform/work/index.ts'
import { kinds, place } from '../destinations/kinds.ts'
import { capture, connect, fans, ok } from '../scenarios/outreach-stage.ts'
import { exclude } from '../trust/exclusions-stage.ts'
import { findPlaces } from '../world/places.ts'
import { track } from '../world/tracking.ts'
import { useWorld, drainOnly, type Team } from '../world/world.ts'
import { contentsOf, lastMove, openMover, otherShard, rowsButCalls, type Mover } from './stage.ts'

const world = useWorld({ config: { shards: 3 } })
let mover: Mover
beforeAll(() => {
  mover = openMover(world)
})
afterAll(() => mover.close())

async function busyTeam() {
  const team = await world.team({ credits: 1_000 })
  const inbox = await world.inbox()
  const captured = await capture(world, team, [{}, { company: 'acme' }, {}])
  expect((await team.put(`/profile/${captured.username}/webhook`, { webhookUrl: inbox.url })).status).toBe(200)
  await world.drain()
  return { team, inbox, username: captured.username }
}

const seenBy = async (team: Team) => ({
  leads: (await team.get('/leads')).body,
  sources: (await team.get('/sources')).body,
  balance: await team.balance(),
})

class Killed extends Error {}

const diesAt = (step: MoveStep) => ({
  passed: async (at: MoveStep): Promise<void> => {
    if (at === step) throw new Killed(step)
  },
})

describe('a move', () => {
  it('takes every row along, and the old ones go later', async () => {
    const { team } = await busyTeam()
    const [from, to] = [await world.shardOf(team), await otherShard(world, team)]
    const before = { seen: await seenBy(team), rows: await rowsButCalls(world, team.id) }
    expect(Object.keys(before.rows).length).toBeGreaterThan(10)
    await mover.move(team, to)
    expect(await world.shardOf(team)).toBe(to)
    expect(await seenBy(team)).toEqual(before.seen)
    expect(await rowsButCalls(world, team.id)).toEqual(before.rows)
    expect(await mover.clean()).toBe(1)
    expect(await contentsOf(world, team.id, from)).toEqual({})
    expect(await lastMove(world, team.id)).toMatchObject({ state: 'done', reason: null })
    expect(await seenBy(team)).toEqual(before.seen)
  })

  it('leaves out whom it did: what is known of companies goes along, over what the other shard knew earlier [EXC-07, EXC-08]', async () => {
    const { team, campaignId } = await connect(world)
    const to = await otherShard(world, team)
    const [page, listed, hosted] = [world.handle('page'), world.handle('listed'), world.handle('hosted')]
    const seed = (slug: string, domain: string) =>
      world.network.seedCompany({ slug, name: `Firm ${slug}`, website: `https://${domain}` })
    seed(page, `old-${page}.example.com`)
    seed(listed, `${listed}.example.com`)
    seed(hosted, `www.${hosted}.example.com`)
    let there = await world.team()
    while ((await world.shardOf(there)) !== to) there = await world.team()
    await capture(world, there, [{ company: page }])
    seed(page, `new-${page}.example.com`)
    await world.move('1m')
    await capture(world, await world.team({}, { beside: team }), [{ company: listed }, { company: hosted }])
    const { leadIds } = await capture(world, team, [{ company: page }])
    await exclude(team, [
      { kind: 'domain', value: `new-${page}.example.com` },
      { kind: 'company', value: listed },
      { kind: 'domain', value: `${hosted}.example.com` },
    ])
    await mover.move(team, to)
    const people = [`Firm ${listed}`, hosted].map((company) => ({
      profileUrl: `https://www.linkedin.com/in/${world.handle('somebody')}`,
      company,
    }))
    for (const whom of [{ leadIds }, { people }])
      expect(await ok(team.post('/integrations/outreach/send', { campaignId, ...whom }))).toMatchObject({
        sent: 0,
        skippedExcluded: 'people' in whom ? 2 : 1,
      })
    await mover.clean()
  })

  it('stops what was under way before somebody who is excluded after it, where it was [EXC-07, EXC-10]', async () => {
    const team = await world.team({ credits: 1_000 })
    const attio = kinds.find(({ kind }) => kind === 'attio')!
    const there = await place(world, team, attio, { active: false })
    const { handles } = await capture(world, team, fans(3))
    world.network.hold(attio.write)
    expect((await there.set({ active: true })).status).toBe(200)
    await world.network.untilWaiting(1, attio.write)
    await mover.move(team, await otherShard(world, team))
    await exclude(
      team,
      handles.map((value) => ({ kind: 'person', value })),
    )
    world.network.release()
    await world.settle()
    await world.drain()
    // Only the person whose call was in progress has arrived.
    expect(there.people()).toHaveLength(1)
    await mover.clean()
  })

  it('knows every table of a shard: what has no team is on a list, and so is what names companies', async () => {
    const tables = (await readShardTables(world.database.root, 'les_0')).map(({ name }) => name)
    const { rows } = await sql<{ name: string; companies: boolean }>`
      select c.relname as name, exists (select 1 from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'company_urn' and not a.attisdropped) as companies
      from pg_class c where c.relnamespace = 'les_0'::regnamespace and c.relkind = 'r'`.execute(world.database.root)
    const named = rows.map(({ name }) => name)
    expect(named.filter((name) => ![...tables, 'work_turn', ...Object.keys(withoutTeam)].includes(name))).toEqual([])
    expect(
      rows
        .filter(({ companies }) => companies)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(namesCompanies.toSorted())
    const { rows: sequences } = await sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = 'les_0'::regnamespace and relkind = 'S' order by 1`.execute(
      world.database.root,
    )
    expect(sequences).toEqual([])
  })

  it('goes on after a death while it copies, and at its end everything is there once', async () => {
    const { team } = await busyTeam()
    // killed.test.ts kills processes at the others.
    const steps: MoveStep[] = ['begun', 'copied', 'caught up', 'compared']
    for (const step of steps) {
      const [from, to] = [await world.shardOf(team), await otherShard(world, team)]
      const before = { seen: await seenBy(team), rows: await rowsButCalls(world, team.id) }
      await expect(mover.move(team, to, diesAt(step))).rejects.toThrow(Killed)
      expect([step, await world.shardOf(team)]).toEqual([step, from])
      // The team works in its old shard: the dead mover's seal has expired.
      expect((await team.post('/exports', { format: 'csv' })).status).toBe(200)
      expect(await seenBy(team)).toEqual(before.seen)
      await mover.move(team, to)
      expect(await world.shardOf(team)).toBe(to)
      expect(await seenBy(team)).toEqual(before.seen)
      await expect(world.drain()).resolves.toBeDefined()
      expect(await mover.clean()).toBe(1)
      expect(await contentsOf(world, team.id, from)).toEqual({})
      expect(await lastMove(world, team.id)).toMatchObject({ state: 'done', reason: null })
    }
  })

  it('can be undone before the switch, and the copies go', async () => {
    const { team } = await busyTeam()
    const [from, to] = [await world.shardOf(team), await otherShard(world, team)]
    const before = await seenBy(team)
    await expect(mover.move(team, to, diesAt('compared'))).rejects.toThrow(Killed)
    expect(Object.keys(await contentsOf(world, team.id, to)).length).toBeGreaterThan(5)
    await expect(mover.move(team, from)).rejects.toThrow(`the team is on its way to ${to}`)
    await mover.undo(team)
    expect(await contentsOf(world, team.id, to)).toEqual({})
    expect([await world.shardOf(team), await seenBy(team)]).toEqual([from, before])
    expect(await lastMove(world, team.id)).toMatchObject({ state: 'undone', reason: 'undone by hand' })
    await mover.move(team, to)
    await expect(mover.undo(team)).rejects.toThrow(`shards move ${team.id} ${from}`)
    await mover.clean()
  })

  it('takes nobody along who is erased meanwhile, be it done, undone or broken off [PRV-04, PRV-06]', async () => {
    const { team, username } = await busyTeam()
    const erase = async (): Promise<string> => {
      const [lead] = (await team.get('/leads')).body.leads
      const handle = lead.linkedinUrl.split('/in/')[1]
      expect((await team.post('/privacy/erasures', { profileUrl: handle })).status).toBe(201)
      await world.drain()
      return handle
    }
    const placesOf = (handle: string) => findPlaces(world.database.pool, [handle])
    const to = await otherShard(world, team)
    let handle = ''
    const erasing = async (step: MoveStep, dies: boolean): Promise<void> => {
      if (step !== 'copied') return
      handle = await erase()
      expect(await placesOf(handle)).not.toEqual([])
      if (dies) throw new Killed(step)
    }
    // An abandoned move: its copies are deleted.
    await expect(mover.move(team, to, { passed: (step) => erasing(step, true) })).rejects.toThrow(Killed)
    await mover.clean()
    expect(await placesOf(handle)).toEqual([])
    await mover.undo(team)
    // A finished move: the copy is updated, and the person stays blocked in the new shard.
    await mover.move(team, to, { passed: (step) => erasing(step, false) })
    expect(await placesOf(handle)).toEqual([])
    await mover.clean()
    const [leads, balance] = [(await team.get('/leads')).body.total, await team.balance()]
    world.network.seedPost({ author: username, reactions: [{ person: handle }], comments: [] })
    await world.advance('25h')
    expect([(await team.get('/leads')).body.total, await team.balance()]).toEqual([leads, balance])
    // After the switch the old rows are deleted as usual.
    await mover.move(team, await otherShard(world, team))
    const last = await erase()
    await mover.clean()
    expect(await placesOf(last)).toEqual([])
  })

  it('answers 503 with Retry-After to writes under the seal, serves reads, and begins none of its work', async () => {
    const { team } = await busyTeam()
    const to = await otherShard(world, team)
    const seen: Record<string, unknown> = {}
    await mover.move(team, to, {
      passed: async (step) => {
        if (step !== 'sealed') return
        const refused = await team.post('/exports', { format: 'csv' })
        const elsewhere = await world.team()
        seen.refused = [
          refused.status,
          refused.headers.get('retry-after'),
          'error' in refused.body && 'requestId' in refused.body,
        ]
        seen.read = (await team.get('/leads')).status
        seen.other = (await elsewhere.post('/exports', { format: 'csv' })).status
      },
    })
    expect(seen).toEqual({ refused: [503, '5', true], read: 200, other: 200 })
    expect((await team.post('/exports', { format: 'csv' })).status).toBe(200)
    await mover.clean()
  })

  it('gives up after three passes, undone, in words that say why', async () => {
    const { team } = await busyTeam()
    const [from, to] = [await world.shardOf(team), await otherShard(world, team)]
    await expect(mover.move(team, to, { sealedMs: -1 })).rejects.toThrow(
      /^the team stays in les_\d: what changed meanwhile/,
    )
    expect(await lastMove(world, team.id)).toMatchObject({ state: 'undone', passes: 3 })
    expect([await world.shardOf(team), await contentsOf(world, team.id, to)]).toEqual([from, {}])
  })

  it('takes along what was written, changed and deleted while it copied', async () => {
    const { team, username } = await busyTeam()
    const to = await otherShard(world, team)
    await mover.move(team, to, {
      passed: async (step) => {
        if (step !== 'copied' && step !== 'caught up') return
        await capture(world, team, [{}, {}])
        expect((await team.put(`/profile/${username}/webhook`, { webhookUrl: null })).status).toBe(200)
        await world.drain()
      },
    })
    expect((await team.get('/leads?limit=100')).body.leads).toHaveLength(7)
    expect(await team.balance()).toBe(1_000 - 7)
    await world.drain()
    await mover.clean()
    expect(await lastMove(world, team.id)).toMatchObject({ state: 'done', reason: null })
  })
})

describe('while a team is moved to and fro', () => {
  it('requests and work go on: every lead is there once, charged once and delivered', async () => {
    const team = await world.team({ credits: 1_000 })
    const inbox = await world.inbox()
    const username = world.handle('author')
    await capture(world, team, [{}], { username })
    expect((await team.put(`/profile/${username}/webhook`, { webhookUrl: inbox.url })).status).toBe(200)
    let isOver = false
    let done = 0
    const works = (async () => {
      while (!isOver) {
        const { status } = await team.post('/exports', { format: 'csv' })
        expect([200, 409, 429, 503]).toContain(status)
        if (status !== 503) done += 1
        await capture(world, team, [{}, {}]).catch((error: unknown) => {
          if (!String(error).includes('503')) throw error
        })
      }
    })()
    const names = world.service.shards.names
    for (let round = 0; round < 3; round += 1) {
      await mover.move(team, names[(names.indexOf(await world.shardOf(team)) + 1) % 3]!)
      await mover.clean()
    }
    isOver = true
    await works
    await world.drain()
    expect(done).toBeGreaterThan(0)
    const { leads } = (await team.get('/leads?limit=100')).body
    expect(await team.balance()).toBe(1_000 - leads.length)
    const { rows } = await sql<{ state: string }>`
      select distinct state from team_move where team_id = ${team.id}`.execute(world.database.root)
    expect(rows).toEqual([{ state: 'done' }])
  })
})

describe('a move of a team whose workers are not done in time', () => {
  const still = useWorld({ config: { ...drainOnly, shards: 3 } })

  it('ends leases of workers that are not done: the work is claimed at once where the team arrives', async () => {
    const stillMover = openMover(still)
    const team = await still.team({ credits: 10 })
    const author = still.handle('author')
    still.network.seedPost({ author, reactions: 2, comments: 0 })
    await track(team, author)
    const claimed = await still.inShardOf(team, () =>
      still.service.unitOfWork((tx) => claimRun(tx, 'capture', leaseOf(randomUUID(), Date.now()))),
    )
    expect(claimed).toMatchObject({ teamId: team.id })
    await stillMover.move(team, await otherShard(still, team))
    await still.drain()
    expect((await team.get('/leads')).body.leads).toHaveLength(2)
    expect(await team.balance()).toBe(8)
    await stillMover.clean()
    expect(await lastMove(still, team.id)).toMatchObject({ state: 'done', reason: null })
    await stillMover.close()
  })
})
