/**
 * What telling other processes of work costs whoever commits: many connections commit small units of work at once, with no NOTIFY,
 * with one in every transaction, with one in those that find no team ready, and with what the service does (one a process beside the
 * transactions, decision 0002). PostgreSQL makes transactions that notify commit one after another. `--connections 32 --seconds 4`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { clientConfig, type ConnectionSettings } from '../packages/server/src/platform/db/open.ts'
import { startEmbeddedPostgres } from '../packages/server/src/platform/db/embedded.ts'
import { openNudges } from '../packages/server/src/platform/nudges.ts'
import { systemClock } from '../packages/server/src/platform/clock.ts'
import { openLog } from '../packages/server/src/platform/log.ts'
import { median, option, printFigures } from './support.ts'

const connections = option('connections', 32)
const seconds = option('seconds', 4)
const rounds = option('rounds', 3)

// On the disk and not in memory: what a commit waits for is what is measured.
const dataDir = await mkdtemp(join(tmpdir(), 'les-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
const connection: ConnectionSettings = postgres.connection
const pool = new pg.Pool({ ...clientConfig(connection), max: connections })
pool.on('error', () => {})
await pool.query('create table unit (id bigint generated always as identity primary key, body text not null)')
const listener = new pg.Client(clientConfig(connection))
await listener.connect()
let heard = 0
listener.on('notification', () => (heard += 1))
await listener.query('listen les_work')

/** What is done beside each unit: in its transaction, and after its commit. */
type Manner = {
  readonly inside?: (client: pg.PoolClient, turn: number) => Promise<unknown>
  readonly after?: () => void
}

const notify = (client: pg.PoolClient) => client.query(`select pg_notify('les_work', 'enrichment')`)
const nudges = openNudges({
  connection,
  direct: connection,
  works: false,
  owner: 'bench',
  log: openLog('silent'),
  system: systemClock,
})

const ofService = 'as the service does, beside the transactions'
const manners: Readonly<Record<string, Manner>> = {
  'no NOTIFY': {},
  'NOTIFY in every transaction': { inside: notify },
  'NOTIFY in one transaction of ten': { inside: async (client, turn) => (turn % 10 === 0 ? notify(client) : null) },
  [ofService]: { after: () => nudges.announce(['enrichment']) },
}

/** Commits from every connection for some seconds; units a second, and how long one took in milliseconds. */
async function commitFor({ inside, after }: Manner): Promise<{ perSecond: number; median: number; slow: number }> {
  const took: number[] = []
  const startedAt = performance.now()
  const endAt = startedAt + seconds * 1_000
  const commit = async (client: pg.PoolClient, turn: number): Promise<void> => {
    const began = performance.now()
    await client.query('begin')
    await client.query(`insert into unit (body) values ('a row of some length, as a unit of work writes')`)
    await inside?.(client, turn)
    await client.query('commit')
    after?.()
    took.push(performance.now() - began)
  }
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await pool.connect()
      for (let turn = 0; performance.now() < endAt; turn++) await commit(client, turn)
      client.release()
    }),
  )
  const sorted = took.toSorted((a, b) => a - b)
  return {
    perSecond: (took.length * 1_000) / (performance.now() - startedAt),
    median: median(sorted),
    slow: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  }
}

await commitFor({})
// In turns, so that what else the machine does meets all of them.
type Round = Awaited<ReturnType<typeof commitFor>> & { readonly heard: number }
const seen = new Map<string, Round[]>()
for (let round = 0; round < rounds; round++)
  for (const [name, manner] of Object.entries(manners)) {
    const before = heard
    const found = await commitFor(manner)
    seen.set(name, [...(seen.get(name) ?? []), { ...found, heard: heard - before }])
  }
const of = (name: string, pick: (one: Round) => number) => median((seen.get(name) ?? []).map(pick))
const bare = of('no NOTIFY', (one) => one.perSecond)
printFigures(
  `Telling of work: ${connections} connections, ${rounds} rounds of ${seconds} s, fsync on`,
  [...seen.keys()].map((name) => {
    const perSecond = of(name, (one) => one.perSecond)
    const ratio = perSecond / bare
    const isService = name === ofService
    return {
      name: `units of work a second, ${name}`,
      measured:
        `${perSecond.toFixed(0)}/s, ${of(name, (one) => one.median).toFixed(1)} ms, ` +
        `99 % ${of(name, (one) => one.slow).toFixed(1)} ms, ${of(name, (one) => one.heard)} messages`,
      limit: `${bare.toFixed(0)}/s: no NOTIFY`,
      ratio,
      aim: isService ? '>= 0.9' : '',
      reached: isService ? ratio >= 0.9 : null,
    }
  }),
)
await nudges.stop()
await listener.end()
await pool.end()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })
