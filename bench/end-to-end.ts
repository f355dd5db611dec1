/**
 * Leads from capture to delivery through a service that is really started, on the synthetic network: rows captured, enriched, judged and
 * delivered a second over time, and memory. `--leads 20000 --minutes 10 --per-source 1000`; `--leads 1000000 --minutes 240` is the long
 * run. It ends when every lead is through, or after the minutes, whichever comes first.
 */
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { temporaryFolder } from '../packages/server/test/world/folder.ts'
import {
  call,
  eachOf,
  makeTeam,
  megabytesOf,
  openInstallation,
  postmasterOf,
  sharesOf,
  spentBetween,
} from './processes.ts'
import {
  countStatements,
  keepingStatements,
  option,
  printFigures,
  printStatements,
  resetStatements,
  topStatements,
  type Figure,
} from './support.ts'

const wanted = option('leads', 20_000)
const minutes = option('minutes', 10)
const perSource = option('per-source', 1_000)
const everyMs = option('every', 10) * 1_000

const area = await temporaryFolder('les-bench-end-')
const installation = await openInstallation(area, keepingStatements)
const { pool, sandbox, hook } = installation
const service = await installation.start('http,worker,clock')
await pool.query('create extension if not exists pg_stat_statements')
await resetStatements(pool)
const team = await makeTeam(service.url, 'Bench')

const sources = Math.ceil(wanted / perSource)
const begun = performance.now()
const parts = { service: [service.child.pid!], database: [await postmasterOf(installation.dataDir)] }
const before = await sharesOf(parts)
const tracking = (async () => {
  for (let n = 1; n <= sources; n++) {
    const username = `bench-author-${n}`
    sandbox.world.seedPost({ author: username, reactions: Math.min(perSource, wanted - (n - 1) * perSource) })
    await call(service.url, team, 'POST', '/api/v1/enrich/profile', {
      username,
      saveTrackedProfile: true,
      creditCapPerSync: null,
      confirmSpend: true,
    })
    await call(service.url, team, 'PUT', `/api/v1/profile/${username}/webhook`, { webhookUrl: hook })
  }
})()
tracking.catch(() => {})

type Counts = { captured: number; enriched: number; unsent: number; received: number }
const countsNow = async (): Promise<Counts> => {
  const { rows } = await pool.query(`
    select count(*)::int as captured, count(*) filter (where enrichment not in ('pending', 'processing'))::int as enriched,
      count(*) filter (where webhook_status = 'no_webhook')::int as unsent from lead`)
  return { ...(rows[0] as Omit<Counts, 'received'>), received: installation.received() }
}

let last: Counts = { captured: 0, enriched: 0, unsent: 0, received: 0 }
const memory: number[] = []
console.log(
  '| seconds | captured/s | enriched and judged/s | delivered/s | waiting | memory of the service |\n|---|---|---|---|---|---|',
)
while ((performance.now() - begun) / 60_000 < minutes) {
  const at = performance.now()
  await pause(everyMs)
  const now = await countsNow()
  const passed = (performance.now() - at) / 1_000
  const perSecond = (key: keyof Counts) => ((now[key] - last[key]) / passed).toFixed(0)
  memory.push(await megabytesOf(service.child.pid!))
  console.log(
    `| ${((performance.now() - begun) / 1_000).toFixed(0)} | ${perSecond('captured')} | ${perSecond('enriched')} ` +
      `| ${perSecond('received')} | ${now.captured - now.enriched} | ${memory.at(-1)!.toFixed(0)} MB |`,
  )
  const through = now.received + now.unsent >= wanted && now.enriched >= wanted
  last = now
  if (through) break
}
await tracking
const took = (performance.now() - begun) / 1_000
const spent = spentBetween(before, await sharesOf(parts))
const statements = await topStatements(pool)
const asked = await countStatements(pool)
await installation.close()
await rm(area, { recursive: true, force: true })

const half = memory.slice(Math.floor(memory.length / 2))
const figure = (name: string, count: number): Figure => ({
  name,
  measured: `${Math.round(count / took)}/s: ${count.toLocaleString('en')} in ${took.toFixed(0)} s`,
  limit: '',
  ratio: null,
  aim: '',
  reached: null,
})
console.log(
  `\nprocessor time of a lead from end to end: ${eachOf(spent, last.enriched)}; ` +
    `${(asked / last.enriched).toFixed(1)} statements`,
)
printFigures('End to end', [
  figure('leads captured', last.captured),
  figure('leads enriched and judged', last.enriched),
  figure('leads delivered', last.received),
  {
    name: 'memory of the service, second half of the run',
    measured: `${Math.min(...half).toFixed(0)} to ${Math.max(...half).toFixed(0)} MB`,
    limit: '',
    ratio: null,
    aim: 'flat',
    reached: null,
  },
])
printStatements('Where the database spent its time', statements)
