/** Goes round things that are kept twice, some at a time, and says which of them are not what they should come to. */
import { sql, type Kysely, type Transaction } from 'kysely'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import type { Log } from '../platform/log.ts'

/** Things compared in one round, and how long a round goes on beginning another. */
const keysARound = 40
const roundMs = 1_000

/** What a round goes over. */
export type DriftRound<K extends { readonly teamId: string }> = {
  /** The things behind one, in the order of their keys. */
  readonly list: (db: Reader, after: K | null, limit: number) => Promise<readonly K[]>
  /** The key as text. */
  readonly nameOf: (key: K) => string
  /** How a thing differs, all read at one instant; null when it does not. */
  readonly compare: (instant: Transaction<Database>, key: K) => Promise<Readonly<Record<string, unknown>> | null>
  /** How long one comparison may take. */
  readonly statementMs: number
  /** What the log says of a thing that differs. */
  readonly says: string
  /** Hears of each round: how many were compared, and how many of all seen so far differ. */
  readonly tell: (round: { readonly compared: number; readonly drifting: number }) => void
}

/** Makes rounds that go on behind one another and begin again at the end; things that differ are remembered until they do not. */
export function makeDriftRound<K extends { readonly teamId: string }>(
  { db, system, log }: { readonly db: Kysely<Database>; readonly system: SystemClock; readonly log: Log },
  { list, nameOf, compare, statementMs, says, tell }: DriftRound<K>,
): () => Promise<void> {
  const drifting = new Set<string>()
  let last: K | null = null
  const compareOne = (key: K) =>
    db.transaction().execute(async (instant) => {
      await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(instant)
      return compare(instant, key)
    })
  return async () => {
    const keys = await list(db, last, keysARound)
    const endMs = system.nowMs() + roundMs
    let compared = 0
    for (const key of keys) {
      last = key
      const off = await compareOne(key)
      compared += 1
      const name = nameOf(key)
      if (off && !drifting.has(name)) log.error(says, { ...key, ...off })
      if (off) drifting.add(name)
      else drifting.delete(name)
      if (system.nowMs() >= endMs) break
    }
    // The end of the round: the next begins at the first again.
    if (keys.length === 0 || (keys.length < keysARound && last === keys.at(-1))) last = null
    tell({ compared, drifting: drifting.size })
  }
}
