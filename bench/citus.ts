/**
 * What capture costs on a Citus against plain PostgreSQL on the same machine: teams of two shards, on one worker and on two. Round trips
 * and the processor time of every server, by the lead row: `LES_TEST_CITUS_URL=… node bench/citus.ts` (`scripts/citus.sh start`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { trackSource } from '../packages/server/src/modules/sources/index.ts'
import { citusDatabase, citusUrl } from '../packages/server/test/world/citus.ts'
import { networkOfReactions, openStage, option, seconds, workAll } from './support.ts'

if (!citusUrl) throw new Error('LES_TEST_CITUS_URL names no Citus')
const sources = option('sources', 4)
const [posts, perPage, pages, lanes] = [15, 100, 2, 4]

const network = networkOfReactions({ posts, pages, perPage })

let roundTrips = 0
const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown }
const plainQuery = prototype.query
prototype.query = function (this: pg.Client, ...given: unknown[]) {
  roundTrips += 1
  return plainQuery.apply(this, given)
}

/** The process of a server: the one above its connections. */
async function serverAt(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const parent = Number(statOf(rows[0]!.pid)[1])
  await client.end()
  return parent
}

const statOf = (pid: number | string): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')

/** Milliseconds of processor time of a server and its processes, those that have ended among them. */
function processorMs(server: number): number {
  const ticks = (pid: number | string, from: number, to: number): number =>
    statOf(pid)
      .slice(from, to)
      .reduce((sum, value) => sum + Number(value), 0)
  let sum = ticks(server, 11, 15)
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    try {
      if (Number(statOf(pid)[1]) === server) sum += ticks(pid, 11, 13)
    } catch {
      // It has ended.
    }
  }
  return sum * 10
}

async function measure(name: string, url: string, nodes: readonly string[]): Promise<void> {
  const servers = await Promise.all([url, ...nodes].map(serverAt))
  const stage = await openStage({
    config: { shards: 2 },
    overrides: { network, connection: { connectionString: url } },
  })
  const { service } = stage
  const teams = [await service.shards.ofNewTeam(() => stage.team()), await service.shards.ofNewTeam(() => stage.team())]
  const capture = async (from: number, to: number): Promise<number> => {
    for (const [at, { id }] of teams.entries())
      for (let nth = from; nth < to; nth++)
        await service.shards.ofTeam(id, () =>
          service.unitOfWork((tx) =>
            trackSource(
              tx,
              { teamId: id, keyId: '', plan: 'growth', status: 'active', captureAllowed: true },
              { type: 'person', username: `bench-${at * 1_000 + nth}`, named: {}, confirmSpend: false },
            ),
          ),
        )
    return seconds(() => workAll(service.steps.capture, lanes))
  }
  await capture(1, 2)
  const [before, trips] = [servers.map(processorMs), roundTrips]
  const took = await capture(2, 2 + sources)
  const rows = sources * posts * perPage * pages * teams.length
  const spent = servers.map((server, at) => Math.round(((processorMs(server) - before[at]!) * 1_000) / rows))
  console.log(
    `${name}: ${Math.round(rows / took)} rows a second, ${((roundTrips - trips) / rows).toFixed(3)} round trips a row, ` +
      `${spent.reduce((sum, one) => sum + one, 0)} us of processor a row (${spent.join(' + ')})`,
  )
  await stage.close()
}

const plain = `les_plain_${process.pid}`
const admin = new pg.Client({ connectionString: citusUrl })
await admin.connect()
await admin.query(`create database ${plain}`)
const plainUrl = new URL(citusUrl)
plainUrl.pathname = `/${plain}`
await measure('plain PostgreSQL', plainUrl.href, [])
for (const workers of [1, 2]) {
  const made = await citusDatabase(`les_bench_${process.pid}`, workers)
  await measure(`Citus, ${workers} worker${workers > 1 ? 's' : ''}`, made.url, made.workers.map(made.urlAt))
  await made.drop()
}
await admin.query(`drop database ${plain} with (force)`)
await admin.end()
