/** Compares what is kept of pushes with what their leads come to (decision 0097), some at a time: a figure that only the database knows. */
import { sql, type Kysely } from 'kysely'
import { listPushes, pushDrift, type PushKey } from '../modules/delivery/index.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import type { Log } from '../platform/log.ts'
import type { WorkMetrics } from './metrics.ts'

/** Pushes compared in one round, how long a round may take, and the longest one of them. */
const pushesARound = 40
const roundMs = 1_000
const statementMs = 10_000

/** What pushes are compared with. */
export type PushRoundParts = {
  readonly db: Kysely<Database>
  readonly system: SystemClock
  readonly metrics: Pick<WorkMetrics, 'pushes'>
  readonly log: Log
}

const compare = (db: Kysely<Database>, key: PushKey): Promise<Readonly<Record<string, number>>> =>
  db.transaction().execute(async (instant) => {
    await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(instant)
    return pushDrift(instant, key)
  })

/** Goes round all pushes, some at a time; remembers those that differ until they do not. */
export function makePushRound({ db, system, metrics, log }: PushRoundParts): () => Promise<void> {
  const drifting = new Set<string>()
  let last: PushKey | null = null
  return async () => {
    const keys = await listPushes(db, last, pushesARound)
    const endMs = system.nowMs() + roundMs
    for (const key of keys) {
      last = key
      const off = await compare(db, key)
      const name = `${key.teamId}/${key.pushId}`
      const wrong = Object.keys(off).length > 0
      if (wrong && !drifting.has(name)) log.error('a push is not what its leads come to', { ...key, off })
      if (wrong) drifting.add(name)
      else drifting.delete(name)
      if (system.nowMs() >= endMs) break
    }
    // The end of the round: the next begins at the first push again.
    if (keys.length === 0 || (keys.length < pushesARound && last === keys.at(-1))) last = null
    metrics.pushes({ drifting: drifting.size })
  }
}
