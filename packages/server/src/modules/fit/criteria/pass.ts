/**
 * Judging existing leads again after criteria were saved (G56), a batch a unit of work, in the order they were stored.
 *
 *   saved --few leads: the request itself, batch by batch, under a lease--> done: the request answers
 *     |-- many leads: the request answers --a lane, a batch a turn--> done
 *     |-- the request or its process dies --> the lease runs out --> a lane goes on from the cursor --> done
 *     `-- saved again meanwhile --> from the beginning, by the newest criteria
 *
 * Readers wait for nobody: what the criteria have not reached yet is judged by them as it is read (`leadVerdicts`). A lead that is
 * enriched meanwhile is judged in that unit of work.
 */
import type { SystemClock } from '../../../platform/clock.ts'
import type { Tx, UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import type { FaultPointHook } from '../../../platform/faults.ts'
import { defineWork, leaseOf } from '../../../platform/work/index.ts'
import { compileForLeads } from '../filter-sql.ts'
import { judgeNext, type LeadsOf } from '../../leads/index.ts'
import {
  claimRescore,
  findCriteria,
  lockRescore,
  recordUnexpectedOfRescore,
  releaseRescore,
  rescoreRows,
  saveRescore,
} from './store.ts'

/** What re-scoring works with. `batch` and `small` replace the number of leads of one unit of work and of one request, in tests. */
export type RescoreDeps = {
  readonly unitOfWork: UnitOfWork
  readonly system: SystemClock
  readonly faultPoint: FaultPointHook
  /** Id of this process, for leases. */
  readonly owner: string
  readonly batch?: number
  readonly small?: number
}

/** How long a request may be silent before somebody else goes on, in system time; a batch takes a fraction of that. */
export const rescoreLeaseMs = 15_000

const defaultBatch = 5_000

/** A request judges the leads of an owner that has at most so many; those of others are judged in the background. */
export const smallRescore = 5_000

async function judgeBatch(
  deps: RescoreDeps,
  tx: Tx,
  { owner, leased }: { readonly owner: LeadsOf; readonly leased: boolean },
): Promise<{ done: boolean; judged: number; seen: number }> {
  const rescore = await lockRescore(tx, owner)
  if (!rescore || rescore.done) return { done: true, judged: rescore?.judged ?? 0, seen: 0 }
  const limit = deps.batch ?? defaultBatch
  const { rules, matchMode } = await findCriteria(tx.db, owner)
  const { seen, judged, cursor } = await judgeNext(tx, owner, {
    condition: compileForLeads(rules, matchMode),
    after: rescore.cursor,
    limit,
  })
  const next = { cursor, judged: rescore.judged + judged, done: seen < limit }
  await saveRescore(tx, owner, { ...next, leaseUntilMs: leased ? deps.system.nowMs() + rescoreLeaseMs : null })
  await deps.faultPoint('rescore.batch')
  return { ...next, seen }
}

/**
 * Judges the leads of an owner with few of them, whose criteria were just saved; answers how many, and whether those were all: what
 * comes in meanwhile may be left to the background. When it fails, a lane goes on at once.
 */
export async function rescoreNow(deps: RescoreDeps, owner: LeadsOf): Promise<{ judged: number; done: boolean }> {
  const most = 2 * (deps.small ?? smallRescore)
  try {
    for (let looked = 0; ; ) {
      const { done, judged, seen } = await deps.unitOfWork((tx) => judgeBatch(deps, tx, { owner, leased: true }))
      looked += seen
      if (!done && looked < most) continue
      if (!done) await deps.unitOfWork((tx) => releaseRescore(tx, owner))
      return { judged, done }
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
      await judgeBatch(deps, tx, { owner, leased: false })
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
