/** Fresh, migrated databases, copied from the template that `global-setup.ts` makes. */
import pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../src/platform/db/migrate.ts'
import { clientConfig, openDatabase, type ConnectionSettings, type OpenDatabase } from '../../src/platform/db/open.ts'
import { inDatabase } from './global-setup.ts'
import { recordStatements } from './recorder.ts'
import { everyShardPath, makeViews, oneShardPath, testShards } from './shards.ts'

export type TestDatabase = OpenDatabase & {
  readonly connection: ConnectionSettings
  readonly name: string
  drop(): Promise<void>
}

let made = 0

if (process.env.LES_RECORD) recordStatements(process.env.LES_RECORD)

/** Migrates a database to `shards` shards and, if there are several, makes the views over all of them that tests query. */
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

/** `bare`: without migrations. `seesAll`: with several shards, queries of tests see the rows of all of them. */
type Wanted = { readonly bare?: boolean; readonly shards?: number; readonly seesAll?: boolean }

/** Makes a database; `drop` also ends every connection to it. */
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
  // The views of a template with shards cover exactly those shards.
  const isCopied = !bare && (shards === testShards || testShards === 1)
  await admin.query(`create database ${name} template ${isCopied ? template : 'template0'} strategy file_copy`)
  if (shards > 1)
    await admin.query(`alter database ${name} set search_path = ${seesAll ? everyShardPath : oneShardPath}`)
  await admin.end()
  const connection = inDatabase(server, name)
  if (shards !== testShards && !bare) await spread(connection, shards)
  // Prepares statements as the service's pools do, because some tests examine plans.
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
