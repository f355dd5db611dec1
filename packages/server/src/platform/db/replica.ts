/**
 * Reads at a streaming replica that see what was committed before they began (decision 0024).
 *
 * A read asks the primary how far its log is written, and the replica how far it has replayed it; once the replica is
 * there, everything that was committed and answered before is in what it answers. A replica that is not there in time, or
 * cannot be asked, is passed over: the read goes to the primary. So does a read that the replica ended because it stood
 * in the way of what is replayed; other reads still go to the replica.
 */
import { sql, type Kysely } from 'kysely'
import type { SystemClock } from '../clock.ts'
import { gathered } from '../gathered.ts'
import type { CounterName } from '../metrics.ts'
import type { Log } from '../log.ts'
import type { OpenDatabase } from './open.ts'
import type { Database } from './schema.ts'
import { databaseTrouble } from './trouble.ts'

/** A replica that lists are read from. */
export type Replica = {
  /** Runs a read there, or at the primary where the replica is behind or in trouble. */
  read<T>(primary: Kysely<Database>, work: (db: Kysely<Database>) => Promise<T>): Promise<T>
}

/** What it is made of. */
type ReplicaParts = {
  /** Asked how far the log is written. */
  readonly primary: OpenDatabase
  readonly replica: OpenDatabase
  readonly system: SystemClock
  readonly log: Log
  readonly count: (counter: CounterName, label: string, by: number) => void
}

/** How long a read waits for the replica, in milliseconds. */
const waitMs = 100
/** How often the replica is asked while a read waits for it, in milliseconds. */
const askEveryMs = 2
/** How long a replica that failed is left alone, in milliseconds. */
const restMs = 5_000

/** A place in the log as a number, from PostgreSQL's two hexadecimal halves: `16/B374D848`. */
export function parsePosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** The wrong server behind the address: nothing that waiting mends. */
class NotAReplica extends Error {}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code

/** A query that stood in the way of what is being replayed was ended (40P01: they waited for one another): nothing is wrong there. */
const isConflict = (error: unknown): boolean => codeOf(error) === '40001' || codeOf(error) === '40P01'

/** The server is no longer there, or no longer what it was. */
const isLost = (error: unknown): boolean => databaseTrouble(error) === 'away' || codeOf(error) === '25006'

/** What a server and every physical replica of it have in common, selected from `pg_control_system()`. */
export const serverIdentity = `system_identifier::text || ' ' || current_database()`

async function identityOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ identity: string }>`
    select ${sql.raw(serverIdentity)} as identity from pg_control_system()`.execute(db)
  return rows[0]!.identity
}

/** Opens it; nothing is asked before the first read. */
export function openReplica({ primary, replica, system, log, count }: ReplicaParts): Replica {
  let isKnown = false
  let restUntilMs = Number.NEGATIVE_INFINITY

  const written = async (): Promise<bigint> => {
    const { rows } = await sql<{ at: string }>`select pg_current_wal_flush_lsn()::text as at`.execute(primary.bare)
    return parsePosition(rows[0]!.at)
  }
  const replayed = async (): Promise<bigint> => {
    const { rows } = await sql<{ at: string | null }>`
      select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as at`.execute(replica.bare)
    if (rows[0]!.at === null) throw new NotAReplica('DATABASE_REPLICA_URL names a server that is no replica')
    return parsePosition(rows[0]!.at)
  }
  /** Where the log ends and how far the replica is, asked once for all reads that begin together. */
  const readPositions = gathered(async (reads: readonly null[]) => {
    if (!isKnown && (await identityOf(primary.bare)) !== (await identityOf(replica.bare)))
      throw new NotAReplica('DATABASE_REPLICA_URL names a replica of another database')
    isKnown = true
    const [end, reached] = await Promise.all([written(), replayed()])
    return reads.map(() => ({ end, reached }))
  })
  const rest = (error: unknown): void => {
    isKnown = false
    restUntilMs = system.nowMs() + restMs
    log.warn('the replica is not read from for a while', { error, restMs })
  }
  const isCaughtUp = async (): Promise<boolean> => {
    if (system.nowMs() < restUntilMs) return false
    try {
      const endMs = system.nowMs() + waitMs
      const { end, reached } = await readPositions(null)
      for (let at = reached; at < end; at = (await readPositions(null)).reached) {
        if (system.nowMs() >= endMs) return false
        await system.sleep(askEveryMs)
      }
      return true
    } catch (error) {
      if (system.nowMs() >= restUntilMs) rest(error)
      return false
    }
  }

  return {
    read: async (at, work) => {
      if (await isCaughtUp()) {
        try {
          const answer = await work(replica.root)
          count('reads_with_replica', 'replica', 1)
          return answer
        } catch (error) {
          if (isLost(error)) rest(error)
          else if (!isConflict(error)) throw error
        }
      }
      count('reads_with_replica', 'primary', 1)
      return await work(at)
    },
  }
}

/** By the name they are counted under. */
export const databaseCounters = {
  reads_with_replica: {
    name: 'les_reads_with_replica_total',
    label: 'place',
    help: 'Reads that a replica was to answer, by who did: the replica, or the primary because that was behind or away.',
  },
} as const

type DatabaseCounters = typeof databaseCounters
declare module '../metrics.ts' {
  interface Counters extends DatabaseCounters {}
}
