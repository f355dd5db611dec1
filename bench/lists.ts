/**
 * Lists of a team with many leads: each single-filter query of `GET /leads` and `GET /engagers` over HTTP, against the unfiltered
 * first page of the same list in the same run; and a page of `GET /leads` from row 500,000. `--leads` (1,000,000) over
 * `--sources` (2,000), `--rounds` (15) a query; `--keep FOLDER` uses the data of the run before again.
 */
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

/** A page in the middle of all leads, which somebody jumped to. */
const jump = Math.min(500_000, Math.floor(leads / 2))
const jumped = await time(`/leads?offset=${jump}`)
figures.push({
  name: `/leads from row ${jump.toLocaleString('en')}`,
  measured: `${jumped.ms.toFixed(1)} ms`,
  limit: '1,500 ms',
  ratio: jumped.ms / 1_500,
  aim: '<= 1',
  reached: jumped.ms <= 1_500,
})
await stage.close()
printFigures(
  `Lists of a team with ${leads.toLocaleString('en')} leads over ${sources.toLocaleString('en')} sources`,
  figures,
)
