/**
 * `GET /leads` requests a second against a bare node:http server that runs the same statements (key and rate in one, then the
 * page and its total) and returns the same bytes; and its p95 on a team of many leads against a team of few.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { Pool } from 'undici'
import { fillQuickly, openStage, option, printFigures, seconds, type Figure } from './support.ts'

const many = option('many', 1_000_000)
const few = option('few', 10_000)
const perRun = option('requests', 3_000)
const connections = 16

type Statement = { readonly text: string; readonly values: unknown[]; readonly name?: string }
/** Where statements are written down, while they are. */
let recorded: Statement[] | null = null
const original = pg.Client.prototype.query
// Before any pool is opened: the clients of pools that prepare keep the driver's function as they find it then.
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [first, second] = args as [string | { text: string; values?: unknown[]; name?: string }, unknown[] | undefined]
  const statement: Statement =
    typeof first === 'string'
      ? { text: first, values: second ?? [] }
      : {
          text: first.text,
          values: Array.isArray(second) ? second : (first.values ?? []),
          ...(first.name ? { name: first.name } : {}),
        }
  if (/^\s*(\/\*.*?\*\/\s*)?(with|select)/i.test(statement.text)) recorded?.push(statement)
  return (original as (...a: unknown[]) => unknown).apply(this, args)
} as never

const stage = await openStage()
const { service } = stage
const db = stage.tools.bare

/** Makes a team with leads, set-based: a source for every 2,000 of them. */
async function teamWith(count: number) {
  const team = await stage.team()
  const perSource = 2_000
  await sql`
    insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads, created_at,
        lead_rows, leads_completed)
    select ${team.id}, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'person', 'author-' || n,
      sha256(('author-' || n)::bytea), 'active', 'engagers', true, true, ${new Date()}, ${perSource}, ${perSource}
    from generate_series(1, ${Math.ceil(count / perSource)}::int) n`.execute(db)
  await sql`
    insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        reaction, post_urn, post_url, post_posted_at, name, headline, linkedin_url, job_title, country,
      company_name, company_domain, company_industry, enrichment, webhook_status, created_at)
    select ${team.id}, ('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, s.id, s.id, 'profile',
      'ACoAA' || n, 'reaction:urn:li:activity:' || n, 'Like', 'Like', 'urn:li:activity:' || n,
      'https://www.linkedin.com/feed/update/urn:li:activity:' || n, ${new Date()}, 'Person ' || n,
      'Head of Growth at Company ' || n % 997, 'https://www.linkedin.com/in/ACoAA' || n, 'Head of Growth', 'Germany',
      'Company ' || n % 997, 'company' || n % 997 || '.example', 'Software', 'completed', 'no_webhook',
      ${new Date()}::timestamptz - (n || ' seconds')::interval
    from generate_series(1, ${count}::int) n
    cross join lateral (select ('00000000-0000-7000-8000-' || lpad(to_hex(1 + n / ${perSource}), 12,
          '0'))::uuid as id) s`.execute(db)
  return team
}

let [big, small] = [
  { id: '', apiKey: '' },
  { id: '', apiKey: '' },
]
await fillQuickly(stage, ['lead'], async () => {
  ;[big, small] = [await teamWith(many), await teamWith(few)]
})
await sql`vacuum analyze source`.execute(db)

/** Sends requests over kept connections; answers requests a second and the sorted times in milliseconds. */
async function load(
  origin: string,
  path: string,
  key: string,
  requests: number,
): Promise<{ rate: number; times: number[]; bytes: number }> {
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const times: number[] = []
  let bytes = 0
  let left = requests
  const took = await seconds(() =>
    Promise.all(
      Array.from({ length: connections }, async () => {
        while (left-- > 0) {
          const start = performance.now()
          const response = await pool.request({ method: 'GET', path, headers: { 'x-api-key': key } })
          const text = await response.body.text()
          if (response.statusCode !== 200) throw new Error(text)
          bytes = text.length
          times.push(performance.now() - start)
        }
      }),
    ),
  )
  await pool.close()
  return { rate: requests / took, times: times.sort((a, b) => a - b), bytes }
}

/** Statements that one request of ours runs, recorded once and run again bare. */
async function record(path: string, key: string): Promise<readonly Statement[]> {
  const seen: Statement[] = []
  recorded = seen
  await load(service.http.address(), path, key, 1)
  recorded = null
  if (seen.length === 0) throw new Error('no statement of a request was seen')
  return seen
}

const path = '/api/v1/leads'
const statements = await record(path, small.apiKey)
const bytes = await (await fetch(service.http.address() + path, { headers: { 'x-api-key': small.apiKey } })).text()
const bare = createServer((_request, response) => {
  void (async () => {
    for (const [index, statement] of statements.entries())
      await service.database.pool.query({
        name: statement.name ?? `bare-${index}`,
        text: statement.text,
        values: statement.values,
      })
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(bytes)
  })()
})
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
const bareOrigin = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`

for (const origin of [service.http.address(), bareOrigin]) await load(origin, path, small.apiKey, 300)
const ours = await load(service.http.address(), path, small.apiKey, perRun)
const limit = await load(bareOrigin, path, small.apiKey, perRun)
const p95 = (times: number[]) => times[Math.floor(times.length * 0.95)]!
const onBig = await load(service.http.address(), path, big.apiKey, 1_000)
const onSmall = await load(service.http.address(), path, small.apiKey, 1_000)
bare.close()
await stage.close()

const figures: Figure[] = [
  {
    name: `GET /leads, 50 rows, ${ours.bytes} bytes, response checked`,
    measured: `${Math.round(ours.rate)} requests/s`,
    limit: `${Math.round(limit.rate)}/s: node:http with the same ${statements.length} statements and bytes`,
    ratio: ours.rate / limit.rate,
    aim: '>= 0.6',
    reached: ours.rate / limit.rate >= 0.6,
  },
  {
    name: `p95 on ${many.toLocaleString('en')} leads against ${few.toLocaleString('en')}`,
    measured: `${p95(onBig.times).toFixed(1)} ms`,
    limit: `${p95(onSmall.times).toFixed(1)} ms`,
    ratio: p95(onBig.times) / p95(onSmall.times),
    aim: '<= 2',
    reached: p95(onBig.times) / p95(onSmall.times) <= 2,
  },
]
printFigures('Reading leads', figures)
