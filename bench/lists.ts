/**
 * Lists of a team with many leads: each single-filter query of `GET /leads` and `GET /engagers` over HTTP, against the unfiltered
 * first page of the same list in the same run; and pages far down, at offset 100,000 and at the end, of these lists, of
 * `GET /leads/raw`, of the grid of the dashboard and of an export, with and without a filter, against the first page of the
 * same query. `--leads` (1,000,000) over `--sources` (2,000), `--rounds` (15) a query; `--keep FOLDER` uses the data of
 * the run before again; `--far` leaves the first pages out.
 */
import { registry, sessionRegistry, type OperationOf, type SessionOperationOf } from '@les/contract'
import { sql } from 'kysely'
import type { MemberCaller } from '../packages/server/src/modules/accounts/index.ts'
import { exportLeads, type ExportFilters, sortedLeadOperations } from '../packages/server/src/modules/leads/index.ts'
import { conditions } from '../packages/server/src/modules/leads/filter.ts'
import { readList } from '../packages/server/src/modules/leads/list-request.ts'
import { leadVerdicts } from '../packages/server/src/modules/fit/index.ts'
import { teamWithLists } from './lists-data.ts'
import { median, openStage, option, printFigures, type Figure } from './support.ts'

const leads = option('leads', 1_000_000)
const sources = option('sources', 2_000)
const rounds = option('rounds', 15)
const limit = 5

const keptAt = process.argv.indexOf('--keep')
const keep = keptAt < 0 ? null : process.argv[keptAt + 1]!

const stage = await openStage({ keep })
const { service } = stage
const bare = stage.tools.bare
const filled = performance.now()
const team = await teamWithLists(stage, { leads, sources }, keep)
const { start } = team
console.error(`filled in ${Math.round((performance.now() - filled) / 1000)} s`)

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

const figures: Figure[] = []
for (const list of process.argv.includes('--far') ? [] : ['/leads', '/engagers']) {
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
/** Reads a page of something from an offset. */
type PageAt = (offset: number) => Promise<unknown>

const overHttp =
  (list: string, query: string): PageAt =>
  async (offset) => {
    const path = `${service.http.address()}/api/v1${list}?${query}&offset=${offset}`
    const response = await fetch(path, { headers: { 'x-api-key': team.apiKey } })
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`)
    await response.json()
  }

/** Middle of some runs, in milliseconds; what goes before each is not counted. */
async function often(work: (round: number) => Promise<unknown>, before: () => Promise<unknown> = async () => {}) {
  const times: number[] = []
  for (let round = 0; round < rounds + 2; round++) {
    await before()
    const start = performance.now()
    await work(round)
    times.push(performance.now() - start)
    if (times.length >= 5 && times.reduce((sum, each) => sum + each, 0) > 2_500) break
  }
  return median(times.slice(2))
}

/** Tells the service that the oldest leads of the team have changed, so that it goes by nothing that it remembers of a list. */
const forgetPlaces = () =>
  sql`
  insert into list_change (team_id, mark, since)
  values (${team.id}, pg_current_xact_id()::text::bigint, '2000-01-01') on conflict do nothing`.execute(bare)
const gridOperation = sessionRegistry.find(
  ({ id }) => id === 'listSortedLeads',
) as SessionOperationOf<'listSortedLeads'>
const { listSortedLeads } = sortedLeadOperations(leadVerdicts)
const caller: MemberCaller = {
  teamId: team.id,
  keyId: '',
  plan: 'growth',
  status: 'active',
  captureAllowed: true,
  user: { id: '', sessionId: '', email: '', name: '', role: 'viewer' },
}
/** A page of the grid, asked for as the dashboard asks: what the contract refuses is refused here too. */
const onTheGrid =
  (sort: string, direction: string, filter: Readonly<Record<string, string>> = {}): PageAt =>
  async (offset) => {
    const input = gridOperation.query.parse({ ...filter, sort, direction, limit: '50', offset: String(offset) })
    await listSortedLeads(input, { caller, db: service.database.root, requestId: 'bench', now: start })
  }

/** The batch of an export that begins at an offset, as it is walked: what a client waits for between two batches. */
async function exported(offset: number, filter: ExportFilters): Promise<number> {
  const lines = await exportLeads(service.database.root, { teamId: team.id, filters: filter, verdicts: leadVerdicts })
  // Each look takes the next batch: there must be some left.
  for (let batch = 0; batch < offset / 500 - rounds - 3; batch++) await lines.next()
  return often(() => lines.next())
}

/**
 * Pages of a list about an offset, against its first page: `jumped` to, with nothing remembered; `jumpedOn`, all over the list up to the
 * offset after one jump to it, none read twice; and `leafed` to, each the one after the one before.
 */
type FarPages = { readonly first: number; readonly jumped: number; readonly jumpedOn: number; readonly leafed: number }
async function pagesAgainstFirst(page: PageAt, offset: number): Promise<FarPages> {
  const firstPage = () => often(() => page(0))
  const first = Math.min(await firstPage(), await firstPage())
  const jumped = await often(() => page(offset), forgetPlaces)
  await forgetPlaces()
  await page(offset)
  // By the golden ratio, so that no two are near each other.
  const jumpedOn = await often((round) => page(Math.round(offset * (0.3 + 0.65 * (((round + 1) * 0.618) % 1)))))
  await forgetPlaces()
  const begin = Math.max(0, offset - (rounds + 2) * pageRows)
  const leafed = await often((round) => page(begin + round * pageRows))
  return { first, jumped, jumpedOn, leafed }
}
const pageRows = 50
const farLimit = 3
type FarPage = { readonly name: string; readonly ms: number; readonly first: number; readonly ratio: number }
const farPages = (name: string, { first, jumped, jumpedOn, leafed }: FarPages): FarPage[] => [
  { name: `${name}, leafed to`, ms: leafed, first, ratio: leafed / first },
  { name: `${name}, jumped to`, ms: jumped, first, ratio: jumped / first },
  { name: `${name}, jumped on to`, ms: jumpedOn, first, ratio: jumpedOn / first },
]
const farFigure = ({ name, ms, first, ratio }: FarPage): Figure => ({
  name,
  measured: `${ms.toFixed(1)} ms`,
  limit: `${first.toFixed(1)} ms: its first page`,
  ratio,
  aim: `<= ${farLimit}`,
  reached: ratio <= farLimit,
})
const whereIn = (name: string, offset: number, held: number) =>
  `${name} from ${offset.toLocaleString('en')} of ${held.toLocaleString('en')}`

/** Pages far down a list. */
async function farDown(name: string, held: number, page: PageAt, offsets: readonly number[]): Promise<void> {
  for (const offset of offsets)
    figures.push(...farPages(whereIn(name, offset, held), await pagesAgainstFirst(page, offset)).map(farFigure))
}

/** The furthest page that is asked for: where a list is shorter, its end. */
const far = (count: number) => Math.max(0, Math.min(100_000, count - 100))
/** Lists of fewer rows than this have no page far down. */
const leastHeld = 5_000
const query = registry.find(({ id }) => id === 'listLeads') as OperationOf<'listLeads'>

/** How many leads a filter finds, and how many people. */
async function countAll(text: string): Promise<{ leads: number; people: number }> {
  const input = query.query.parse(Object.fromEntries(new URLSearchParams(text)))
  const { filter } = await readList(bare, { teamId: team.id, input, verdicts: leadVerdicts })
  const { rows } = await sql<{ leads: number; people: number }>`
    select count(*)::integer as leads, count(distinct l.person_urn)::integer as people from lead l
    where ${conditions(team.id, filter)}`.execute(bare)
  return rows[0]!
}

const all = await countAll('')
const { rows: rawCounts } = await sql<{ held: number; likes: number }>`
  select count(*)::integer as held, count(*) filter (where engagement_type = 'Like')::integer as likes from lead
  where team_id = ${team.id} and enrichment = 'raw'`.execute(bare)
const raw = rawCounts[0]!
for (const [name, count, page] of [
  ['/leads', all.leads, overHttp('/leads', '')],
  ['/engagers', all.people, overHttp('/engagers', '')],
  ['/leads/raw', raw.held, overHttp('/leads/raw', '')],
] as const)
  await farDown(name, count, page, [far(count), Math.max(0, count - 60)])
await farDown('/leads/raw action=Like', raw.likes, overHttp('/leads/raw', 'action=Like'), [far(raw.likes)])

const counted = new Map<string, { leads: number; people: number }>()
for (const [, text] of filters) counted.set(text, await countAll(text))
for (const [list, of] of [
  ['/leads', 'leads'],
  ['/engagers', 'people'],
] as const) {
  const pages: FarPage[] = []
  for (const [name, text] of filters) {
    const held = counted.get(text)![of]
    if (held < leastHeld) continue
    const place = whereIn(`${list} ${name}`, far(held), held)
    pages.push(...farPages(place, await pagesAgainstFirst(overHttp(list, text), far(held))))
  }
  for (const way of ['leafed', 'jumped', 'jumped on'] as const) {
    const those = pages.filter(({ name }) => name.endsWith(`, ${way} to`))
    const slowest = those.toSorted((a, b) => b.ratio - a.ratio)[0]
    if (slowest === undefined) continue
    const within = those.filter(({ ratio }) => ratio <= farLimit).length
    figures.push({
      ...farFigure(slowest),
      name: `${list} by one filter from 100,000 or its end, ${way} to, within ${farLimit} times; the worst: ${slowest.name}`,
      measured: `${within} of ${those.length}, ${slowest.ms.toFixed(1)} ms`,
      reached: within === those.length,
    })
  }
  for (const page of pages) figures.push({ ...farFigure(page), isDetail: true })
}

const likes = counted.get('engagementType=Like')!.leads
for (const [name, count, filter] of [
  ['export, batches of 500', all.leads, {}],
  ['export, batches of 500, engagementType=Like', likes, { engagementType: 'Like' }],
] as const) {
  const first = Math.min(await exported(0, filter), await exported(0, filter))
  const ms = await exported(far(count), filter)
  figures.push(farFigure({ name: whereIn(name, far(count), count), ms, first, ratio: ms / first }))
}

/** The grid begins no page further down (docs/decisions/0059). */
const gridEnd = 10_000
for (const [name, count, page] of [
  ...(['captured', 'name', 'company', 'fit', 'engagement'] as const).map(
    (sort) => [`grid by ${sort}`, all.leads, onTheGrid(sort, 'up')] as const,
  ),
  ['grid by fit downwards', all.leads, onTheGrid('fit', 'down')],
  ['grid by name, engagementType=Like', likes, onTheGrid('name', 'up', { engagementType: 'Like' })],
] as const)
  await farDown(name, count, page, [Math.min(gridEnd, far(count))])
await stage.close()
printFigures(
  `Lists of a team with ${leads.toLocaleString('en')} leads over ${sources.toLocaleString('en')} sources`,
  figures,
)
