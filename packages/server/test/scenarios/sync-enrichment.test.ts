/** Enrichment of captured people: facts, companies, failures and retries, all free of charge. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Tx } from '../../src/platform/db/unit-of-work.ts'
import { requestEnrichment } from '../../src/modules/network/index.ts'
import { moveCounts } from '../../src/modules/sources/index.ts'
import { countWaiting } from '../world/locks.ts'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { leadsOf, likes, people, resweep, statusOf, sweep, teamAndPost, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const lookUps = (slug: string): number => {
  const id = world.network.company(slug)!.id
  return [
    ...world.network.calls({ operation: 'company', match: { companyId: id } }),
    ...world.network.calls({ operation: 'companies/company/info', match: { id } }),
  ].length
}
const employ = (handles: readonly string[], company: string): void => {
  for (const handle of handles) world.network.seedPerson({ handle, company, title: 'Head of Growth', country: 'DE' })
}

describe('enrichment of captured people', () => {
  it('looks a company up once for all of its people, teams and sources, and again after six months [CRD-29, CRD-28]', async () => {
    const team = await world.team()
    const other = await world.team({}, { beside: team })
    const [author, slug] = [world.handle('author'), world.handle('employer')]
    const fans = people(world, 10)
    employ(fans, slug)
    world.network.seedPost({ author, reactions: likes(fans.slice(0, 6)) })
    world.network.clearCalls()
    await sweep(world, team, author)
    expect([lookUps(slug), await team.balance()]).toEqual([1, 10_000 - 6])
    await sweep(world, other, author)
    await world.advance('170d')
    world.network.seedPost({ author, reactions: likes(fans.slice(6, 8)) })
    await resweep(world, team, author)
    expect(lookUps(slug)).toBe(1)
    world.network.clearCalls()
    await world.advance('15d')
    world.network.seedPost({ author, reactions: likes(fans.slice(8)) })
    await resweep(world, team, author)
    expect(lookUps(slug)).toBe(1)
    expect((await leadsOf(team, author)).every((lead) => lead.companyEnrichedAt !== null)).toBe(true)
  })

  it('looks a company up once when somebody asks for one of its people while another is being enriched [CRD-29, CRD-28]', async () => {
    const team = await world.team()
    const [author, slug] = [world.handle('author'), world.handle('employer')]
    const [asked, captured] = people(world, 2)
    employ([asked!, captured!], slug)
    world.network.seedPost({ author, reactions: likes([asked!]), comments: [] })
    await sweep(world, team, author)
    await world.inShardOf(team, () =>
      sql`delete from company where slug = ${slug}`.execute(world.service.database.bare),
    )
    world.network.seedPost({ author, reactions: likes([captured!]), comments: [] })
    // Held before there is anybody to enrich, because workers of the long run may be as fast as the test.
    const company = { operation: 'company', match: { companyId: world.network.company(slug)!.id } }
    world.network.clearCalls()
    world.network.hold(company)
    await team.post(`/sources/${(await team.get('/sources')).body.sources[0].id}/sync`)
    const { enrichment, capture, enrich_job } = world.service.steps
    while ((await capture()) === 'worked');
    const first = enrichment()
    await world.network.untilWaiting(1, company)
    expect((await team.post('/enrich/profile', { username: asked })).status).toBe(200)
    const second = enrich_job()
    await expect.poll(() => world.network.calls({ operation: 'profile' }).length).toBe(2)
    const reads = async (): Promise<string> => {
      for (let at = 0; at < 20; at += 1) await team.get('/credits')
      return 'once'
    }
    const twice = world.network.untilWaiting(2, company).then(() => 'twice')
    expect(await Promise.race([twice, reads()])).toBe('once')
    world.network.release()
    await Promise.all([first, second])
    await world.drain()
    expect(lookUps(slug)).toBe(1)
    expect((await leadsOf(team, author)).every((lead) => lead.companyEnrichedAt !== null)).toBe(true)
  })

  it('remembers that a company has no page, instead of asking with every lead [CRD-29]', async () => {
    const team = await world.team()
    const [author, slug] = [world.handle('author'), world.handle('employer')]
    const fans = people(world, 6)
    employ(fans, slug)
    const { id } = world.network.company(slug)!
    world.network.seedPost({ author, reactions: likes(fans) })
    world.network.clearCalls()
    world.network.fault({ kind: 'not_found', operation: 'company', match: { companyId: id } })
    await sweep(world, team, author)
    expect(lookUps(slug)).toBe(1)
    expect(
      (await leadsOf(team, author)).map((lead) => [
        lead.enrichmentStatus,
        lead.jobTitle,
        lead.companyEnrichedAt === null,
      ]),
    ).toEqual(fans.map(() => ['completed', 'Head of Growth', false]))
  })

  it('that the network fails is tried later and later, then given up; nothing is charged for it [SYN-09, SYN-13, CRD-28]', async () => {
    const { team, author } = await teamAndPost(world, { reactions: likes(people(world, 2)) })
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
    await sweep(world, team, author)
    const outcomes = []
    for (const wait of ['29s', '1s', '119s', '1s', '10m', '60m', '239m', '1m']) {
      world.network.clearCalls()
      await world.advance(wait)
      const { state, enrichment } = await statusOf(team, author)
      // Calls by member id: the tracking's own job looks up by handle.
      outcomes.push([
        wait,
        world.network.calls({ operation: 'profile' }).some((call) => call.query.profileId !== undefined),
        state,
        enrichment.pending,
        enrichment.failed,
      ])
    }
    expect(outcomes).toEqual([
      ['29s', false, 'enriching', 2, 0],
      ['1s', true, 'enriching', 2, 0],
      ['119s', false, 'enriching', 2, 0],
      ['1s', true, 'enriching', 2, 0],
      ['10m', true, 'enriching', 2, 0],
      ['60m', true, 'enriching', 2, 0],
      ['239m', false, 'enriching', 2, 0],
      ['1m', true, 'completed', 0, 2],
    ])
    expect(await team.balance()).toBe(10_000 - 2)
  })

  it('keeps what a person shows when their company never answers [SYN-13, SYN-32]', async () => {
    const team = await world.team()
    const [author, slug] = [world.handle('author'), world.handle('employer')]
    const fans = people(world, 2)
    employ(fans, slug)
    world.network.seedPost({ author, reactions: likes(fans) })
    for (const operation of ['company', 'companies/company/info', 'companies/company/info-v2'])
      world.network.fault({ kind: 'status_500', operation })
    await sweep(world, team, author)
    for (const wait of ['30s', '2m', '10m', '60m', '240m']) await world.advance(wait)
    expect(
      (await leadsOf(team, author)).map((lead) => [lead.enrichmentStatus, lead.jobTitle, lead.companyEnrichedAt]),
    ).toEqual(fans.map(() => ['completed', 'Head of Growth', null]))
  })

  it('asks for a person once for all their leads and sources of a team within a month [SYN-32, CRD-28]', async () => {
    const team = await world.team()
    const [author, other] = people(world, 2, 'author')
    const [ann] = people(world, 1)
    world.network.seedPost({ author: author!, reactions: likes([ann!]), comments: [{ person: ann!, text: 'Hi' }] })
    world.network.seedPost({ author: other!, reactions: likes([ann!]) })
    world.network.clearCalls()
    await sweep(world, team, author!)
    await track(team, other!)
    await world.drain()
    const id = world.network.person(ann!)!.id
    expect(world.network.calls({ operation: 'profile', match: { profileId: id } })).toHaveLength(1)
    expect((await leadsOf(team, other!)).map((lead) => lead.enrichmentStatus)).toEqual(['completed'])
  })

  it('of who is captured again while being looked up fills the new leads too, whoever commits first [SYN-09, SYN-32]', async () => {
    const team = await world.team()
    const [person, authors] = [people(world, 1), [world.handle('author'), world.handle('author')]]
    for (const author of authors) world.network.seedPost({ author, reactions: likes(person), comments: [] })
    world.network.seedPerson({ handle: person[0]! })
    const theirs = { operation: 'profile', match: { profileId: world.network.person(person[0]!)!.id } } as const
    world.network.hold(theirs)
    for (const author of authors) await track(team, author)
    world.beginDrain()
    await world.network.untilWaiting(1, theirs)
    await expect
      .poll(() => world.database.pool.query('select 1 from lead where team_id = $1', [team.id]))
      .toMatchObject({
        rowCount: 2,
      })
    const late = await setAside(team, authors[1]!)
    await world.unit(team, async (tx) => {
      await late.capture(tx)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db)
      world.network.release()
      // The enrichment worker waits for this unit, or has ended its task before it could see the lead.
      await expect.poll(() => hasMet(team, rows[0]!.pid), { interval: 20 }).toBe(true)
    })
    await world.drain()
    for (const author of authors) expect(await leadsOf(team, author)).toMatchObject([{ enrichmentStatus: 'completed' }])
  })
})

/** Whether the team's enrichment worker waits for a unit of work, or has no task left. */
async function hasMet(team: Team, pid: number): Promise<boolean> {
  const left = await world.database.pool.query('select 1 from enrichment_task where team_id = $1', [team.id])
  return left.rowCount === 0 || (await countWaiting(world.database.pool, pid)) > 0
}

/** Takes a source's lead out of the waiting ones; `capture` adds it again, as capturing a page does. */
async function setAside(team: Team, author: string): Promise<{ readonly capture: (tx: Tx) => Promise<void> }> {
  const [{ id, sourceId }] = await leadsOf(team, author)
  const source = { teamId: team.id, id: sourceId as string }
  const move = async (tx: Tx, to: 'pending' | 'skipped') => {
    const back = to === 'pending' ? 'skipped' : 'pending'
    await moveCounts(tx, source, { [back]: -1, [to]: 1 })
    const { rows } = await sql<{ urn: string }>`
      update lead set enrichment = ${to} where team_id = ${team.id} and id = ${id} returning person_urn as urn`.execute(
      tx.db,
    )
    return rows.map(({ urn }) => urn)
  }
  await world.unit(team, (tx) => move(tx, 'skipped'))
  return { capture: async (tx) => requestEnrichment(tx, team.id, await move(tx, 'pending')) }
}
