/** More past leads than a request processes: queued in the background, each person once, none lost (OUT-20). */
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { queueHistories } from '../../src/modules/outreach/index.ts'
import { capture, connect, fans, handlesIn, membersOf, ok, queuedFor, timesSent } from './outreach-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const rulePath = (id: string) => `/sources/${id}/outreach`
const growth = [{ column: 'jobTitle', operator: 'contains', value: 'growth' }]
const run = (text: string, values: readonly unknown[]) => world.database.pool.query(text, [...values])
const titled = (count: number, title: string) => Array.from({ length: count }, () => ({ title }))

async function asLarge<T>(id: string, leads: number, work: () => Promise<T>): Promise<T> {
  await run('update source set lead_rows = lead_rows + $2, leads_completed = leads_completed + $2 where id = $1', [
    id,
    6_000 - leads,
  ])
  try {
    return await work()
  } finally {
    await run('update source set lead_rows = lead_rows - $2, leads_completed = leads_completed - $2 where id = $1', [
      id,
      6_000 - leads,
    ])
  }
}
const save = (team: Team, source: { id: string; leadIds: readonly string[] }, body: Record<string, unknown>) =>
  asLarge(source.id, source.leadIds.length, () => ok(team.put(rulePath(source.id), body)))
const begun = { matched: 0, queued: 0, queueing: { looked: 0, considered: 6_000 } }
const historyOf = async (team: Team, id: string) => (await ok(team.get(rulePath(id)))).historic
const parts = (batch: number, faultPoint: () => Promise<void> = async () => {}) => {
  const { database, service } = world
  return {
    db: database.root,
    unitOfWork: service.unitOfWork,
    serviceNow: () => world.now(),
    log: { info() {}, warn() {}, error() {}, debug() {} } as never,
    faultPoint,
    batch,
  }
}
const queueOnce = (team: Team, batch: number, faultPoint?: () => Promise<void>) =>
  world.inShardOf(team, () => queueHistories(parts(batch, faultPoint)))
const queue = async (team: Team, batch: number) => {
  while ((await queueOnce(team, batch)) > 0);
}
const queued = (id: string) => queuedFor(world, id)

describe('past leads of a source with thousands', () => {
  it('are looked at behind the answer, each person once, and counted while and after that [OUT-20]', async () => {
    const { team, key, campaignId } = await connect(world)
    const source = await capture(world, team, [...titled(5, 'Growth'), ...titled(3, 'Chef')])
    await ok(
      team.post('/integrations/outreach/send', {
        campaignId,
        people: [{ profileUrl: `https://www.linkedin.com/in/${source.handles[0]}`, name: 'Already There' }],
      }),
    )
    // Some matching people have engaged more than once, earlier than the others.
    const again = (place: number, at: string) =>
      run(
        `insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type, linkedin_url,
           handle, job_title, enrichment, webhook_status, created_at)
         select team_id, gen_random_uuid(), owner_id, source_id, source_kind, person_urn, engagement_key || $3::text, engagement_type,
           linkedin_url, handle, job_title, enrichment, webhook_status, created_at + $3::text::interval from lead
         where owner_id = $1 and job_title = 'Growth' and engagement_key not like '%-_ %' order by handle limit 1 offset $2::integer`,
        [source.id, place, at],
      )
    await again(1, '-1 day')
    await again(1, '-2 days')
    await again(2, '-1 hour')
    expect((await run('select 1 from lead where owner_id = $1', [source.id])).rowCount).toBe(11)
    const saved = await save(team, source, { campaignId, filters: growth, pushHistoric: true })
    expect([saved.historic, await historyOf(team, source.id), await queued(source.id)]).toEqual([begun, begun, 0])
    expect(await queueOnce(team, 2, async () => Promise.reject(new Error('dies before it commits')))).toBe(0)
    await run('delete from task_put_off', [])
    expect(await historyOf(team, source.id)).toEqual(begun)
    await queue(team, 2)
    expect([await historyOf(team, source.id), await queued(source.id)]).toEqual([{ matched: 5, queued: 4 }, 4])
    await world.drain()
    expect(handlesIn(world, key, campaignId)).toEqual(source.handles.slice(0, 5).toSorted())
    expect(timesSent(world, key, campaignId)).toBe(5)
    // Saving again matches everybody again but sends nobody again.
    await save(team, source, { campaignId, filters: growth, pushHistoric: true })
    await world.drain()
    expect([await historyOf(team, source.id), timesSent(world, key, campaignId)]).toEqual([
      { matched: 5, queued: 0 },
      5,
    ])
    // What a request queues itself is only in its answer.
    expect((await ok(team.put(rulePath(source.id), { campaignId, pushHistoric: true }))).historic).toEqual({
      matched: 8,
      queued: 3,
    })
    expect(await historyOf(team, source.id)).toBeUndefined()
    await world.drain()
    await run(`delete from lead where owner_id = $1 and engagement_key like '%-_ %'`, [source.id])
  })

  it('go while it goes on, and nobody is sent twice or lost for it', async () => {
    const { team, key, campaignId } = await connect(world)
    const source = await capture(world, team, fans(24))
    await save(team, source, { campaignId, autoSend: false, pushHistoric: true })
    await queueHistories(parts(1))
    for (let rounds = 0; rounds < 20 && (await historyOf(team, source.id))?.queueing; rounds++) {
      await queueHistories(parts(1))
      await world.drain()
    }
    await world.drain()
    expect([membersOf(world, key, campaignId).length, timesSent(world, key, campaignId)]).toEqual([24, 24])
    expect(await historyOf(team, source.id)).toEqual({ matched: 24, queued: 24 })
  })

  it('are queued of nobody who is erased meanwhile [PRV-04]', async () => {
    const { team, campaignId } = await connect(world)
    const source = await capture(world, team, fans(3))
    await save(team, source, { campaignId, autoSend: false, pushHistoric: true })
    let erasing: Promise<unknown> | undefined
    const locked = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await queueOnce(team, 10, async () => {
      erasing = team.post('/privacy/erasures', { profileUrl: source.handles[0] })
      const waits = expect.poll(async () => (await run(locked, [])).rowCount).toBeGreaterThan(0)
      await Promise.race([erasing, waits])
    })
    await erasing
    expect(await queued(source.id)).toBe(2)
  })

  it('are over with the rule, and go on with one that is saved anew [OUT-19]', async () => {
    const { team, key, campaignId } = await connect(world)
    const source = await capture(world, team, [...titled(4, 'Growth'), ...titled(4, 'Chef')])
    await save(team, source, { campaignId, autoSend: false, pushHistoric: true })
    await ok(team.call('PUT', rulePath(source.id), undefined, { raw: 'null' }))
    expect(await historyOf(team, source.id)).toBeUndefined()
    await ok(team.put(rulePath(source.id), { campaignId, autoSend: false }))
    await world.drain()
    expect(timesSent(world, key, campaignId)).toBe(0)
    await save(team, source, { campaignId, autoSend: false, pushHistoric: true })
    expect(
      await ok(team.put(rulePath(source.id), { campaignId, autoSend: false, filters: growth })),
    ).not.toHaveProperty('historic')
    await world.drain()
    expect([handlesIn(world, key, campaignId).length, await historyOf(team, source.id)]).toEqual([
      4,
      { matched: 4, queued: 4 },
    ])
  })
})
