/** Streaming replicas of embedded clusters, for tests and benchmarks. */
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/db/embedded.ts'

/**
 * A copy of a running cluster, made as any base backup is, that follows it. `from` and `to` are data folders; `settings` are the
 * server's own, of which `wal_level` must be that of the primary.
 */
export async function followerOf(
  primary: EmbeddedPostgres,
  from: string,
  to: string,
  settings: Readonly<Record<string, string>>,
): Promise<EmbeddedPostgres> {
  const client = new pg.Client(primary.connection)
  await client.connect()
  await client.query(`select pg_backup_start('replica', true)`)
  // The socket and the lock file are the primary's own; files that come and go while copying are made good by the log.
  await cp(from, to, {
    recursive: true,
    filter: (path) => !/\/(?:socket|postmaster\.pid|postmaster\.opts|postgres\.log)(?:\/|$)/.test(path),
  })
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await client.end()
  const cluster = join(to, 'postgres')
  await writeFile(join(cluster, 'backup_label'), rows[0]!.labelfile)
  await writeFile(join(cluster, 'standby.signal'), '')
  const { host, port, user, password } = primary.connection
  const primaryConninfo = `host='${host}' port=${port} user=${user} password=${password}`
  return await startEmbeddedPostgres({
    dataDir: to,
    log: () => {},
    settings: { ...settings, primary_conninfo: primaryConninfo },
  })
}
