/** An agent lists the newest 5,000 leads (specification «Agent lead»). SQL inserts the rows, so the oracle is not run. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorld, type World } from '../world/world.ts'
import { agentOf, ok, put, start, topicsOf } from './agent-stage.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ config: { roles: ['http'] } })
})
afterAll(() => world.close())

it('an agent lists its newest 5,000 people, and counts everybody as checked [AGT-55, AGT-56]', async () => {
  const team = await world.team()
  await put(team, { topics: topicsOf(world, 1), dailyCredits: 100 })
  await ok(start(team))
  const [{ id }] = (await agentOf(team)).sources
  const lay = (from: number, to: number) =>
    world.database.pool.query(
      `insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        reaction, linkedin_url, enrichment, webhook_status, created_at)
       select $1, ('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, $2, 'keyword', 'ACoAA' || n,
         'reaction:urn:li:activity:1:ACoAA' || n, 'Like', 'Like', 'https://www.linkedin.com/in/person-' || n,
         'completed', 'no_webhook', $3::timestamptz + n * interval '1 second'
       from generate_series($4::int, $5::int) n`,
      [team.id, id, new Date('2026-11-21T00:00:00Z'), from, to],
    )
  const count = (rows: number) =>
    world.database.pool.query(
      'update source set lead_rows = lead_rows + $2, leads_completed = leads_completed + $2 where team_id = $1',
      [team.id, rows],
    )
  await lay(1, 4_999)
  await count(4_999)
  expect(await ok(team.get('/agent/leads?limit=1'))).toMatchObject({ total: 4_999, checked: 4_999 })
  await lay(5_000, 5_100)
  await count(101)
  const page = await ok(team.get('/agent/leads?limit=200'))
  expect(page).toMatchObject({ total: 5_000, checked: 5_100, hasMore: true })
  const last = await ok(team.get('/agent/leads?limit=200&offset=4900'))
  expect([page.leads[0].linkedinUrl, last.leads.at(-1).linkedinUrl, last.leads.length, last.hasMore]).toEqual([
    'https://www.linkedin.com/in/person-5100',
    'https://www.linkedin.com/in/person-101',
    100,
    false,
  ])
})
