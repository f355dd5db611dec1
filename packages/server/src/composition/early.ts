/**
 * The embedded database of a start, begun before the service is loaded: making a cluster takes another program a second, and reading
 * and evaluating the service takes this one two. Imports nothing of the service, or it would be loaded here.
 */
import type { Config } from '../config/config.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../platform/db/embedded.ts'
import type { Log } from '../platform/log.ts'

/** A database that was begun. */
type EarlyDatabase = {
  readonly postgres: Promise<EmbeddedPostgres>
  /** Resolves when it is up, or is being made by a program that needs nothing of this process; rejects when it cannot be. */
  readonly begun: Promise<void>
  /** Ends it, whether or not anybody uses it yet. */
  stop(): Promise<void>
}

/** Begins to start the embedded database of a configuration; nothing where it names a database. */
export function beginDatabase(config: Config, log: Log): EarlyDatabase | undefined {
  if (config.databaseUrl !== null) return undefined
  const { promise: making, resolve } = Promise.withResolvers<void>()
  const postgres = startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (message, fields) => log.info(message, fields),
    onMaking: resolve,
  })
  return {
    postgres,
    begun: Promise.race([making, postgres.then(() => {})]),
    stop: () =>
      postgres.then(
        (started) => started.stop(),
        () => {},
      ),
  }
}
