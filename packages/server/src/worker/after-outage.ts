/**
 * What a step had leased when the connection to the database was lost is given back as soon as the database answers again, so that
 * nobody waits for leases that no living worker has in hand. Under their fences: what somebody else has taken meanwhile stays theirs.
 * Only for a lost connection: what a lock or a time limit ended waits for its lease, so that it is not tried again in a tight loop.
 */
import type { SystemClock } from '../platform/clock.ts'
import type { UnitOfWork } from '../platform/db/unit-of-work.ts'
import { isLostDatabase, type LeasedByStep } from '../platform/work-in-hand.ts'
import { giveBackAll, leaseMs } from '../platform/work/index.ts'

/** What giving back works with. */
export type AfterOutageParts = { readonly unitOfWork: UnitOfWork; readonly system: SystemClock }

const betweenTriesMs = 500

/**
 * Gives leased rows back, trying until the database answers, at most as long as a lease lasts; ends early, with the rows left to
 * their leases, when the process is closing. Never throws.
 */
export async function giveBackAfterOutage(
  { unitOfWork, system }: AfterOutageParts,
  leased: readonly LeasedByStep[],
  closing?: AbortSignal,
): Promise<void> {
  const endMs = system.nowMs() + leaseMs
  const waiting = [...Map.groupBy(leased, ({ rows, teamId }) => `${rows.table} ${teamId}`).values()]
  while (waiting.length > 0) {
    const group = waiting[0]!
    try {
      await unitOfWork((tx) => giveBackAll(tx, group[0]!.rows, group))
      waiting.shift()
    } catch (error) {
      if (!isLostDatabase(error) || system.nowMs() >= endMs) return
      const rested = await system.sleep(betweenTriesMs, closing).then(
        () => true,
        () => false,
      )
      if (!rested) return
    }
  }
}
