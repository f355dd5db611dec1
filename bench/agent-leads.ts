/** `GET /agent/leads` for 5,000 people with 20,000 engagements, compared with a page of the same team's `GET /leads`. */
import { sql } from 'kysely'
import { askRanking } from '../packages/server/src/modules/fit/index.ts'
import { median, openStage, option, report, workAll } from './support.ts'

const people = option('people', 5_000)
const engagements = option('engagements', 20_000)
const posts = option('posts', 2_000)
const rounds = option('rounds', 40)
const sources = 80

const stage = await openStage()
const db = stage.service.database.root
const team = await stage.team()
const origin = stage.service.http.address()
const headers = { 'x-api-key': team.apiKey, 'content-type': 'application/json' }

const topics = Array.from({ length: 20 }, (_, n) => `topic number${n} growth`)
const made = await fetch(`${origin}/api/v1/agent`, {
  method: 'PUT',
  headers,
  body: JSON.stringify({
    titles: ['CMO', 'Head of Growth', 'VP Marketing', 'Founder'],
    countries: ['Germany', 'Austria', 'United States'],
    industries: ['Software Development'],
    companySizes: ['51-200', '201-500'],
    topics,
  }),
})
const { agent } = (await made.json()) as { agent: { id: string } }

const sourceId = sql`('00000000-0000-7000-8000-' || lpad(to_hex(1 + n % ${sources}), 12, '0'))::uuid`
await sql`
  insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at,
      lead_rows, leads_completed)
  select ${team.id}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'person', 'author-' || n,
    sha256(('author-' || n)::bytea), 'active', 'engagers', true, true, ${new Date()}, ${engagements / sources},
    ${engagements / sources}
  from generate_series(1, ${sources}::int) n`.execute(db)
await sql`
  insert into agent_source (team_id, agent_id, source_id, made, topic, launch, added_at)
  select team_id, ${agent.id}, id, true, null, 0, ${new Date()} from source where team_id = ${team.id}`.execute(db)
await sql`
  insert into company (urn, found, slug, name, website, domain, industry, employee_count, staff_range, headquarters,
      fetched_at)
  select 'urn:li:company:' || n, true, 'company-' || n, 'Company ' || n, 'https://company' || n || '.example',
    'company' || n || '.example', (array['Software Development', 'Farming', 'Retail'])[1 + n % 3], n * 7 % 3000,
    (array['1-10', '51-200', '201-500'])[1 + n % 3], 'Berlin', ${new Date()}
  from generate_series(1, 997) n`.execute(db)
await sql`
  insert into post (team_id, urn, url, text, author_kind, author_urn, author_name, author_headline, posted_at,
      first_seen_at)
  select ${team.id}, 'urn:li:activity:' || n, 'https://www.linkedin.com/feed/update/urn:li:activity:' || n,
    'What I learnt about topic number' || n % 40 || ' and growth this week. '
    || repeat('We spoke to people who do this every day, and they said the same thing. ', 12), 'person',
    'ACoAW' || n % 60, 'Writer ' || n % 60, 'I write about selling', ${new Date()}, ${new Date()}
  from generate_series(1, ${posts}::int) n`.execute(db)
await sql`
  insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
      reaction, comment_text, post_urn, post_url, post_posted_at, name, headline, linkedin_url, job_title, country,
    company_urn, company_name, company_domain, company_industry, enrichment, webhook_status, created_at)
  select ${team.id}, ('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${sourceId}, ${sourceId},
    'profile', 'ACoAA' || n % ${people}::int,
    case when n % 5 = 0 then 'comment:urn:li:activity:' || n % ${posts}::int || ':' || n
    else 'reaction:urn:li:activity:' || n % ${posts}::int || ':ACoAA' || n % ${people}::int || ':' || n end,
    case when n % 5 = 0 then 'Comment' else 'Like' end, case when n % 5 = 0 then null else 'Like' end,
    case when n % 5 = 0 then 'Well said, we see the same' end,
    'urn:li:activity:' || n % ${posts}::int, 'https://www.linkedin.com/feed/update/urn:li:activity:'
    || n % ${posts}::int, ${new Date()}, 'Person ' || n % ${people}::int, 'At work',
    'https://www.linkedin.com/in/ACoAA' || n % ${people}::int,
    (array['CMO', 'Head of Growth at Acme', 'Engineer', 'Sales Manager', 'Founder & CEO', 'Clerk',
          'Designer'])[1 + n % ${people}::int % 7] || case when n % ${people}::int % 3 = 0 then ' '
          || n % ${people}::int else '' end,
    (array['Germany', 'France', 'United States', 'Spain'])[1 + n % ${people}::int % 4],
    'urn:li:company:' || 1 + n % ${people}::int % 997, 'Company ' || 1 + n % ${people}::int % 997, 'company.example',
    (array['Software Development', 'Farming', 'Retail'])[1 + (1 + n % ${people}::int % 997) % 3],
    'completed', 'no_webhook', ${new Date()}::timestamptz - (n || ' seconds')::interval
  from generate_series(1, ${engagements}::int) n`.execute(db)
await sql`vacuum analyze lead, source, post, company, agent_source`.execute(stage.service.database.bare)

async function timed(path: string): Promise<number> {
  const start = performance.now()
  const response = await fetch(`${origin}/api/v1${path}`, { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return performance.now() - start
}

await stage.service.unitOfWork((tx) => askRanking(tx, { teamId: team.id, agentId: agent.id }))
await workAll(stage.service.steps.ranking, 1)
await sql`vacuum analyze agent_person, agent_post, agent_ranking, agent_ranking_due`.execute(
  stage.service.database.bare,
)
const [plain, agents]: [number[], number[]] = [[], []]
for (let round = 0; round < rounds + 5; round++) {
  const [one, other] = [await timed('/leads?limit=50'), await timed('/agent/leads')]
  if (round < 5) continue
  plain.push(one)
  agents.push(other)
}
await stage.close()
report({
  'agent leads': {
    measured: `${median(agents).toFixed(1)} ms`,
    beside: `${median(plain).toFixed(1)} ms: GET /leads, 50 rows`,
    value: median(agents) / median(plain),
  },
})
