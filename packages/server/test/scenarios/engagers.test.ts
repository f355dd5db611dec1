/** Engagers: one row per person, with counts of the rows that the filters select (specification «Leads»; ENG, G38, G133). */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { anyShard } from '../world/shards.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

type Engager = {
  id: string
  name: string
  engagementCount: number
  engagementTypes: string[]
  lastEngagedAt: string
  sourceIds: string[]
}

const companyFields = [
  'company',
  'companyDescription',
  'companyDomain',
  'companyEmployeeCount',
  'companyEnrichedAt',
  'companyIndustry',
  'companyLinkedinUrl',
  'companyLocation',
  'companyName',
  'companyStaffRange',
  'companyUrl',
]

async function trackAuthor(team: Team, author: string): Promise<string> {
  await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })
  await world.drain()
  return (await team.get('/sources')).body.sources.find((source: { username: string }) => source.username === author).id
}

const engagers = async (team: Team, query = ''): Promise<Engager[]> =>
  (await team.get(`/engagers?${query}`)).body.engagers

async function stage() {
  const team = await world.team({ credits: 1_000 })
  const acme = world.handle('acme')
  world.network.seedCompany({
    slug: acme,
    name: 'Acme Robotics',
    website: 'https://www.acme-robotics.example/',
    industry: 'Robotics Engineering',
    employees: 120,
  })
  const [ann, ben, one, two] = [world.handle('ann'), world.handle('ben'), world.handle('one'), world.handle('two')]
  world.network.seedPerson({ handle: ann, name: 'Ann Example', title: 'Head of Growth', country: 'DE', company: acme })
  world.network.seedPerson({ handle: ben, name: 'Ben Example', title: 'Engineer', country: 'FR', company: null })
  world.network.seedPost({
    author: one,
    postedAt: '2026-11-20T08:00:00.000Z',
    reactions: [{ person: ann }],
    comments: [{ person: ann, text: 'Great', at: '2026-11-20T09:00:00.000Z' }],
  })
  world.network.seedPost({ author: two, postedAt: '2026-11-20T08:00:00.000Z', reactions: [{ person: ann }] })
  const first = await trackAuthor(team, one)
  const start = (await world.now()).toISOString()
  await world.move('1h')
  const second = await trackAuthor(team, two)
  const middle = (await world.now()).toISOString()
  world.network.seedPost({
    author: one,
    postedAt: (await world.now()).toISOString(),
    comments: [{ person: ben, text: 'Late' }],
  })
  await world.advance('25h')
  return { team, one, two, first, second, start, middle }
}

describe('engagers', () => {
  it('are one row per person over all sources, with count, types, sources and company [ENG-01..ENG-04, G38]', async () => {
    const { team, one, first, second, middle } = await stage()
    const { status, body } = await team.get('/engagers')
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 2, limit: 50, offset: 0, hasMore: false })
    const [ben, ann] = body.engagers
    expect(ann).toMatchObject({
      name: 'Ann Example',
      jobTitle: 'Head of Growth',
      country: 'Germany',
      isIcp: null,
      engagementCount: 3,
      engagementTypes: ['Comment', 'Like'],
      lastEngagedAt: middle,
      company: 'Acme Robotics',
      companyName: 'Acme Robotics',
      companyDomain: expect.stringContaining('acme-robotics.example'),
      companyIndustry: 'Robotics Engineering',
      companyEmployeeCount: 120,
    })
    expect([...ann.sourceIds].sort()).toEqual([first, second].sort())
    expect(ben).toMatchObject({
      name: 'Ben Example',
      engagementCount: 1,
      engagementTypes: ['Comment'],
      companyName: null,
      companyEnrichedAt: null,
      sourceIds: [first],
    })
    const { leads } = (await team.get('/leads')).body
    const lead = leads.find(({ name }: { name: string }) => name === 'Ann Example')
    for (const field of ['id', ...companyFields]) expect([field, ann[field]]).toEqual([field, lead[field]])
    // Filters select rows before they are grouped.
    for (const query of ['engagementType=Like', 'company=acme rob&engagementType=Like', `profileId=${first}&name=ann`])
      expect([query, await engagers(team, query)]).toMatchObject([query, [{ name: 'Ann Example', engagementCount: 2 }]])
    expect(await engagers(team, 'companyIndustry=robotics')).toMatchObject([{ engagementCount: 3 }])
    // For a person captured by two sources, the untracked one is left out.
    await team.del(`/profile/${one}`)
    expect(await engagers(team)).toMatchObject([{ name: 'Ann Example', engagementCount: 1, sourceIds: [second] }])
  })

  it('are counted up to 10,000 people, and a total above says so, however many rows they are of [ENG-01]', async () => {
    const team = await world.team({ credits: 1_000 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: 1 })
    const source = await trackAuthor(team, author)
    // SQL copies one lead, because capturing thousands takes minutes; removed before the oracle runs.
    const stored = await sql<{
      list: string
    }>`select string_agg(column_name, ', ') as list from information_schema.columns
      where table_schema = ${anyShard} and table_name = 'lead' and is_generated = 'NEVER'`.execute(world.database.root)
    const columns = sql.raw(stored.rows[0]!.list)
    const copies = (from: number, to: number, people: number) =>
      sql`
      insert into lead (${columns}) select ${columns} from (
        select copy.*
        from lead l cross join generate_series(${from}::int, ${to}::int) n
        cross join lateral jsonb_populate_record(l, jsonb_build_object('id', gen_random_uuid(), 'engagement_key',
              'copy:' || n, 'person_urn', 'ACoAAcopy' || n % ${people}::int)) copy
        where l.team_id = ${team.id} and l.engagement_key not like 'copy:%') copy`.execute(world.database.root)
    const total = async (query: string) => {
      const { body } = await team.get(`/engagers?limit=1&${query}`)
      return [body.total, body.totalExact, body.hasMore]
    }
    // 16,000 rows of 8,000 people: more rows than the first query reads, fewer people than the limit.
    await copies(1, 16_000, 8_000)
    for (const query of ['', 'engagementType=Like', 'webhookStatus=no_webhook', `username=${author}`])
      expect([query, await total(query)]).toEqual([query, [8_001, undefined, true]])
    await copies(18_200, 20_399, 10_200)
    for (const query of ['', 'engagementType=Like', `profileId=${source}`])
      expect([query, await total(query)]).toEqual([query, [10_000, false, true]])
    expect((await team.get('/engagers?limit=100&offset=10150')).body).toMatchObject({
      total: 10_000,
      totalExact: false,
      hasMore: false,
    })
    await sql`delete from lead where team_id = ${team.id} and engagement_key like 'copy:%'`.execute(world.database.root)
  }, 120_000)
})
