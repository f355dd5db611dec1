/** Working everything that is due at the present service time, here or in other processes (G119). */
import { sql, type Kysely } from 'kysely'
import { jobKinds, type JobKind } from '../job-catalog.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import type { Reader } from '../platform/db/unit-of-work.ts'
import type { PeriodicTask } from './clock.ts'
import type { Steps } from './lanes.ts'

/** What a drain has done. */
export type Drained = { readonly processed: number; readonly byKind: Readonly<Record<string, number>>; readonly busy?: boolean }

const longestMs = 120_000
const waitMs = 15

/** Leases that are held now: somebody works on something that may make more work. */
async function liveLeases(db: Reader, systemNowMs: number): Promise<number> {
  const { rows } = await sql<{ live: number }>`
    select (select count(*) from sync where finished_at is null and lease_until_ms >= ${systemNowMs})
      + (select count(*) from job where finished_at is null and lease_until_ms >= ${systemNowMs})
      + (select count(*) from enrichment_task where lease_until_ms >= ${systemNowMs})
      + (select count(*) from delivery where state = 'sending' and lease_until_ms >= ${systemNowMs})
      + (select count(*) from discover_run where finished_at is null and lease_until_ms >= ${systemNowMs})
      + (select count(*) from outreach_rule where lease_until_ms >= ${systemNowMs})
      + (select count(*) from outreach_batch where state <> 'settled' and lease_until_ms >= ${systemNowMs})
      + (select count(*) from icp_rescore where not done and lease_until_ms >= ${systemNowMs}) as live`.execute(db)
  return Number(rows[0]!.live)
}

/** What the drain needs; `isDue` tells whether work waits that nobody has. */
export type DrainParts = {
  readonly steps: Steps
  readonly tasks: readonly PeriodicTask[]
  readonly db: Kysely<Database>
  readonly system: SystemClock
  readonly isDue: (db: Reader) => Promise<boolean>
  readonly alsoWorked: () => Readonly<Partial<Record<JobKind, number>>>
}

/** Makes the drain: periodic tasks first, then the steps of every kind, until nothing is due and nobody holds a lease. */
export function makeDrain(parts: DrainParts): () => Promise<Drained> {
  const { steps, tasks, db, system } = parts
  // Seen at one instant: a lane gives a run back between two pages, so two looks could each miss it.
  const isQuiet = () =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (instant) => (await liveLeases(instant, system.nowMs())) === 0 && !(await parts.isDue(instant)))
  return async () => {
    const endMs = system.nowMs() + longestMs
    const before = { ...parts.alsoWorked() }
    const here: Partial<Record<JobKind, number>> = {}
    let byClock = 0
    for (;;) {
      let worked = 0
      for (const task of tasks) byClock += await task.run()
      for (const kind of jobKinds) {
        const step = steps[kind]
        while (step && system.nowMs() < endMs && (await step()) === 'worked') {
          worked += 1
          here[kind] = (here[kind] ?? 0) + 1
        }
      }
      const quiet = worked === 0 && (await isQuiet())
      const after = parts.alsoWorked()
      const byKind = Object.fromEntries(jobKinds.map((kind) => [kind, (here[kind] ?? 0) + (after[kind] ?? 0) - (before[kind] ?? 0) + (kind === 'clock' ? byClock : 0)] as const).filter(([, count]) => count > 0))
      const processed = Object.values(byKind).reduce((sum, count) => sum + count, 0)
      if (quiet) return { processed, byKind }
      if (system.nowMs() >= endMs) return { processed, byKind, busy: true }
      if (worked === 0) await system.sleep(waitMs)
    }
  }
}
