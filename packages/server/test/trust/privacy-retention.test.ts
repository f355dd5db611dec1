/** Leads older than the team's limits are deleted with all that belongs to them, and return neither as rows nor as charges. */
import { describe, expect, it } from 'vitest'
import { discover, seedWriters, topicOf } from '../scenarios/discover-stage.ts'
import { likes, people, resweep, sweep } from '../scenarios/sync-stage.ts'
import { useWorld, drainOnly, type Team } from '../world/world.ts'
import { placesOf } from './canary-stage.ts'

const world = useWorld({ config: drainOnly })

const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await world.database.pool.query<T>(text, values)).rows
const count = async (team: Team, table: string, where = 'true'): Promise<number> =>
  (
    await rows<{ count: number }>(`select count(*)::int as count from ${table} where team_id = $1 and ${where}`, [
      team.id,
    ])
  )[0]!.count
const purge = () => world.runTask('purge old rows of teams')
const keep = (team: Team, body: object) => team.put('/privacy/retention', body)

/** A team with a source whose two leads were delivered; one of them fits. */
async function stage(settings: { readonly fits?: boolean; readonly enrichLeads?: boolean } = {}) {
  const [team, author, inbox] = [await world.team({ credits: 100 }), world.handle('author'), await world.inbox()]
  const [fit, other] = people(world, 2) as [string, string]
  world.network.seedPerson({ handle: fit, title: 'Head of Growth' })
  world.network.seedPerson({ handle: other, title: 'Plumber' })
  const { id: postId } = world.network.seedPost({ author, reactions: likes([fit, other]) })
  await sweep(world, team, author, { enrichLeads: settings.enrichLeads ?? true })
  await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url })
  if (settings.fits)
    await team.put(`/profile/${author}/icp`, { rules: [{ column: 'jobTitle', operator: 'contains', value: 'growth' }] })
  await team.post(`/profile/${author}/push`, {})
  await world.drain()
  return { team, author, inbox, fit, other, postId }
}
const listed = async (team: Team): Promise<string[]> =>
  (await team.get('/leads?limit=100')).body.leads
    .map(({ linkedinUrl }: { linkedinUrl: string }) => linkedinUrl.split('/in/')[1])
    .sort()
const counters = async (team: Team, author: string) =>
  (
    await rows<{ leadRows: number; rawLeadRows: number }>(
      `select lead_rows as "leadRows", raw_rows as "rawLeadRows" from source where team_id = $1 and username = $2`,
      [team.id, author],
    )
  )[0]!

describe('GET and PUT /privacy/retention', () => {
  it('keep leads while the team is there until it says otherwise; what is not named stays, and null takes back [PRV-12]', async () => {
    const team = await world.team()
    const read = async () => (await team.get('/privacy/retention')).body
    expect(await read()).toEqual({ keepLeadsDays: null, keepUnfitDays: null })
    const set = await keep(team, { keepLeadsDays: 365, keepUnfitDays: 90 })
    expect([set.status, set.body]).toEqual([200, { keepLeadsDays: 365, keepUnfitDays: 90 }])
    expect((await keep(team, { keepUnfitDays: 30 })).body).toEqual({ keepLeadsDays: 365, keepUnfitDays: 30 })
    expect((await keep(team, { keepLeadsDays: null })).body).toEqual({ keepLeadsDays: null, keepUnfitDays: 30 })
    expect(await read()).toEqual({ keepLeadsDays: null, keepUnfitDays: 30 })
  })

  it('refuse what are no days in words, and change nothing [PRV-12]', async () => {
    const team = await world.team()
    await keep(team, { keepLeadsDays: 60 })
    const days = (field: string) =>
      `\`${field}\` must be a whole number from 30 to 3650 days, or null for while the team is there`
    const cases: [body: object, words: string, code?: string][] = [
      [{}, 'needs `keepLeadsDays` or `keepUnfitDays`'],
      [{ keepLeadsDays: 29 }, days('keepLeadsDays')],
      [{ keepUnfitDays: 3651 }, days('keepUnfitDays')],
      [{ keepLeadsDays: 30.5 }, days('keepLeadsDays')],
      [{ keepLeadsDays: '90' }, days('keepLeadsDays')],
      [{ keepLeadDays: 90 }, 'keepLeadsDays', 'unknown_field'],
    ]
    for (const [body, words, code] of cases) {
      const answer = await keep(team, body)
      expect([answer.status, answer.body.code, answer.body.error]).toEqual([400, code, expect.stringContaining(words)])
    }
    expect((await team.get('/privacy/retention')).body).toEqual({ keepLeadsDays: 60, keepUnfitDays: null })
  })

  it('say by a dry run what would go, of which nothing goes then [PRV-12]', async () => {
    const { team, fit, other, author } = await stage({ fits: true })
    await world.move('40d')
    const tried = (body: object) => keep(team, { ...body, dryRun: true })
    expect((await tried({ keepLeadsDays: 30 })).body).toEqual({
      dryRun: true,
      counts: { leads: 2, people: 2, deliveries: 2 },
    })
    expect((await tried({ keepUnfitDays: 30 })).body.counts).toEqual({ leads: 1, people: 1, deliveries: 1 })
    expect((await tried({ keepLeadsDays: 60, keepUnfitDays: 60 })).body.counts).toEqual({
      leads: 0,
      people: 0,
      deliveries: 0,
    })
    await purge()
    expect((await team.get('/privacy/retention')).body).toEqual({ keepLeadsDays: null, keepUnfitDays: null })
    expect([await listed(team), (await counters(team, author)).leadRows]).toEqual([[fit, other].sort(), 2])
  })
})

describe('leads that a team keeps no longer', () => {
  it('go with their facts, deliveries and place in lists; the ledger stays, and a later sweep neither captures nor charges them again [PRV-12]', async () => {
    const { team, author, inbox, fit, other, postId } = await stage()
    const bystander = await stage()
    await keep(team, { keepLeadsDays: 30 })
    await world.move('29d')
    await purge()
    expect(await listed(team)).toEqual([fit, other].sort())
    const charged = () =>
      rows(`select key, amount from credit_entry where team_id = $1 and kind = 'charge' order by key`, [team.id])
    const before = await charged()
    expect([before.length, inbox.received.length]).toEqual([2, 2])

    await world.move('2d')
    await purge()
    expect({ listed: await listed(team), counters: await counters(team, author) }).toEqual({
      listed: [],
      counters: { leadRows: 0, rawLeadRows: 0 },
    })
    for (const table of ['lead', 'lead_text', 'delivery', 'delivery_attempt', 'push_lead', 'enrichment_task'])
      expect([table, await count(team, table)]).toEqual([table, 0])
    expect(
      await rows(`select handle from person where team_id = $1 and handle = any($2)`, [team.id, [fit, other]]),
    ).toEqual([])
    expect(await charged()).toEqual(before)
    expect(await listed(bystander.team)).toHaveLength(2)

    // The same two engagements, one by a new person, and a further one by a known person.
    const [late] = people(world, 1)
    world.network.seedPost({
      id: postId,
      author,
      reactions: likes([fit, other, late!]),
      comments: [{ person: fit, text: 'Again' }],
    })
    const { capture } = await resweep(world, team, author)
    expect([capture.creditsSpent, (await charged()).length]).toEqual([1, 3])
    expect(await listed(team)).toEqual([fit, late!].sort())
    expect((await counters(team, author)).leadRows).toBe(2)
  })

  it('that do not fit go earlier than others; without criteria nobody is unfit [PRV-12]', async () => {
    const judged = await stage({ fits: true })
    const unjudged = await stage()
    for (const { team } of [judged, unjudged]) await keep(team, { keepLeadsDays: 90, keepUnfitDays: 30 })
    await world.move('31d')
    await purge()
    expect(await listed(judged.team)).toEqual([judged.fit])
    expect(await listed(unjudged.team)).toHaveLength(2)
    await world.move('60d')
    await purge()
    expect([await listed(judged.team), await listed(unjudged.team)]).toEqual([[], []])
  })

  it('are raw ones as well [PRV-12]', async () => {
    const { team, author } = await stage({ enrichLeads: false })
    expect((await counters(team, author)).rawLeadRows).toBe(2)
    await keep(team, { keepLeadsDays: 30 })
    await world.move('31d')
    await purge()
    expect([(await team.get('/leads/raw')).body.total, (await counters(team, author)).rawLeadRows]).toEqual([0, 0])
  })

  it('leave a person whom a younger lead names, with what is known of them [PRV-12]', async () => {
    const { team, fit } = await stage()
    await keep(team, { keepLeadsDays: 30 })
    await world.move('20d')
    const again = world.handle('author')
    world.network.seedPost({ author: again, reactions: likes([fit]) })
    await sweep(world, team, again)
    await world.move('11d')
    await purge()
    expect(await listed(team)).toEqual([fit])
    expect(await rows(`select job_title from person where team_id = $1 and handle = $2`, [team.id, fit])).toEqual([
      { job_title: 'Head of Growth' },
    ])
  })

  it('leave no hash of somebody who is just being erased [PRV-04, PRV-12]', async () => {
    const { team, fit } = await stage()
    await keep(team, { keepLeadsDays: 30 })
    await world.move('31d')
    await world.arm('erasure.leads-deleted')
    const held = await world.database.pool.connect()
    const waiting = (count: number) =>
      expect
        .poll(
          async () =>
            (
              await rows(`select 1 from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`)
            ).length,
        )
        .toBeGreaterThanOrEqual(count)
    try {
      // The erasure waits at this fault point, and does not fail.
      await held.query(`begin; update armed_fault set times = 0 where name = 'erasure.leads-deleted'`)
      const erasing = team.post('/privacy/erasures', { profileUrl: fit })
      await waiting(1)
      const purging = purge()
      await waiting(2)
      await held.query('commit')
      expect((await erasing).status).toBe(201)
      await purging
    } finally {
      held.release()
    }
    expect(await listed(team)).toEqual([])
    expect(await rows('select 1 from lead_gone where team_id = $1', [team.id])).toHaveLength(1)
  })

  it('stay when the process dies while they are removed, and go with the next turn [PRV-12]', async () => {
    const { team, author } = await stage()
    await keep(team, { keepLeadsDays: 30 })
    await world.move('31d')
    await world.arm('retention.purged')
    await expect(purge()).rejects.toThrow('retention.purged')
    expect([await count(team, 'lead'), (await counters(team, author)).leadRows]).toEqual([2, 2])
    await purge()
    expect([await count(team, 'lead'), (await counters(team, author)).leadRows]).toEqual([0, 0])
  })

  it('leave no file with somebody who wrote a comment and is erased after their lead went [PRV-04]', async () => {
    const [team, author, fan] = [await world.team({ credits: 100 }), world.handle('author'), world.handle('fan')]
    world.network.seedPost({ author, reactions: [], comments: [{ person: fan, text: 'Yes' }] })
    await sweep(world, team, author)
    await team.del(`/profile/${author}`)
    await keep(team, { keepLeadsDays: 30 })
    await world.move('717h')
    const { id } = (await team.post('/exports', { format: 'jsonl' })).body
    await world.drain()
    const { url } = (await team.get(`/exports/${id}`)).body
    expect(await (await fetch(url)).text()).toContain(fan)
    await world.move('5h')
    await purge()
    expect((await team.post('/privacy/erasures', { profileUrl: fan })).status).toBe(201)
    expect((await fetch(url)).status).toBe(404)
    expect(await placesOf(world, [fan])).toEqual([])
  })

  it('and runs of Discover leave no line of the ledger that names somebody who is erased afterwards [PRV-04, PRV-05]', async () => {
    const [team, word] = [await world.team({ credits: 100 }), topicOf(world)]
    const [writer] = seedWriters(world, word, [{ engagements: [9] }])
    const run = await discover(world, team, { keywords: [word], maxInfluencers: 5, minEngagement: 0 })
    const leads = await rows<{ urn: string }>('select person_urn as urn from lead where team_id = $1', [team.id])
    await team.del(`/discover/${run.id}`)
    await world.move('31d')
    await purge()
    expect(await count(team, 'discover_run')).toBe(0)
    const credits = (await team.get('/credits')).body
    const made = await team.post('/privacy/erasures', { profileUrl: writer })
    expect([made.status, made.body.receipt.counts.ledgerLines], made.text).toEqual([201, 1])
    expect(
      await placesOf(
        world,
        leads.map(({ urn }) => urn),
      ),
    ).toEqual([])
    expect((await team.get('/credits')).body).toEqual(credits)
  })
})
