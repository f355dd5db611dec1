/**
 * Nudges between processes, over pg-boss on the same database. A unit of work writes its nudges in its own transaction; a
 * worker that fetches one wakes its lanes and is done: rows are the truth, so a lost or doubled nudge changes nothing.
 */
import { fromKysely, PgBoss } from 'pg-boss'
import type { Transaction } from 'kysely'
import { jobKinds, type JobKind } from '../../job-catalog.ts'
import { clientConfig, type ConnectionSettings } from '../db/open.ts'
import type { Database } from '../db/schema.ts'
import type { SystemClock } from '../clock.ts'
import type { Log } from '../log.ts'

/** Carries nudges. */
export type Nudges = {
  /** Writes one nudge for each kind in the running transaction. */
  write(db: Transaction<Database>, kinds: readonly JobKind[]): Promise<void>
  /** Calls `wake` for every nudge of `kinds` that any process wrote. */
  listen(kinds: readonly JobKind[], wake: (kind: JobKind) => void): Promise<void>
  stop(): Promise<void>
}

/** How often a process that works on a kind itself tells the others about more of it; in between its own lanes have it, and the sweep tells everybody. */
const tellOthersMs = 250

/** Opens the queue; `supervise` keeps it clean and belongs in one role, `listen` also means that this process works itself. */
export async function openNudges(
  connection: ConnectionSettings,
  options: { supervise: boolean; listen: boolean; log: Log; system: SystemClock },
): Promise<Nudges> {
  const told = new Map<JobKind, number>()
  const boss = new PgBoss({
    ...(clientConfig(connection) as Record<string, unknown>),
    max: 3,
    schedule: false,
    supervise: options.supervise,
    useListenNotify: options.listen,
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (error) => options.log.warn('queue', { error }))
  await boss.start()
  for (const kind of jobKinds) {
    await boss.createQueue(kind, {
      notify: true,
      retryLimit: 0,
      retentionSeconds: 600,
      deleteAfterSeconds: 60,
      expireInSeconds: 60,
    })
  }
  return {
    write: async (db, kinds) => {
      const nowMs = options.system.nowMs()
      for (const kind of kinds) {
        if (options.listen && nowMs - (told.get(kind) ?? 0) < tellOthersMs) continue
        told.set(kind, nowMs)
        await boss.send(kind, {}, { db: fromKysely(db) })
      }
    },
    listen: async (kinds, wake) => {
      for (const kind of kinds) {
        await boss.work(
          kind,
          { batchSize: 50, pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 15, burstWhenBatchFull: true },
          async () => wake(kind),
        )
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: 2_000 }),
  }
}
