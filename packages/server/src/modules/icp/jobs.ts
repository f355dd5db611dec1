/**
 * Judging existing leads again after criteria were saved (G56), a batch a unit of work, in the order they were stored.
 *
 *   saved --the request itself, batch by batch, under a lease--> done: the request answers
 *     |-- the request or its process dies --> the lease runs out --the clock's sweep--> anybody goes on from the cursor --> done
 *     `-- saved again meanwhile --> from the beginning, by the newest criteria
 *
 * Readers see old or new per lead and wait for nobody. A lead that is enriched meanwhile is judged in that unit of work.
 */
import type { SystemClock } from '../../platform/clock.ts'
import type { Tx, UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../platform/faults.ts'
import { defineWork, leaseOf } from '../../platform/work/index.ts'
import { compileForLeads } from '../filters/index.ts'
import { judgeNext, type LeadsOf } from '../leads/index.ts'
import {
  claimRescore,
  findCriteria,
  lockRescore,
  recordUnexpectedOfRescore,
  releaseRescore,
  rescoreRows,
  saveRescore,
} from './store.ts'

/** What re-scoring works with. `batch` replaces the number of leads of one unit of work, in tests. */
export type RescoreDeps = {
  readonly unitOfWork: UnitOfWork
  readonly system: SystemClock
  readonly faultPoint: FaultPointHook
  /** Id of this process, for leases. */
  readonly owner: string
  readonly batch?: number
}

/** How long a request may be silent before somebody else goes on, in system time; a batch takes a fraction of that. */
export const rescoreLeaseMs = 15_000

const defaultBatch = 5_000

async function judgeBatch(
  deps: RescoreDeps,
  tx: Tx,
  owner: LeadsOf,
  leased: boolean,
): Promise<{ done: boolean; judged: number }> {
  const rescore = await lockRescore(tx, owner)
  if (!rescore || rescore.done) return { done: true, judged: rescore?.judged ?? 0 }
  const limit = deps.batch ?? defaultBatch
  const { rules, matchMode } = await findCriteria(tx.db, owner)
  const { seen, judged, cursor } = await judgeNext(tx, owner, compileForLeads(rules, matchMode), rescore.cursor, limit)
  const next = { cursor, judged: rescore.judged + judged, done: seen < limit }
  await saveRescore(tx, owner, next, leased ? deps.system.nowMs() + rescoreLeaseMs : null)
  await deps.faultPoint('rescore.batch')
  return next
}

/** Judges all leads of an owner whose criteria were just saved; answers how many. When it fails, the sweep goes on at once. */
export async function rescoreAll(deps: RescoreDeps, owner: LeadsOf): Promise<number> {
  try {
    for (;;) {
      const { done, judged } = await deps.unitOfWork((tx) => judgeBatch(deps, tx, owner, true))
      if (done) return judged
    }
  } catch (error) {
    await deps.unitOfWork((tx) => releaseRescore(tx, owner)).catch(() => {})
    throw error
  }
}

/** One batch of a re-scoring that was left behind; `idle` when there is none. */
export function rescoreStep(deps: RescoreDeps): () => Promise<'worked' | 'idle'> {
  return () =>
    deps.unitOfWork(async (tx) => {
      const owner = await claimRescore(tx, leaseOf(deps.owner, deps.system.nowMs()))
      if (!owner) return 'idle'
      await judgeBatch(deps, tx, owner, false)
      return 'worked'
    })
}

/** Re-scoring, as work. */
export const rescoreWork = defineWork({
  kind: 'rescore',
  rows: [rescoreRows],
  step: rescoreStep,
  unexpected: { rescore: recordUnexpectedOfRescore },
})
