/** Old rows go, what they prove stays (docs/retention.md): nobody is charged, captured, sent or asked again. */
import { describe, expect, it } from 'vitest'
import { replayDeliveries, replayDelivery } from '../../src/modules/delivery/index.ts'
import { lockOldPeople } from '../../src/modules/network/index.ts'
import { machineIds } from '../../src/platform/random.ts'
import { useWorld, type Team } from '../world/world.ts'
import { likes, people, resweep, sourceOf, sweep } from './sync-stage.ts'

const world = useWorld()
const ids = machineIds()

const rows = async <T extends object = { count: number }>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await world.database.pool.query<T>(text, values)).rows
const count = async (table: string, team: Team, where = 'true'): Promise<number> =>
  (await rows(`select count(*)::int as count from ${table} where team_id = $1 and ${where}`, [team.id]))[0]!.count

/** Deletes old rows of every due team, as the clock does. */
const purge = () => world.runTask('purge old rows of teams')
const purged = async (rule: string): Promise<number> =>
  Number(
    new RegExp(`^les_rows_purged_total\\{rule="${rule}"\\} (\\d+)$`, 'm').exec(
      await world.service.metrics.text(),
    )?.[1] ?? 0,
  )

async function seedJobs(team: Team, most: number, daysAgo: number): Promise<void> {
  const at = new Date((await world.now()).getTime() - daysAgo * 86_400_000)
  await rows(
    `insert into job (team_id, id, type, status, payload, result, due_at, created_at, finished_at)
     select $1, id, 'enrich_profile', 'completed', '{}', '{}', $2, $2, $2 from unnest($3::uuid[]) as id`,
    [team.id, at, Array.from({ length: most }, () => ids.uuid(at))],
  )
}

describe('raw leads that are old', () => {
  it('go with their counts, and the next sweep of their post takes nobody for new and charges nobody [RAW-01, CRD-14]', async () => {
    const team = await world.team({ credits: 100, keepDays: { 'raw-leads': 30 } })
    const author = world.handle('author')
    const fans = people(world, 3)
    const { id } = world.network.seedPost({ author, reactions: likes(fans) })
    await sweep(world, team, author, { enrichLeads: false })
    const total = async () => (await team.get(`/leads/raw?username=${author}`)).body.total
    expect([await total(), await team.balance()]).toEqual([3, 97])

    await world.advance('31d')
    expect([await total(), await count('lead_gone', team)]).toEqual([0, 3])
    const [late] = people(world, 1)
    world.network.seedPost({ id, author, reactions: likes([...fans, late!]) })
    const { capture } = await resweep(world, team, author)
    expect([capture.creditsSpent, await total()]).toEqual([1, 1])
    expect(
      (await rows<{ spent: number }>('select spent from credit_account where team_id = $1', [team.id]))[0]!.spent,
    ).toBe(4)
    // The people are deleted too: only people with leads are kept.
    await world.advance('200d')
    expect(
      await count(
        'person',
        team,
        'urn not in (select person_urn from lead where team_id = person.team_id union select network_urn from ' +
          'source where team_id = person.team_id and network_urn is not null)',
      ),
    ).toBe(0)
  })

  it('stay when the process dies while they are removed, and go with the next turn; a sweep under way is not disturbed', async () => {
    const team = await world.team({ credits: 100, keepDays: { 'raw-leads': 30 } })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 2)) })
    await sweep(world, team, author, { enrichLeads: false })
    await world.arm('retention.purged')
    await world.move('31d')
    await world.drain()
    // On a slow machine the clock may have run again; the two changes are never done separately.
    expect([
      [2, 0],
      [0, 2],
    ]).toContainEqual([await count('lead', team), await count('lead_gone', team)])
    await purge()
    expect([await count('lead', team), await count('lead_gone', team)]).toEqual([0, 2])
    expect((await sourceOf(team, author)).status).toBe('active')
  })
})

describe('what was sent', () => {
  it('keeps its row, so that nothing is sent twice, and loses its bytes: then it cannot be replayed [WHK-14]', async () => {
    const team = await world.team({ credits: 100, keepDays: { 'delivery-bodies': 60 } })
    const inbox = await world.inbox()
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 1)) })
    await sweep(world, team, author)
    await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url })
    const more = people(world, 1)
    world.network.seedPost({ author, reactions: likes(more) })
    await resweep(world, team, author)
    const sent = () => inbox.received.filter(({ body }) => body.event === 'lead.detected').length
    expect(sent()).toBe(1)
    const [delivery] = await rows<{ id: string; lead_id: string }>(
      `select id, lead_id from delivery where team_id = $1 and event = 'lead.detected'`,
      [team.id],
    )
    await world.advance('61d')
    expect(await count('delivery', team, `event = 'lead.detected' and body is null`)).toBe(1)
    const { id } = await sourceOf(team, author)
    await expect(world.unit(team, (tx) => replayDelivery(tx, team.id, delivery!.id))).rejects.toThrow('no longer kept')
    const { replayed } = await world.unit(team, (tx) =>
      replayDeliveries(tx, { teamId: team.id, ownerId: id, states: ['sent'], since: new Date(0), after: null }),
    )
    expect(replayed).toBe(0)
    await resweep(world, team, author)
    expect(sent()).toBe(1)
  })
})

describe('going through the old rows of teams', () => {
  it('gives every team its turn before the largest has its second, goes on until all are gone, and says how many', async () => {
    const [many, few] = [await world.team(), await world.team({ keepDays: { jobs: 60 } })]
    await seedJobs(many, 450, 40)
    await seedJobs(few, 3, 40)
    await seedJobs(few, 2, 70)
    await seedJobs(many, 1, 2)
    const before = await purged('jobs')
    await world.arm('retention.purged')
    await world.move('21h')
    await world.drain()
    await purge()
    expect([await count('job', many), await count('job', few)]).toEqual([1, 3])
    expect((await purged('jobs')) - before).toBe(452)
    const [turn] = await rows<{ late: boolean }>(
      'select bool_or(checked_at < (select now from service_clock)) as late from retention_turn where team_id = any($1::uuid[])',
      [[many.id, few.id]],
    )
    expect(turn!.late).toBe(false)
  })

  it('keeps the last run of a source and what it may not lose, whatever the age; days of a team are checked and shown', async () => {
    const team = await world.team({ credits: 100 })
    expect((await team.change({ keepDays: { jobs: 0 } })).status).toBe(400)
    expect((await team.change({ keepDays: { lead: 10 } })).status).toBe(400)
    const changed = await team.change({ keepDays: { runs: 30, audit: 30 } })
    expect([changed.status, changed.body.team.keepDays]).toEqual([200, { audit: 30, runs: 30 }])
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 2)) })
    await sweep(world, team, author)
    await resweep(world, team, author)
    expect(await count('sync', team)).toBe(2)
    await team.change({ captureAllowed: false })
    await world.advance('40d')
    await purge()
    expect([await count('sync', team, 'finished_at is not null'), await count('audit_entry', team)]).toEqual([1, 0])
    expect([await count('lead', team), await count('credit_entry', team, `kind = 'charge'`)]).toEqual([2, 2])
    const other = await world.team({ keepDays: { runs: 40 } })
    expect((await team.change({ keepDays: { runs: null } })).body.team.keepDays).toEqual({ audit: 30 })
    expect((await other.change({ name: 'Other' })).body.team.keepDays).toEqual({ runs: 40 })
  })

  it('keeps the last run that a list shows beside the last one, which untracking ended', async () => {
    const team = await world.team({ credits: 100, keepDays: { runs: 30 } })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 1)) })
    await sweep(world, team, author)
    await resweep(world, team, author)
    await world.move('1h')
    expect((await team.post(`/sources/${(await sourceOf(team, author)).id}/sync`)).status).toBe(200)
    expect((await team.del(`/profile/${author}`)).status).toBe(200)
    const kept = async () =>
      (await rows<{ state: string }>('select state from sync where team_id = $1 order by created_at', [team.id])).map(
        ({ state }) => state,
      )
    expect(await kept()).toEqual(['captured', 'captured', 'untracked'])
    await world.advance('31d')
    await purge()
    expect(await kept()).toEqual(['captured', 'untracked'])
  })

  it('walks through all old people in steps, and the place of a step names nobody [PRV-04]', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 3)) })
    await sweep(world, team, author)
    const before = new Date((await world.now()).getTime() + 1)
    const met: string[] = []
    for (let place: string | null = null; met.length === 0 || place !== null; ) {
      const step = await world.unit(team, (tx) => lockOldPeople(tx, { teamId: team.id, before, limit: 1, place }))
      met.push(...step.urns)
      place = step.next
      expect(met).not.toContain(place)
    }
    expect(new Set(met).size).toBe(4)
  })

  it('keeps a Discover run for 30 days after it was deleted, and that of an agent for ever', async () => {
    const team = await world.team()
    const now = await world.now()
    const ended = async (daysAgo: number, deletedDaysAgo: number | null, agentId: string | null) => {
      const at = (days: number | null) => days && new Date(now.getTime() - days * 86_400_000)
      const id = ids.uuid(now)
      await rows(
        `insert into discover_run (team_id, id, agent_id, state, phase, keywords, countries, min_engagement,
           max_influencers, places, due_at, created_at, finished_at, deleted_at)
         values ($1, $2, $3, 'done', 'over', '["a"]', '[]', 0, 1, '[]', $4, $4, $4, $5)`,
        [team.id, id, agentId, at(daysAgo), at(deletedDaysAgo)],
      )
      return id
    }
    const [old, deleted, ofAgent] = [
      await ended(363, null, null),
      await ended(60, 28, null),
      await ended(800, null, ids.uuid(now)),
    ]
    const kept = async () =>
      (await rows<{ id: string }>('select id from discover_run where team_id = $1', [team.id])).map(({ id }) => id)
    await world.advance('1d')
    await purge()
    expect(new Set(await kept())).toEqual(new Set([old, deleted, ofAgent]))
    await world.advance('2d')
    await purge()
    expect(await kept()).toEqual([ofAgent])
  })

  it('keeps a push while an endpoint holds something of it [WHK-24]', async () => {
    const team = await world.team({ credits: 100, keepDays: { pushes: 30 } })
    const inbox = await world.inbox()
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 1)) })
    await sweep(world, team, author)
    inbox.answer(410)
    await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url, autoSend: false })
    const { pushId } = (await team.post(`/profile/${author}/push`)).body
    await world.drain()
    const state = async () => (await team.get(`/push/${pushId}`)).body.counts?.held
    expect(await state()).toBe(1)
    await world.advance('31d')
    await purge()
    expect(await state()).toBe(1)
    inbox.answer(200)
    await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url })
    await world.drain()
    expect((await team.get(`/push/${pushId}`)).body.counts).toMatchObject({ held: 0, delivered: 1 })
    await world.advance('31d')
    await purge()
    expect((await team.get(`/push/${pushId}`)).status).toBe(404)
  })

  it('removes a post that nothing names, and none that a lead, a search or a watch has', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 1)) })
    await sweep(world, team, author)
    const held = await count('post', team)
    const at = new Date((await world.now()).getTime() - 400 * 86_400_000)
    await rows(
      `insert into post (team_id, urn, url, author_kind, first_seen_at)
       select $1, 'urn:li:activity:' || n, 'https://example.com', 'person', $2
       from
       generate_series(1, 2300) n`,
      [team.id, at],
    )
    await team.change({ captureAllowed: false })
    const search = { keyword: world.handle('word'), captureMode: 'depth', datePosted: 'PAST_WEEK', creditCap: 5 }
    const { sourceId } = (await team.post('/keyword/track', { ...search, confirmSpend: true })).body
    const met = (n: number, outcome: 'kept' | 'discarded' | null) =>
      rows(
        `insert into keyword_post (team_id, source_id, post_urn, sync_id, position, awaits_ai, outcome, decided_at)
         values ($1, $2, 'urn:li:activity:' || $3::int, $2, $3::int, $4, $5, $6)`,
        [team.id, sourceId, n, outcome === null, outcome, outcome && at],
      )
    await met(1, 'kept')
    await met(2, null)
    await met(3, 'discarded')
    await rows(
      `insert into source_post (team_id, source_id, post_urn, sync_id, created_at)
       values ($1, $2, 'urn:li:activity:4', $2, $3)`,
      [team.id, sourceId, at],
    )
    await rows(`insert into source_alias (team_id, source_id, urn) values ($1, $2, 'urn:li:activity:5')`, [
      team.id,
      sourceId,
    ])
    await world.advance('181d')
    await purge()
    expect(await count('post', team)).toBe(held + 4)
    expect(await count('post', team, `urn = any(array['urn:li:activity:3', 'urn:li:activity:6'])`)).toBe(0)
    // No run will ask the AI about it.
    await rows('delete from keyword_post where team_id = $1 and awaits_ai', [team.id])
  })
})
