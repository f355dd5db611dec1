/**
 * What the dashboard reads of a team with many leads: the health of its sources, where credits went, the ledger, what sources yield
 * (as it is read all the time, while one source in fifty has changed since the sums were made, and before any were); and
 * `GET /credits/usage`. `--leads` (1,000,000) over `--sources` (2,000), charged over 30 days; `--rounds` (7).
 */
import { sql } from 'kysely'
import {
  creditDashboardOperations,
  sourceHealthOperations,
} from '../packages/server/src/modules/dashboard-queries/index.ts'
import { sumUpYields } from '../packages/server/src/modules/source-yields/index.ts'
import { openLog } from '../packages/server/src/platform/log.ts'
import { fillQuickly, median, openStage, option, printFigures, seconds, type Figure } from './support.ts'

const leads = option('leads', 1_000_000)
const sources = option('sources', 2_000)
const rounds = option('rounds', 7)
const limitMs = 300

const stage = await openStage()
const { service, tools } = stage
const team = await stage.team(100_000_000)
const start = new Date()

const sourceId = sql`('00000000-0000-7000-8000-' || lpad(to_hex(n % ${sources}::int), 12, '0'))::uuid`
const at = sql`${start}::timestamptz - (n * ${(29 * 86_400) / leads}::float8 || ' seconds')::interval`
await sql`
  insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at,
      lead_rows, leads_completed)
  select ${team.id}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'person', 'author-' || n,
    sha256(('author-' || n)::bytea), 'active', 'engagers', true, true, ${start}, ${leads / sources}::int,
    ${leads / sources}::int
  from generate_series(0, ${sources - 1}::int) n`.execute(tools.bare)
await fillQuickly(stage, ['lead', 'credit_entry'], async () => {
  await sql`
  insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
      post_urn, name, linkedin_url, enrichment, webhook_status, is_icp, created_at)
  select ${team.id}, ('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${sourceId}, ${sourceId},
    'profile', 'ACoAA' || n, 'reaction:' || n, 'Like', 'urn:li:activity:' || n % 40000, 'Person ' || n,
    'https://www.linkedin.com/in/ACoAA' || n,
    'completed', case when n % 5 = 0 then 'sent' else 'no_webhook' end, n % 3 = 0, ${at}
  from generate_series(1, ${leads}::int) n`.execute(tools.bare)
  await sql`
  insert into credit_entry (team_id, id, account, key, kind, amount, category, source_id, created_at)
  select ${team.id}, ('03000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'team',
    'source:' || ${sourceId} || ':person:ACoAA' || n, 'charge', -1, 'capture', ${sourceId}, ${at}
  from generate_series(1, ${leads}::int) n`.execute(tools.bare)
})
await sql`vacuum analyze lead, credit_entry, source, credit_day`.execute(tools.bare)

type Read = (input: never, context: never) => Promise<unknown>
const context = { caller: { teamId: team.id }, db: service.database.root, now: start } as never
const handler = (read: unknown, input: Record<string, unknown>) => () => (read as Read)(input as never, context)
const usage = () =>
  fetch(
    `${service.http.address()}/api/v1/credits/usage?from=${new Date(start.getTime() - 29.5 * 86_400_000).toISOString()}`,
    {
      headers: { 'x-api-key': team.apiKey },
    },
  ).then((response) => response.text())
const reads: readonly (readonly [name: string, read: () => Promise<unknown>])[] = [
  [
    'health of 50 sources',
    handler(sourceHealthOperations(async () => null).listSourceHealth, { limit: 50, includeInactive: false }),
  ],
  ['where credits went in 30 days', handler(creditDashboardOperations.getBurn, { days: 30 })],
  ['a page of the ledger', handler(creditDashboardOperations.listLedger, { limit: 50 })],
  ['GET /credits/usage', usage],
]
const figures: Figure[] = []
async function measure(name: string, read: () => Promise<unknown>, aimMs: number | null = limitMs): Promise<void> {
  const times: number[] = []
  await read()
  for (let round = 0; round < rounds; round++) times.push(1_000 * (await seconds(read)))
  const ms = median(times)
  figures.push({
    name,
    measured: `${ms.toFixed(0)} ms`,
    limit: '',
    ratio: null,
    aim: aimMs === null ? '' : `<= ${aimMs} ms`,
    reached: aimMs === null ? null : ms <= aimMs,
  })
}
for (const [name, read] of reads) await measure(name, read)

const readYield = handler(creditDashboardOperations.listYield, { days: 30 })
const yieldName = 'what sources yield in 30 days'
await measure(`${yieldName}, before it was summed up`, readYield, null)
const counted = JSON.stringify(await readYield())
const summedUp = await seconds(() =>
  sumUpYields({
    db: service.database.root,
    unitOfWork: service.unitOfWork,
    serviceNow: async () => start,
    log: openLog('silent'),
  }),
)
await sql`vacuum analyze source_yield, source_yield_due`.execute(tools.bare)
await measure(yieldName, readYield)
if (JSON.stringify(await readYield()) !== counted) throw new Error('the sums say something else')
await sql`update lead set is_icp = not is_icp
  where team_id = ${team.id} and owner_id in (select id from source where team_id = ${team.id}
    order by id limit ${Math.ceil(sources / 50)})`.execute(tools.bare)
await measure(`${yieldName}, one source in fifty changed`, readYield)
figures.push({
  name: 'all sources summed up',
  measured: `${summedUp.toFixed(1)} s`,
  limit: '',
  ratio: null,
  aim: '',
  reached: null,
})
await stage.close()
printFigures(
  `Dashboard reads of a team with ${leads.toLocaleString('en')} leads over ${sources.toLocaleString('en')} sources`,
  figures,
)
