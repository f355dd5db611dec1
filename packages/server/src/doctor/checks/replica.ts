/** The replica that answers reads: reached, a replica, of this database, and how far it is behind. */
import { findRunningDatabase } from '../../backup/place.ts'
import { parsePosition, serverIdentity } from '../../platform/db/replica.ts'
import type { Check, Finding } from '../check.ts'
import { onDatabase } from './database.ts'

type Facts = { identity: string; replica: boolean; at: string }

const factsSql = `select ${serverIdentity} as identity, pg_is_in_recovery() as replica,
  (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end)::text as at
  from pg_control_system()`

/** What is said of a replica and its primary, each as it was found. */
export function judgeReplica(primary: Facts, replica: Facts): Finding {
  if (!replica.replica)
    return {
      level: 'bad',
      text: 'DATABASE_REPLICA_URL names a server that is no replica: it is not read from',
      advice: 'name a streaming replica of DATABASE_URL, or take the setting out',
    }
  if (replica.identity !== primary.identity)
    return {
      level: 'bad',
      text: 'DATABASE_REPLICA_URL names a replica of another database: it is not read from',
      advice: 'name a streaming replica of DATABASE_URL, and the same database on it',
    }
  const behind = parsePosition(primary.at) - parsePosition(replica.at)
  return { level: 'ok', text: `it follows, ${behind > 0n ? behind : 0n} bytes behind` }
}

/** The check of the replica. */
export const replica: Check = {
  name: 'replica',
  about: 'reached, and a replica of this database',
  run: async ({ config }) => {
    if (!config.databaseReplicaUrl)
      return [{ level: 'skipped', text: 'no DATABASE_REPLICA_URL: the database answers every read' }]
    const connection = await findRunningDatabase(config)
    const primary = await onDatabase(connection, async (client) => (await client.query<Facts>(factsSql)).rows[0]!)
    if (!primary) return [{ level: 'skipped', text: 'the database does not run' }]
    try {
      const found = await onDatabase(
        { connectionString: config.databaseReplicaUrl },
        async (client) => (await client.query<Facts>(factsSql)).rows[0]!,
      )
      return [judgeReplica(primary, found!)]
    } catch {
      return [
        {
          level: 'warn',
          text: 'the replica is not reached: the database answers every read until it is',
          advice: 'see that DATABASE_REPLICA_URL names a server this machine reaches, with a user that may sign in',
        },
      ]
    }
  },
}
