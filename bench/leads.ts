/**
 * `GET /leads` of a team with many leads: requests per second against a bare node:http server that runs the same statements and
 * returns the same bytes; its p95 against a small team's; each filter against the unfiltered page; a jump to the middle.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { Pool } from 'undici'
import {
  fillLeads,
  filledSource,
  fillQuickly,
  median,
  openStage,
  option,
  percentile,
  report,
  seconds,
} from './support.ts'

const many = option('many', 1_000_000)
const few = option('few', 10_000)
const connections = 16

type Statement = { readonly text: string; readonly values: unknown[]; readonly name?: string }
let recorded: Statement[] | null = null
const original = pg.Client.prototype.query
// Before any pool opens, since pools that prepare keep the driver's function from then.
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [first, second] = args as [string | { text: string; values?: unknown[]; name?: string }, unknown[] | undefined]
  const given = typeof first === 'string' ? { text: first } : first
  const statement = { ...given, values: Array.isArray(second) ? second : (given.values ?? []) }
  if (/^\s*(\/\*.*?\*\/\s*)?(with|select)/i.test(statement.text)) recorded?.push(statement)
  return (original as (...a: unknown[]) => unknown).apply(this, args)
} as never

const stage = await openStage()
const { service } = stage
const origin = service.http.address()
const path = '/api/v1/leads'
const [big, small] = [await stage.team(), await stage.team()]
await fillQuickly(stage, ['lead', 'lead_text', 'source'], async () => {
  await fillLeads(stage, big.id, many, Math.ceil(many / 500))
  await fillLeads(stage, small.id, few, Math.ceil(few / 500))
})
await sql`vacuum analyze source`.execute(stage.tools.bare)

/** Sends requests over kept connections; returns requests per second, and times in milliseconds. */
async function load(to: string, key: string, requests: number): Promise<{ rate: number; times: number[] }> {
  const pool = new Pool(to, { connections, pipelining: 1 })
  const times: number[] = []
  let left = requests
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const start = performance.now()
      const response = await pool.request({ method: 'GET', path, headers: { 'x-api-key': key } })
      const text = await response.body.text()
      if (response.statusCode !== 200) throw new Error(text)
      times.push(performance.now() - start)
    }
  }
  const took = await seconds(() => Promise.all(Array.from({ length: connections }, lane)))
  await pool.close()
  return { rate: requests / took, times }
}

async function page(query: string): Promise<number> {
  const start = performance.now()
  const response = await fetch(`${origin}${path}?${query}`, { headers: { 'x-api-key': big.apiKey } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${query}: ${text}`)
  return performance.now() - start
}

/** The median of several pages after two warm-ups, within five seconds. */
async function pages(query: string, rounds = 15): Promise<number> {
  const times: number[] = []
  for (let sum = 0, round = 0; round < rounds + 2 && (round < 5 || sum < 5_000); round++) {
    const ms = await page(query)
    if (round < 2) continue
    times.push(ms)
    sum += ms
  }
  return median(times)
}

// The statements and the answer of one request, for a server that does nothing else.
await load(origin, big.apiKey, 300)
const statements: Statement[] = []
recorded = statements
const bytes = await (await fetch(origin + path, { headers: { 'x-api-key': big.apiKey } })).text()
recorded = null
if (statements.length === 0) throw new Error('no statement of a request was seen')
const bare = createServer((_request, response) => {
  void (async () => {
    for (const [nth, { name = `bare-${nth}`, text, values }] of statements.entries())
      await service.database.pool.query({ name, text, values })
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(bytes)
  })()
})
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))
const bareOrigin = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`
await load(bareOrigin, '', 300)
const onBig = await load(origin, big.apiKey, 2_000)
const limit = await load(bareOrigin, '', 2_000)
const onSmall = await load(origin, small.apiKey, 2_000)
bare.close()
bare.closeAllConnections()

const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString()
const filters = [
  ...['Like', 'Comment', 'Author'].map((each) => `engagementType=${each}`),
  'isIcp=true',
  'webhookStatus=pending',
  'webhookStatus=failed',
  `since=${day(1)}`,
  `since=${day(730)}`,
  `until=${day((many * 5) / 86_400 / 2)}`,
  ...['keyword', 'post', 'profile'].map((each) => `sourceKind=${each}`),
  `profileId=${filledSource(7)}`,
  'username=author-8',
  'includeInactive=true',
  'includeSyncing=true',
  ...['anna 1234', 'anna', 'zo', 'qqqqq'].map((each) => `name=${each}`),
  ...['manager', 'finance an'].map((each) => `jobTitle=${each}`),
  ...['company 1234', 'comp'].map((each) => `company=${each}`),
  ...['company777.', 'example'].map((each) => `companyDomain=${each}`),
  ...['united', 'uruguay', 'ke'].map((each) => `country=${each}`),
  ...['robot', 'soft'].map((each) => `companyIndustry=${each}`),
]
const jump = await page(`offset=${many / 2}`)
const before = await pages('')
const filtered: { filter: string; ms: number }[] = []
for (const filter of filters) filtered.push({ filter, ms: await pages(filter) })
const unfiltered = Math.min(before, await pages(''))
await stage.close()

filtered.sort((a, b) => b.ms - a.ms)
for (const { filter, ms } of filtered) console.log(`${ms.toFixed(1).padStart(8)} ms  ${filter}`)
const slowest = filtered[0]!
const [p95, p95Small] = [percentile(onBig.times, 0.95), percentile(onSmall.times, 0.95)]
report({
  'leads: rate': {
    measured: `${Math.round(onBig.rate)} requests/s`,
    beside: `${Math.round(limit.rate)}/s: node:http, the same ${statements.length} statements and bytes`,
    value: onBig.rate / limit.rate,
  },
  'leads: p95': {
    measured: `${p95.toFixed(1)} ms`,
    beside: `${p95Small.toFixed(1)} ms at ${few}`,
    value: p95 / p95Small,
  },
  'leads: filters': {
    measured: `${slowest.ms.toFixed(1)} ms: ${slowest.filter}, the slowest of ${filters.length}`,
    beside: `${unfiltered.toFixed(1)} ms`,
    value: slowest.ms / unfiltered,
  },
  'leads: jump': { measured: `${Math.round(jump)} ms`, beside: '', value: jump / 1_000 },
})
