/** Everything of a support bundle, each part by itself: what cannot be read says why, and the rest is there all the same. */
import { homedir, totalmem, availableParallelism } from 'node:os'
import { interfaceVersion } from '@les/contract'
import type { Kysely } from 'kysely'
import type { Config } from '../../config/config.ts'
import { examine } from '../../doctor/index.ts'
import { buildPaths } from '../../platform/db/embedded-cluster.ts'
import { openDatabase, poolTimeouts, type ConnectionSettings } from '../../platform/db/open.ts'
import type { Database } from '../../platform/db/schema.ts'
import type { Egress } from '../../platform/egress/index.ts'
import type { SystemClock } from '../../platform/clock.ts'
import type { Random } from '../../platform/random.ts'
import { readQueues, readSchema, readServer, readTables } from './database.ts'
import { openFrames } from './frames.ts'
import { lastLines, safeLine, safePostgresLine, type Reading } from './logs.ts'
import { openRedact, redactAll, type Redact } from './redact.ts'
import { secretsOf, shownSettings } from './settings.ts'

/** What a bundle is made of. */
export type BundleParts = {
  readonly config: Config
  /** Null: the embedded database does not run. */
  readonly connection: ConnectionSettings | null
  /** Where the service's log is kept, when somebody keeps it in a file. */
  readonly logFile: string | null
  readonly egress: Egress
  readonly system: SystemClock
  readonly random: Random
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const part = <T>(read: () => Promise<T>): Promise<T | { readonly notRead: string }> =>
  read().catch((error: unknown) => ({ notRead: messageOf(error) }))

async function onDatabase(
  connection: ConnectionSettings | null,
  read: (db: Kysely<Database>) => Promise<unknown>,
): Promise<unknown> {
  if (connection === null) return { notRead: 'the embedded database does not run: start the service' }
  const database = openDatabase(connection, { poolSize: 1, poolTimeouts: poolTimeouts.requests, onError: () => {} })
  try {
    return await read(database.root)
  } finally {
    await database.close()
  }
}

async function metricsOf({ config, egress }: BundleParts): Promise<unknown> {
  if (config.metricsPort === null) return { notRead: 'LES_METRICS_PORT is not set' }
  const answer = await egress.request({
    method: 'GET',
    url: `http://127.0.0.1:${config.metricsPort}/metrics`,
    timeoutMs: 5_000,
    maxBytes: 4_000_000,
  })
  return answer.body
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
}

async function logsOf({ config, logFile }: BundleParts, clean: Redact): Promise<unknown> {
  const own = logFile === null ? [] : await lastLines(logFile)
  const server = config.databaseUrl === null ? await lastLines(buildPaths(config.dataDir).serverLog) : []
  const reading: Reading = { clean, framesOf: openFrames() }
  const kept = <T>(lines: readonly string[], read: (line: string, reading: Reading) => T | null) =>
    lines.map((line) => read(line, reading)).filter((line) => line !== null)
  return { service: kept(own, safeLine), postgres: kept(server, safePostgresLine) }
}

/** What a vendor said is its own text; which of them refused, and what to do, is ours. */
const doctorOf = async ({ config, egress, system, random }: BundleParts): Promise<unknown> =>
  (await examine({ config, deep: false, egress, system, random })).map((told) => ({
    ...told,
    text: told.text.split('; it said:')[0]!,
  }))

/** Collects one. Reads alone: nothing is started and nothing is changed. */
export async function collectBundle(parts: BundleParts): Promise<unknown> {
  const { config, connection, system } = parts
  const clean = openRedact(await secretsOf(config), {
    [buildPaths(config.dataDir).dataDir]: '<data folder>',
    [homedir()]: '~',
  })
  const database = await part(() =>
    onDatabase(connection, async (db) => ({
      server: await part(() => readServer(db)),
      schema: await part(() => readSchema(db)),
      tables: await part(() => readTables(db)),
      queues: await part(() => readQueues(db, config, system.nowMs())),
    })),
  )
  return redactAll(
    {
      made: new Date(system.nowMs()).toISOString(),
      version: interfaceVersion,
      machine: {
        node: process.version,
        platform: `${process.platform}-${process.arch}`,
        processors: availableParallelism(),
        memoryBytes: totalmem(),
      },
      settings: shownSettings(config),
      doctor: await part(() => doctorOf(parts)),
      database,
      metrics: await part(() => metricsOf(parts)),
      logs: await part(() => logsOf(parts, clean)),
    },
    clean,
  )
}
