/** A fresh, migrated database for a test file, copied from the template that the global setup laid out. */
import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../src/platform/db/migrate.ts'
import { clientConfig, openDatabase, type ConnectionSettings, type OpenDatabase } from '../../src/platform/db/open.ts'
import { inDatabase } from './global-setup.ts'
import { recordStatements } from './recorder.ts'
import { everyShardPath, makeViews, oneShardPath, testShards } from './shards.ts'

/** A database of its own. */
export type TestDatabase = OpenDatabase & {
  readonly connection: ConnectionSettings
  readonly name: string
  drop(): Promise<void>
}

let made = 0

if (process.env.LES_RECORD) recordStatements(process.env.LES_RECORD)

/** Lays a database out, or spreads it over more shards, with views over all of them for what tests ask. */
async function spread(connection: ConnectionSettings, shards: number): Promise<void> {
  const database = openDatabase(connection, { poolSize: 1, isSharded: true, onError: () => {} })
  await migrate(database.bare, shards)
  await database.close()
  if (shards === 1) return
  const client = new pg.Client(clientConfig(connection))
  await client.connect()
  await makeViews(client, shards)
  await client.end()
}

/** What a database may be: `bare`: nobody has laid it out yet; `seesAll`: where there are several shards, tests see those of all. */
type Wanted = { readonly bare?: boolean; readonly shards?: number; readonly seesAll?: boolean }

/** Makes one; `drop` ends every connection to it. */
export async function freshDatabase({
  bare = false,
  shards = testShards,
  seesAll = false,
}: Wanted = {}): Promise<TestDatabase> {
  const { server, template } = inject('postgres')
  const name = `les_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${++made}`
  const admin = new pg.Client(clientConfig(server))
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  // A template with shards has views over just these.
  const isCopied = !bare && (shards === testShards || testShards === 1)
  await admin.query(`create database ${name} template ${isCopied ? template : 'template0'} strategy file_copy`)
  if (shards > 1)
    await admin.query(`alter database ${name} set search_path = ${seesAll ? everyShardPath : oneShardPath}`)
  await admin.end()
  const connection = inDatabase(server, name)
  if (shards !== testShards && !bare) await spread(connection, shards)
  // Prepared as the pools of a service do it: plans are part of what tests look at here.
  const database = openDatabase(connection, { poolSize: 10, names: 'repeated', onError: () => {} })
  return {
    ...database,
    connection,
    name,
    drop: async () => {
      await database.close()
      const last = new pg.Client(clientConfig(server))
      await last.connect()
      await last.query(`drop database if exists ${name} with (force)`)
      await last.end()
    },
  }
}
