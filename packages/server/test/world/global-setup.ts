/** One PostgreSQL for the whole run: TEST_DATABASE_URL, or an embedded one in a temporary folder with fsync off. */
import { rmSync } from 'node:fs'
import pg from 'pg'
import { makeViews } from './shards.ts'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded.ts'
import { clientConfig, openDatabase, type ConnectionSettings } from '../../src/platform/db/open.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { installStrangers } from '../strangers/install.ts'
import { validated } from './amount.ts'
import { temporaryFolder } from './folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { server: ConnectionSettings; template: string }
  }
}

/** Replaces the database of connection settings. */
export function inDatabase(connection: ConnectionSettings, database: string): ConnectionSettings {
  if (!('connectionString' in connection)) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/** Starts or finds the server and makes the migrated template that test files copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (validated) await installStrangers()
  const external = process.env.TEST_DATABASE_URL
  const shards = Number(project.config.env?.LES_TEST_SHARDS ?? process.env.LES_TEST_SHARDS ?? 1)
  const folder = external ? undefined : await temporaryFolder('les-test-')
  const embedded = folder
    ? await startEmbeddedPostgres({
        dataDir: folder,
        log: () => {},
        settings: {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          max_connections: '200',
          // The oracle and the snapshots scan every table; for these few rows parallel workers cost ten times what they save.
          max_parallel_workers_per_gather: '0',
        },
      })
    : undefined
  const server: ConnectionSettings = external ? { connectionString: external } : embedded!.connection
  const template = `les_template_${process.pid}_${shards}`
  const admin = new pg.Client(clientConfig(server))
  await admin.connect()
  if (embedded) {
    // The password is as long as a key, so the usual 4,096 SCRAM iterations add no safety and cost a third of each connection.
    const { user, password } = embedded.connection
    await admin.query('set scram_iterations = 1')
    await admin.query(`alter role ${pg.escapeIdentifier(user)} password ${pg.escapeLiteral(password)}`)
  }
  await admin.query(`drop database if exists ${template} with (force)`)
  await admin.query(`create database ${template}`)
  await admin.end()
  const database = openDatabase(inDatabase(server, template), { poolSize: 2, isSharded: true, onError: () => {} })
  await migrate(database.bare, shards)
  await database.close()
  if (shards > 1) {
    const client = new pg.Client(clientConfig(inDatabase(server, template)))
    await client.connect()
    await makeViews(client, shards)
    await client.end()
  }
  project.provide('postgres', { server, template })
  return async () => {
    const last = new pg.Client(clientConfig(server))
    await last.connect()
    await last.query(`drop database if exists ${template} with (force)`)
    await last.end()
    await embedded?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  }
}
