/**
 * Lists of a team with many leads: each single-filter query of `GET /leads` and `GET /engagers` over HTTP, against the unfiltered
 * first page of the same list in the same run; and pages far down, at offset 100,000 and at the end, of these lists, of
 * `GET /leads/raw`, of the grid of the dashboard and of an export, with and without a filter, against the first page of the
 * same query. `--leads` (1,000,000) over `--sources` (2,000), `--rounds` (15) a query.
 */
import { sql } from 'kysely'
import { exportLeads, sortedLeadOperations } from '../packages/server/src/modules/leads/index.ts'
import { leadVerdicts } from '../packages/server/src/modules/icp/index.ts'
import { fillQuickly, median, openStage, option, printFigures, type Figure } from './support.ts'

const leads = option('leads', 1_000_000)
const sources = option('sources', 2_000)
const rounds = option('rounds', 15)
const limit = 5

const stage = await openStage()
const { service } = stage
const bare = stage.tools.bare
const team = await stage.team()
const start = new Date()

/** Values as a team meets them: a few common ones, a long tail. */
const data = {
  first: [
    'Anna',
    'Ben',
    'Carla',
    'David',
    'Elena',
    'Felix',
    'Grace',
    'Hugo',
    'Ines',
    'Jonas',
    'Karim',
    'Laura',
    'Mehmet',
    'Nadia',
    'Oscar',
    'Priya',
    'Quentin',
    'Rosa',
    'Sofia',
    'Tom',
    'Ursula',
    'Viktor',
    'Wei',
    'Xenia',
    'Yusuf',
    'Zoe',
  ],
  last: [
    'Schmidt',
    'Garcia',
    'Rossi',
    'Dubois',
    'Novak',
    'Kowalski',
    'Jensen',
    'Okafor',
    'Tanaka',
    'Singh',
    'Silva',
    'Ivanov',
    'Nguyen',
    'Haddad',
    'Murphy',
    'Andersson',
    'Keller',
    'Moreau',
    'Costa',
    'Popescu',
  ],
  title: [
    'Head of Growth',
    'Sales Manager',
    'Software Engineer',
    'Product Manager',
    'Chief Executive Officer',
    'Account Executive',
    'Marketing Director',
    'Data Scientist',
    'Founder',
    'Recruiter',
    'Customer Success Lead',
    'Finance Analyst',
  ],
  country: [
    'United States',
    'Germany',
    'France',
    'India',
    'United Kingdom',
    'Spain',
    'Brazil',
    'Netherlands',
    'Poland',
    'Canada',
    'Italy',
    'Japan',
    'Kenya',
    'Uruguay',
  ],
  industry: [
    'Software Development',
    'Financial Services',
    'Hospitals and Health Care',
    'Advertising Services',
    'Higher Education',
    'Manufacturing',
    'Robotics Engineering',
    'Wine and Spirits',
  ],
}
const one = (name: keyof typeof data, seed: string) =>
  sql.raw(
    `(array[${data[name].map((text) => `'${text}'`).join(',')}])[1 + ` +
      `(abs(hashint4(${seed})) % ${data[name].length * data[name].length})::int % (1 + abs(hashint4(${seed} + 7)) % ${data[name].length})]`,
  )

/** The columns that substrings are looked for in. */
const textColumns = ['name', 'job_title', 'company_name', 'company_domain', 'country', 'company_industry']

async function fill(): Promise<void> {
  await sql`
    insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at, lead_rows, leads_completed)
    select ${team.id}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'person', 'author-' || n, sha256(('author-' || n)::bytea), 'active', 'engagers', true, true, ${start}, 0, 0
    from generate_series(0, ${sources - 1}::int) n`.execute(bare)
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type, reaction, post_urn, post_url, post_posted_at, name, headline, linkedin_url, job_title, country,
      company_name, company_domain, company_industry, enrichment, webhook_status, is_icp, created_at)
    select ${team.id}, ('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, s.id, s.id, case when n % 50 = 0 then 'post' when n % 9 = 0 then 'company' when n % 7 = 0 then 'keyword' else 'profile' end,
      'ACoAA' || p, 'reaction:urn:li:activity:' || n, case when n % 6 = 0 then 'Comment' when n % 500 = 1 then 'Author' else 'Like' end, 'Like', 'urn:li:activity:' || n % 40000,
      'https://www.linkedin.com/feed/update/urn:li:activity:' || n % 40000, ${start}, ${one('first', 'p')} || ' ' || ${one('last', 'p + 3')} || ' ' || p, 'Headline ' || p, 'https://www.linkedin.com/in/ACoAA' || p,
      ${one('title', 'p + 5')}, case when p % 20 = 0 then null else ${one('country', 'p + 11')} end, 'Company ' || p % 19997, 'company' || p % 19997 || '.example', ${one('industry', 'p % 19997')},
      'completed', case when n % 11 = 0 then 'sent' when n % 4000 = 0 then 'failed' when n % 3 = 0 then 'pending' else 'no_webhook' end, case when n % 4 = 0 then true when n % 4 = 1 then false end,
      ${start}::timestamptz - ((${leads}::int - n) * 5 || ' seconds')::interval
    from generate_series(1, ${leads}::int) n
    cross join lateral (select abs(hashint4(n)) % ${Math.ceil(leads * 0.4)}::int as p) person
    cross join lateral (select ('00000000-0000-7000-8000-' || lpad(to_hex(n % ${sources}), 12, '0'))::uuid as id) s`.execute(
    bare,
  )
  await sql`update source s set lead_rows = c.rows, leads_completed = c.rows from (select source_id, count(*) as rows from lead where team_id = ${team.id} group by 1) c where s.team_id = ${team.id} and s.id = c.source_id`.execute(
    bare,
  )
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type, linkedin_url, enrichment, webhook_status, created_at)
    select team_id, ('02000000-0000-7000-8000-' || right(id::text, 12))::uuid, owner_id, source_id, source_kind, person_urn, 'raw:' || engagement_key, engagement_type, linkedin_url, 'raw', 'no_webhook', created_at
    from lead where team_id = ${team.id} order by created_at desc limit ${Math.ceil(leads / 4)}`.execute(bare)
  await sql`
    insert into lead_count (team_id, owner_id, lead_rows, raw_rows)
    select team_id, owner_id, count(*) filter (where enrichment <> 'raw'), count(*) filter (where enrichment = 'raw') from lead where team_id = ${team.id} group by 1, 2`.execute(
    bare,
  )
  for (const column of textColumns)
    await sql`insert into lead_text (team_id, field, key, folded) select distinct on (key) team_id, ${column}, key, folded from (select team_id, ${sql.id(`${column}_key`)} as key, ${sql.id(`${column}_folded`)} as folded from lead) l where key is not null`.execute(
      bare,
    )
}

const day = (back: number) => new Date(start.getTime() - back * 86_400_000).toISOString()
const middle = (leads * 5) / 86_400 / 2
const filters: readonly (readonly [name: string, query: string])[] = [
  ['engagementType common', 'engagementType=Like'],
  ['engagementType', 'engagementType=Comment'],
  ['engagementType rare', 'engagementType=Author'],
  ['isIcp', 'isIcp=true'],
  ['webhookStatus', 'webhookStatus=pending'],
  ['webhookStatus rare', 'webhookStatus=failed'],
  ['since', `since=${day(1)}`],
  ['until the middle', `until=${day(middle)}`],
  ['since 2 years ago', `since=${day(730)}`],
  ['sourceKind keyword', 'sourceKind=keyword'],
  ['sourceKind post', 'sourceKind=post'],
  ['sourceKind profile', 'sourceKind=profile'],
  ['profileId', 'profileId=00000000-0000-7000-8000-000000000007'],
  ['username', 'username=author-8'],
  ['includeInactive', 'includeInactive=true'],
  ['includeSyncing', 'includeSyncing=true'],
  ['name one person', 'name=anna 1234'],
  ['name common', 'name=anna'],
  ['name 2 letters', 'name=zo'],
  ['name none', 'name=qqqqq'],
  ['jobTitle common', 'jobTitle=manager'],
  ['jobTitle rare', 'jobTitle=finance an'],
  ['company one', 'company=company 1234'],
  ['company all', 'company=comp'],
  ['companyDomain one', 'companyDomain=company777.'],
  ['companyDomain all', 'companyDomain=example'],
  ['country common', 'country=united'],
  ['country rare', 'country=uruguay'],
  ['country 2 letters', 'country=ke'],
  ['companyIndustry', 'companyIndustry=robot'],
  ['companyIndustry common', 'companyIndustry=soft'],
]

/** Middle of the times of a request in milliseconds, and what it answered. */
async function time(path: string): Promise<{ ms: number; total: string }> {
  const times: number[] = []
  let total = ''
  for (let round = 0; round < rounds + 2; round += 1) {
    const before = performance.now()
    const response = await fetch(`${service.http.address()}/api/v1${path}`, { headers: { 'x-api-key': team.apiKey } })
    const body = (await response.json()) as { total: number; totalExact?: boolean; error?: string }
    if (response.status !== 200) throw new Error(`${path}: ${body.error}`)
    if (round >= 2) times.push(performance.now() - before)
    total = `${body.totalExact === false ? 'over ' : ''}${body.total}`
    if (times.length >= 3 && times.reduce((sum, each) => sum + each, 0) > 5_000) break
  }
  return { ms: median(times), total }
}

const filled = performance.now()
await fillQuickly(stage, ['lead', 'lead_text', 'source', 'engager'], fill)
console.error(`filled in ${Math.round((performance.now() - filled) / 1000)} s`)
const figures: Figure[] = []
for (const list of ['/leads', '/engagers']) {
  // Once cold, then as it stays; taken again at the end, and the faster one is what the others are held against.
  await time(list)
  const first = await time(list)
  const rows: { name: string; ms: number; total: string }[] = []
  for (const [name, query] of filters) rows.push({ name, ...(await time(`${list}?${query}`)) })
  first.ms = Math.min(first.ms, (await time(list)).ms)
  figures.push({
    name: `${list} unfiltered (${first.total})`,
    measured: `${first.ms.toFixed(1)} ms`,
    limit: '',
    ratio: 1,
    aim: '',
    reached: null,
  })
  const slowest = rows.toSorted((a, b) => b.ms - a.ms)[0]!
  const within = rows.filter(({ ms }) => ms / first.ms <= limit).length
  figures.push({
    name: `${list} by one filter, within ${limit} times the first page; the slowest: ${slowest.name}`,
    measured: `${within} of ${rows.length}, ${slowest.ms.toFixed(1)} ms`,
    limit: `${first.ms.toFixed(1)} ms`,
    ratio: slowest.ms / first.ms,
    aim: `<= ${limit}`,
    reached: within === rows.length,
  })
  for (const { name, ms, total } of rows)
    figures.push({
      isDetail: true,
      name: `${list} ${name} (${total})`,
      measured: `${ms.toFixed(1)} ms`,
      limit: `${first.ms.toFixed(1)} ms`,
      ratio: ms / first.ms,
      aim: `<= ${limit}`,
      reached: ms / first.ms <= limit,
    })
}
/** A page of something from an offset: milliseconds. */
type PageAt = (offset: number) => Promise<number>

const overHttp =
  (list: string, query: string): PageAt =>
  async (offset) =>
    (await time(`${list}?${query}&offset=${offset}`)).ms

/** Middle of some runs, in milliseconds. */
async function often(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 7; round++) {
    const before = performance.now()
    await work()
    times.push(performance.now() - before)
  }
  return median(times.slice(2))
}
const grid = sortedLeadOperations(leadVerdicts).listSortedLeads as (input: never, context: never) => Promise<unknown>
const context = { caller: { teamId: team.id }, db: service.database.root, now: start } as never
const scope = { includeInactive: false, includeSyncing: false }
const onTheGrid =
  (sort: string, filter: Record<string, unknown> = {}): PageAt =>
  (offset) =>
    often(() => grid({ ...scope, ...filter, sort, direction: 'asc', limit: 50, offset } as never, context))

/** The batch of an export that begins at an offset, as it is walked: what a client waits for between two batches. */
const exported =
  (filter: Record<string, unknown> = {}): PageAt =>
  async (offset) => {
    const lines = await exportLeads(service.database.root, team.id, { ...scope, ...filter } as never, leadVerdicts)
    // Each look takes the next batch: there must be some left.
    for (let batch = 0; batch < offset / 500 - 10; batch++) await lines.next()
    return often(() => lines.next())
  }

/** Pages far down, against the first page of the same list. */
async function farDown(name: string, held: number, page: PageAt, offsets: readonly number[]): Promise<void> {
  const first = Math.min(await page(0), await page(0))
  for (const offset of offsets) {
    const ms = await page(offset)
    figures.push({
      name: `${name} from ${offset.toLocaleString('en')} of ${held.toLocaleString('en')}`,
      measured: `${ms.toFixed(1)} ms`,
      limit: `${first.toFixed(1)} ms: its first page`,
      ratio: ms / first,
      aim: '<= 3',
      reached: ms / first <= 3,
    })
  }
}
const { rows: counts } = await sql<
  Record<
    'leads' | 'people' | 'raw' | 'likes' | 'likers' | 'rawLikes' | 'managers' | 'managing' | 'fitting' | 'fit',
    number
  >
>`
  select count(*) filter (where listed)::integer as leads, count(distinct person_urn) filter (where listed)::integer as people,
    count(*) filter (where not listed)::integer as raw, count(*) filter (where not listed and liked)::integer as "rawLikes",
    count(*) filter (where listed and liked)::integer as likes, count(distinct person_urn) filter (where listed and liked)::integer as likers,
    count(*) filter (where listed and is_icp)::integer as fitting, count(distinct person_urn) filter (where listed and is_icp)::integer as fit,
    count(*) filter (where listed and manages)::integer as managers, count(distinct person_urn) filter (where listed and manages)::integer as managing
  from (select person_urn, is_icp, enrichment <> 'raw' as listed, engagement_type = 'Like' as liked, job_title ilike '%manager%' as manages from lead where team_id = ${team.id}) l`.execute(
  bare,
)
const held = counts[0]!
const far = (count: number) => Math.max(0, Math.min(100_000, count - 100))
for (const [name, count, page] of [
  ['/leads', held.leads, overHttp('/leads', '')],
  ['/engagers', held.people, overHttp('/engagers', '')],
  ['/leads/raw', held.raw, overHttp('/leads/raw', '')],
] as const)
  await farDown(name, count, page, [far(count), Math.max(0, count - 60)])
for (const [name, count, page] of [
  ['/leads engagementType=Like', held.likes, overHttp('/leads', 'engagementType=Like')],
  ['/leads isIcp=true', held.fitting, overHttp('/leads', 'isIcp=true')],
  ['/leads jobTitle=manager', held.managers, overHttp('/leads', 'jobTitle=manager')],
  ['/engagers engagementType=Like', held.likers, overHttp('/engagers', 'engagementType=Like')],
  ['/engagers isIcp=true', held.fit, overHttp('/engagers', 'isIcp=true')],
  ['/engagers jobTitle=manager', held.managing, overHttp('/engagers', 'jobTitle=manager')],
  ['/leads/raw action=Like', held.rawLikes, overHttp('/leads/raw', 'action=Like')],
  ['grid by name', held.leads, onTheGrid('name')],
  ['grid by fit', held.leads, onTheGrid('fit')],
  ['grid by name, engagementType=Like', held.likes, onTheGrid('name', { engagementType: 'Like' })],
  ['export, batches of 500', held.leads, exported()],
  ['export, batches of 500, engagementType=Like', held.likes, exported({ engagementType: 'Like' })],
] as const)
  await farDown(name, count, page, [far(count)])
await stage.close()
printFigures(
  `Lists of a team with ${leads.toLocaleString('en')} leads over ${sources.toLocaleString('en')} sources`,
  figures,
)
