/** The database that a command works on: that of DATABASE_URL, or the embedded one, running or not. */
import type { Config } from '../config/config.ts'
import { readPassword, buildPaths } from '../platform/db/embedded-cluster.ts'
import { findPostmaster } from '../platform/db/embedded-process.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded.ts'
import type { ConnectionSettings } from '../platform/db/open.ts'
import { localSecrets, readSecret } from '../platform/local-secrets.ts'

type Place = { readonly connection: ConnectionSettings; readonly close: () => Promise<void> }

/** Null for an embedded database that does not run. */
export async function findRunningDatabase(config: Config): Promise<ConnectionSettings | null> {
  if (config.databaseUrl !== null) return { connectionString: config.databaseUrl }
  const paths = buildPaths(config.dataDir)
  const running = await findPostmaster(paths.cluster)
  if (!running?.socketDir) return null
  const password = await readPassword(paths)
  return { host: running.socketDir, port: running.port ?? 5432, user: 'les', password, database: 'les' }
}

/** Finds the database; an embedded server that does not run is started until `close`. */
export async function findDatabase(config: Config): Promise<Place> {
  const running = await findRunningDatabase(config)
  if (running !== null) return { connection: running, close: async () => {} }
  const started = await startEmbeddedPostgres({ dataDir: config.dataDir, log: () => {} })
  return { connection: started.connection, close: () => started.stop() }
}

/** The configured master key, or that in the data folder; null without one. */
export async function findMasterKey(config: Config): Promise<Buffer | null> {
  if (config.masterKey) return config.masterKey
  if (config.databaseUrl !== null) return null
  const text = await readSecret(config.dataDir, localSecrets.masterKey)
  return text === null ? null : Buffer.from(text, 'base64')
}
