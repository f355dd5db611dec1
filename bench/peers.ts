/**
 * The same signed deliveries by our loop, `graphile-worker` and `pg-boss` on one database and receiver. The peers, installed into
 * bench/peers by this command only, record no attempts or lead status, and pace no endpoints.
 */
import { execFileSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { Agent, request } from 'undici'
import { body, fillDeliveries, openReceiver } from './receiver.ts'
import { openStage, option, pause, report, seconds, workAll } from './support.ts'

const folder = fileURLToPath(new URL('./peers/', import.meta.url))
if (!existsSync(`${folder}node_modules`)) execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder })
const peer = async (name: string) => import(pathToFileURL(createRequire(folder).resolve(name)).href)

const count = option('deliveries', 12_000)
const concurrency = 100
const receiver = await openReceiver(20)
const stage = await openStage()

const key = randomBytes(32)
const dispatcher = new Agent({ connections: concurrency })
const { urls } = receiver
let nth = 0

async function deliver(): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')
  const response = await request(urls[nth++ % urls.length]!, {
    method: 'POST',
    body,
    dispatcher,
    headers: {
      'content-type': 'application/json',
      'x-service-timestamp': timestamp,
      'x-service-signature': `v1=${signature}`,
    },
  })
  await response.body.dump()
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
}

async function untilEmpty(pool: pg.Pool, query: string): Promise<void> {
  while (Number((await pool.query(query)).rows[0].count) > 0) await pause(20)
}

async function graphileWorker(connection: pg.PoolConfig): Promise<number> {
  const { Logger, run, runMigrations } = await peer('graphile-worker')
  const pgPool = new pg.Pool({ ...connection, max: 20 })
  await runMigrations({ pgPool, logger: new Logger(() => () => {}) })
  await pgPool.query(
    `select graphile_worker.add_jobs(array(select
       json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'deliver', 'payload', json_build_object('id', m)))
       from generate_series(1, $1::int) m))`,
    [count],
  )
  await pgPool.query('vacuum analyze')
  const started = performance.now()
  const runner = await run({
    pgPool,
    taskList: { deliver },
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    preset: {
      worker: {
        concurrentJobs: concurrency,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  })
  await untilEmpty(pgPool, 'select count(*) from graphile_worker.jobs')
  const took = (performance.now() - started) / 1000
  await runner.stop()
  await pgPool.end()
  return took
}

async function pgBoss(connection: pg.PoolConfig): Promise<number> {
  const { PgBoss } = await peer('pg-boss')
  const boss = new PgBoss({ ...connection, max: 20, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue('deliver')
  for (let from = 0; from < count; from += 2_000)
    await boss.insert(
      'deliver',
      Array.from({ length: Math.min(2_000, count - from) }, (_, nth) => ({ data: { id: from + nth } })),
    )
  const pool = new pg.Pool({ ...connection, max: 1 })
  await pool.query('vacuum analyze')
  const started = performance.now()
  await boss.work(
    'deliver',
    { batchSize: concurrency, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true },
    async (jobs: readonly unknown[]) => void (await Promise.all(jobs.map(deliver))),
  )
  await untilEmpty(pool, `select count(*) from pgboss.job where name = 'deliver' and state <> 'completed'`)
  const took = (performance.now() - started) / 1000
  await boss.stop({ graceful: false })
  await pool.end()
  return took
}

async function ours(): Promise<number> {
  await fillDeliveries(stage, { count, urls })
  return seconds(() => workAll(stage.service.steps.delivery, 2))
}

async function measure(name: string, work: () => Promise<number>): Promise<number> {
  receiver.reset()
  const took = await work()
  if (receiver.count() < count) throw new Error(`${name}: ${receiver.count()} of ${count} were received`)
  console.log(`${name}: ${Math.round(count / took)}/s`)
  return count / took
}

const rates = { ours: 0, graphile: 0, boss: 0 }
const rounds = option('rounds', 3)
for (let round = 0; round < rounds; round++) {
  const database = `peers_${round}`
  await stage.tools.pool.query(`create database ${database}`)
  const connection = { ...(stage.connection as pg.PoolConfig), database }
  rates.ours = Math.max(rates.ours, await measure('ours', ours))
  rates.graphile = Math.max(rates.graphile, await measure('graphile-worker', () => graphileWorker(connection)))
  rates.boss = Math.max(rates.boss, await measure('pg-boss', () => pgBoss(connection)))
}
await dispatcher.close()
await stage.close()
receiver.close()
report({
  'deliveries beside graphile-worker': {
    measured: `${Math.round(rates.ours)}/s over ${count.toLocaleString('en')}, the best of ${rounds}`,
    beside: `${Math.round(rates.graphile)}/s: graphile-worker; ${Math.round(rates.boss)}/s: pg-boss`,
    value: rates.ours / rates.graphile,
  },
})
