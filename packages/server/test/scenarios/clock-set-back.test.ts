/** A clock that is ahead for a while: what was put at a time of its future is found again once it is set back. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { JobKind } from '../../src/job-catalog.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { WorkRows } from '../../src/platform/work/index.ts'
import { works } from '../../src/worker/works.ts'
import { amount } from '../world/amount.ts'
import { useWorld, type Team } from '../world/world.ts'
import { running, seedTopicPost, topicsOf } from './agent-stage.ts'
import { capture, connect, fans, handlesIn, ok, timesSent } from './outreach-stage.ts'
import { leadsOf, likes, people, sourceOf, track } from './sync-stage.ts'
import { workScenes } from './work-scenes.ts'

const hour = 3_600_000
let aheadMs = 0
const world = useWorld({
  config: { roles: ['http'] },
  // A clock that is not remembered: it is moved back at the database.
  overrides: { alone: false, system: { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs } },
})
const { scenes, sql, prepare } = workScenes(world)
beforeAll(prepare)

const task = (name: string) => world.service.tasks.find((each) => each.name === name)!
const watch = () => task('notice a clock that was set back').run()

/** Sets both clocks ahead, as the machine's would be, works, and sets them back; the service looks at them before and meanwhile. */
async function whileAhead(hours: number, work: () => Promise<void>): Promise<void> {
  await watch()
  await world.move(`${hours}h`)
  aheadMs += hours * hour
  await watch()
  await work()
  aheadMs -= hours * hour
  await sql(`update service_clock set now = now - $1 * interval '1 hour'`, [hours])
}

/**
 * What a worker does that fails, or dies, while the clock is ahead: rows of a kind are put off by a minute of its time,
 * and leased. Answers how many.
 */
async function putOff(kind: JobKind, team: Team): Promise<number> {
  let rows = 0
  for (const { table, fence, dueColumn = 'due_at' } of works[kind].rows as readonly WorkRows[]) {
    const lease =
      fence === 'unleased'
        ? ''
        : `, lease_owner = gen_random_uuid(), lease_until_ms = ${systemClock.nowMs() + aheadMs + 60_000}`
    const { rowCount } = await sql(
      `update ${table} set ${dueColumn} = $2::timestamptz + interval '1 minute' ${lease} where team_id = $1`,
      [team.id, await world.now()],
    )
    rows += rowCount ?? 0
  }
  return rows
}

/** Kinds whose rows are there before anything was worked; retries of deliveries are below. */
const begun = ['capture', 'keyword', 'enrich_job', 'posts_job', 'push', 'rescore', 'discover', 'send'] as const

describe('a clock that was ahead and is set back', () => {
  it.each(amount<readonly JobKind[]>(['capture', 'posts_job', 'push', 'rescore'], begun))(
    'leaves nothing of %s due in hours, nor in the hands of a worker that died meanwhile [SYN-01, WHK-17, JOB-01]',
    async (kind) => {
      const team = await world.team()
      const work = await scenes[kind].begin(team)
      await whileAhead(30, async () => expect(await putOff(kind, team)).toBeGreaterThan(0))
      expect(await work.done()).toBe(false)
      expect(await watch()).toBeGreaterThan(0)
      // Leases of dead workers end as they always do.
      aheadMs += 61_000
      await world.drain()
      expect(await work.done()).toBe(true)
    },
  )

  it('finds retries of deliveries again, and the schedule is a day away at most [SYN-01, WHK-17]', async () => {
    const [team, inbox] = [await world.team(), await world.inbox()]
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes([1, 2, 3].map(() => world.handle())), comments: [] })
    await track(team, author)
    await world.drain()
    const { id } = await sourceOf(team, author)
    const before = Date.parse((await sourceOf(team, author)).nextSyncAt)
    await whileAhead(30, async () => {
      // The sync of the day, and deliveries that fail, all at a time that has not come.
      await world.drain()
      inbox.answer(503)
      await ok(team.put(`/sources/${id}/webhook`, { webhookUrl: inbox.url }))
      await ok(team.post(`/sources/${id}/push`, {}))
      await world.drain()
    })
    expect(before).toBeLessThan(Date.parse((await sourceOf(team, author)).nextSyncAt))
    inbox.answer(200)
    const tried = inbox.received.length
    await watch()
    await world.drain()
    expect(inbox.received.length).toBe(tried + 3)
    const day = (await world.now()).getTime() + 24 * hour
    expect(Date.parse((await sourceOf(team, author)).nextSyncAt)).toBeLessThanOrEqual(day)
  })

  it('looks up who could not be looked up meanwhile, each charged once [SYN-09]', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 3)), comments: [] })
    const states = async () => (await leadsOf(team, author)).map((lead) => lead.enrichmentStatus)
    await whileAhead(30, async () => {
      for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
      await track(team, author)
      await world.drain()
    })
    world.network.clearFaults()
    expect(await states()).toEqual(['pending', 'pending', 'pending'])
    expect(await watch()).toBeGreaterThan(0)
    await world.drain()
    expect(await states()).toEqual(['completed', 'completed', 'completed'])
    expect(await team.balance()).toBe(97)
  })

  it('sends to a campaign who could not be sent meanwhile, and nobody again who was [OUT-13]', async () => {
    const { team, key, campaignId } = await connect(world)
    const before = (id: string) => ok(team.put(`/sources/${id}/outreach`, { campaignId }))
    const handles: string[] = []
    await whileAhead(30, async () => {
      handles.push(...(await capture(world, team, fans(2), { before })).handles)
      expect(handlesIn(world, key, campaignId)).toEqual([...handles].sort())
      world.network.fault({ vendor: 'heyreach', operation: 'AddLeadsToCampaignV2', kind: 'status_503' })
      handles.push(...(await capture(world, team, fans(2), { before })).handles)
      expect(handlesIn(world, key, campaignId)).toHaveLength(2)
    })
    world.network.clearFaults()
    expect(await watch()).toBeGreaterThan(0)
    await world.advance('10m')
    expect(handlesIn(world, key, campaignId)).toEqual([...handles].sort())
    await world.advance('2h')
    expect(timesSent(world, key, campaignId)).toBe(4)
  })

  it('an agent has spent its day: its next one begins a day later, and once [AGT-42]', async () => {
    const team = await world.team({ credits: 10_000 })
    const topics = topicsOf(world, 1)
    seedTopicPost(
      world,
      `About ${topics[0]}`,
      Array.from({ length: 20 }, () => ({})),
    )
    const count = async (text: string) => Number((await sql(`select count(*) as n from ${text}`, [team.id])).rows[0].n)
    const runs = () => count('sync where team_id = $1')
    const charges = () => count(`credit_entry where team_id = $1 and kind = 'charge'`)
    await whileAhead(30, async () => void (await running(world, team, { topics, dailyCredits: 50 })))
    const [run, charged] = [await runs(), await charges()]
    expect(charged).toBeGreaterThan(0)
    await watch()
    for (const by of ['1m', '20h']) {
      await world.advance(by)
      expect([await runs(), await charges()]).toEqual([run, charged])
    }
    await world.advance('5h')
    expect(await runs()).toBe(2 * run)
    expect(await charges()).toBeLessThanOrEqual(charged + 50)
  })

  it('a window of calls that was used up meanwhile is over [RAT-01]', async () => {
    const team = await world.team({ limits: { reads: 2, writes: 50 } })
    const read = async () => (await team.get('/credits')).status
    await whileAhead(30, async () => expect([await read(), await read(), await read()]).toEqual([200, 200, 429]))
    expect([await read(), await read(), await read()]).toEqual([200, 200, 429])
  })
})
