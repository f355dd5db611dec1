/**
 * Growing out of one machine, measured on one: processes that serve and processes that work, 1, 2 and 4 of each, with the processor time
 * of each part for one read and one lead; PgBouncer in transaction mode before `http` (Debian package `pgbouncer`, left out where it is
 * not installed); a streaming replica that answers lists. `--leads 100000 --seconds 15 --work 4000`; `--only reads|pooler|replica|work`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { Pool } from 'undici'
import type { EmbeddedPostgres } from '../packages/server/src/platform/db/embedded.ts'
import { urlOf } from '../packages/server/test/world/database-url.ts'
import { temporaryFolder } from '../packages/server/test/world/folder.ts'
import { followerOf } from '../packages/server/test/world/follower.ts'
import { freePort } from '../packages/server/test/world/free-port.ts'
import {
  call,
  eachOf,
  makeTeam,
  openInstallation,
  postmasterOf,
  sharesOf,
  spentBetween,
  type Running,
  type Team,
} from './processes.ts'
import { option, printFigures, type Figure } from './support.ts'

const leads = option('leads', 100_000)
const forMs = option('seconds', 15) * 1_000
const work = option('work', 4_000)
const counts = [1, 2, 4]
const callers = 16
const at = process.argv.indexOf('--only')
const only = at < 0 ? undefined : process.argv[at + 1]
const wanted = (part: string) => only === undefined || only === part

const area = await temporaryFolder('les-bench-scale-')
const installation = await openInstallation(area)
const { pool, dataDir } = installation
const database = [await postmasterOf(dataDir)]
const figures: Figure[] = []

const figure = (name: string, rate: number, what: string, base?: number): Figure => ({
  name,
  measured: `${Math.round(rate)} ${what}`,
  limit: base === undefined ? '' : `${Math.round(base)}/s`,
  ratio: base === undefined ? null : rate / base,
  aim: '',
  reached: null,
})

/** Leads of one team, a source for every 2,000 of them. */
async function fill(team: Team): Promise<void> {
  const perSource = 2_000
  await pool.query(
    `insert into source (team_id, id, type, username, identity, status, mode, capture_replies, enrich_leads,
       created_at, lead_rows, leads_completed)
     select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'person', 'author-' || n,
       sha256(('author-' || n)::bytea), 'active', 'engagers', true, true, now(), $3, $3
     from generate_series(1, $2::int) n`,
    [team.id, Math.ceil((leads + 1) / perSource), perSource],
  )
  await pool.query(
    `insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key,
       engagement_type, reaction, post_urn, post_url, post_posted_at, name, headline, linkedin_url, job_title,
       country,
       company_name, company_domain, company_industry, enrichment, webhook_status, created_at)
     select $1, ('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, s.id, s.id, 'profile',
       'ACoAA' || n, 'reaction:urn:li:activity:' || n, 'Like', 'Like', 'urn:li:activity:' || n,
       'https://www.linkedin.com/feed/update/urn:li:activity:' || n, now(), 'Person ' || n,
         'Head of Growth at Company ' || n % 997, 'https://www.linkedin.com/in/ACoAA' || n, 'Head of Growth',
         'Germany',
       'Company ' || n % 997, 'company' || n % 997 || '.example', 'Software', 'completed', 'no_webhook',
         now() - (n || ' seconds')::interval
     from generate_series(1, $2::int) n cross join lateral (select ('00000000-0000-7000-8000-'
       || lpad(to_hex(1 + n / ${perSource}), 12, '0'))::uuid as id) s`,
    [team.id, leads],
  )
  await pool.query('vacuum analyze lead, source')
}

/** Reads pages of leads over all the addresses for a while; reads a second, and what one cost each part. */
async function read(name: string, some: readonly Running[], team: Team, parts: Record<string, readonly number[]> = {}) {
  const pools = some.map(({ url }) => new Pool(url, { connections: callers, pipelining: 1 }))
  const times: number[] = []
  const load = async (untilMs: number, counted: boolean): Promise<void> => {
    const caller = async (_: unknown, index: number): Promise<void> => {
      for (let turn = index; performance.now() < untilMs; turn++) {
        const began = performance.now()
        const answer = await pools[turn % pools.length]!.request({
          method: 'GET',
          path: '/api/v1/leads',
          headers: { 'x-api-key': team.key },
        })
        const text = await answer.body.text()
        if (answer.statusCode !== 200) throw new Error(text)
        if (counted) times.push(performance.now() - began)
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
  }
  await load(performance.now() + 3_000, false)
  const all = { http: some.map(({ child }) => child.pid!), database, ...parts }
  const before = await sharesOf(all)
  const began = performance.now()
  await load(began + forMs, true)
  const rate = times.length / ((performance.now() - began) / 1_000)
  const spent = spentBetween(before, await sharesOf(all))
  for (const each of pools) await each.close()
  const p95 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]!
  console.log(`${name}: ${rate.toFixed(0)} reads/s, p95 ${p95.toFixed(0)} ms; a read: ${eachOf(spent, times.length)}`)
  return rate
}

const startMany = async (count: number, roles: string, settings: Record<string, string> = {}): Promise<Running[]> => {
  const all: Running[] = []
  for (let n = 0; n < count; n++) all.push(await installation.start(roles, settings))
  return all
}

/** PgBouncer in transaction mode before the database; undefined where it is not installed. */
async function startPooler() {
  const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(
    (path) => spawnSync(path, ['--version']).status === 0,
  )
  if (program === undefined) return undefined
  const { host, port, user, password, database: name } = installation.postgres.connection
  const folder = join(area, 'pgbouncer')
  await mkdir(folder)
  await chmod(area, 0o755)
  const listening = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]\n${name} = host=${host} port=${port} dbname=${name} user=${user} password=${password}\n` +
      `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${listening}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n` +
      `default_pool_size = 20\nmax_client_conn = 500\nignore_startup_parameters = extra_float_digits,options\nlogfile =\npidfile =\n`,
  )
  // What start options set otherwise.
  const role = pg.escapeIdentifier(user)
  for (const setting of [`timezone = 'UTC'`, `statement_timeout = '8s'`, `lock_timeout = '5s'`])
    await pool.query(`alter role ${role} set ${setting}`)
  const asRoot = process.geteuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, ['-q', ...asRoot, file], { stdio: ['ignore', 'ignore', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  await pause(1_000)
  return { child, url: `postgres://${user}:${password}@127.0.0.1:${listening}/${name}`, role }
}

/** A replica of the installation's database, and its data folder. */
async function startReplica(): Promise<{ server: EmbeddedPostgres; folder: string }> {
  const folder = join(area, 'replica')
  const settings = { max_connections: '300', wal_level: 'replica' }
  return { server: await followerOf(installation.postgres, dataDir, folder, settings), folder }
}

/** Captures, enriches and delivers what posts of this round bring, with so many workers: leads a second, to the last delivery. */
async function workWith(count: number, http: Running): Promise<number> {
  const team = await makeTeam(http.url, `Work ${count}`)
  const workers = await startMany(count, 'worker')
  const clock = await startMany(1, 'clock')
  const parts = { http: [http.child.pid!], workers: workers.map(({ child }) => child.pid!), database }
  const before = await sharesOf(parts)
  const began = performance.now()
  const sources = 8
  for (let n = 1; n <= sources; n++) {
    const username = `scale-${count}-${n}`
    installation.sandbox.world.seedPost({ author: username, reactions: Math.ceil(work / sources) })
    const body = { username, saveTrackedProfile: true, creditCapPerSync: null, confirmSpend: true }
    await call(http.url, team, 'POST', '/api/v1/enrich/profile', body)
    await call(http.url, team, 'PUT', `/api/v1/profile/${username}/webhook`, { webhookUrl: installation.hook })
  }
  const all = Math.ceil(work / sources) * sources
  let done = 0
  while (done < all && performance.now() - began < 300_000) {
    await pause(500)
    const { rows } = await pool.query(
      `select count(*) filter (where enrichment not in ('pending', 'processing') and webhook_status in ('sent',
         'no_webhook', 'failed'))::int as done from lead where team_id = $1`,
      [team.id],
    )
    done = (rows[0] as { done: number }).done
  }
  const rate = done / ((performance.now() - began) / 1_000)
  const spent = spentBetween(before, await sharesOf(parts))
  console.log(`${count} worker processes: ${rate.toFixed(0)} leads/s; a lead from end to end: ${eachOf(spent, done)}`)
  await installation.stop([...workers, ...clock])
  return rate
}

const first = (await startMany(1, 'http'))[0]!
const team = await makeTeam(first.url, 'Bench')
if (wanted('reads') || wanted('pooler') || wanted('replica')) await fill(team)
await installation.stop([first])

if (wanted('reads')) {
  let base: number | undefined
  for (const count of counts) {
    const some = await startMany(count, 'http')
    const rate = await read(`${count} http processes`, some, team)
    figures.push(figure(`reads of 50 leads, ${count} http processes`, rate, 'reads/s', base))
    base ??= rate
    await installation.stop(some)
  }
}

if (wanted('pooler')) {
  const pooler = await startPooler()
  if (pooler === undefined) console.log('PgBouncer is not installed: left out (apt-get install pgbouncer)')
  else {
    const rates: { direct: number[]; pooled: number[] } = { direct: [], pooled: [] }
    const pooled = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: urlOf(installation.postgres.connection) }
    // In turn, twice: what else the machine does falls on both.
    for (let round = 0; round < 2; round++)
      for (const way of ['direct', 'pooled'] as const) {
        const some = await startMany(2, 'http', way === 'pooled' ? pooled : {})
        const parts = { pooler: [pooler.child.pid!] }
        rates[way].push(await read(`2 http processes, ${way}`, some, team, parts))
        await installation.stop(some)
      }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    figures.push(figure('reads through PgBouncer, against direct', mean(rates.pooled), 'reads/s', mean(rates.direct)))
    pooler.child.kill('SIGTERM')
    for (const name of ['timezone', 'statement_timeout', 'lock_timeout'])
      await pool.query(`alter role ${pooler.role} reset ${name}`)
  }
}

if (wanted('replica')) {
  const { server, folder } = await startReplica()
  const parts = { replica: [await postmasterOf(folder)] }
  const rates: { without: number[]; with: number[] } = { without: [], with: [] }
  for (let round = 0; round < 2; round++)
    for (const way of ['without', 'with'] as const) {
      const settings = way === 'with' ? { DATABASE_REPLICA_URL: urlOf(server.connection) } : {}
      const some = await startMany(2, 'http', settings)
      rates[way].push(await read(`2 http processes, ${way} a replica`, some, team, parts))
      await installation.stop(some)
    }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  figures.push(figure('reads with a replica, against without', mean(rates.with), 'reads/s', mean(rates.without)))
  await server.stop()
}

if (wanted('work')) {
  const http = (await startMany(1, 'http'))[0]!
  let base: number | undefined
  for (const count of counts) {
    const rate = await workWith(count, http)
    figures.push(figure(`leads from end to end, ${count} worker processes`, rate, 'leads/s', base))
    base ??= rate
  }
}

await installation.close()
await rm(area, { recursive: true, force: true })
printFigures('Growing out of one machine', figures)
