/**
 * Delivering what waits for a destination: one destination, at most one batch of its adapter, and no other process beside it.
 *
 *   waiting --claimed, still allowed, changed--> begun --the platform answers for it--> delivered | refused
 *      |-- excluded by now --> excluded          |-- later, or not asked --> waiting again, no try used up
 *      |                                         |-- somebody is excluded before they are written --> who is not waits again
 *      |-- as it was written last --> unchanged  |-- the answer is lost, or this process dies --> found begun by the next claim:
 *      `-- not allowed any more --> gone              sent again where that cannot do anything twice; else looked up on the
 *                                                     platform: there -> delivered, not there -> sent, cannot be asked -> unknown
 *   a destination: refused credentials, a missing scope or set-up, no plan --> paused, what waits stays, in order
 *                  the day's quota --> paused until then;  too many calls, no answer --> everything a little later
 */
import {
  claimOne,
  defineWork,
  leaseMs,
  leaseOf,
  lockLeased,
  noteTaskContext,
  renewLeases,
  rescheduleForEver,
} from '../../../platform/work/index.ts'
import { addLogContext } from '../../../platform/log-context.ts'
import { DestinationFailure, isRead, type AdapterParts } from '../../../providers/destinations/port.ts'
import { findExcludedOrGone } from '../../leads/index.ts'
import { begin, nameOf, type Leased, type Ready } from './batch.ts'
import { closeDays } from './days.ts'
import { openConnection, type DestinationDeps } from './deps.ts'
import { record } from './record.ts'
import { sendBatch } from './send.ts'
import { readStagePage, type StagePage } from './stages.ts'
import { destinationRows, findDestination, type Destination, type Session } from './store.ts'

/** Delivers a batch of the destination that waits longest; `idle` when none is due. */
function destinationStep(deps: DestinationDeps): () => Promise<'worked' | 'idle'> {
  return async () => {
    const claimed = await deps.unitOfWork(async (tx) => {
      const row = await claimOne<{ team_id: string; id: string; fence: number; unexpected_failures: number }>(
        tx,
        destinationRows,
        leaseOf(deps.processId, deps.system.nowMs()),
      )
      if (!row) return undefined
      addLogContext({ teamId: row.team_id, destinationId: row.id })
      noteTaskContext(tx, destinationRows, row)
      const destination = await findDestination(tx.db, row.team_id, row.id)
      return { leased: { destination: destination!, fence: row.fence }, now: tx.now }
    })
    if (!claimed) return 'idle'
    const { leased, now } = claimed
    const { destination } = leased
    const adapter = deps.adapterOf(destination.kind)!
    const connection = await openConnection(deps, destination, adapter)
    // Deleted meanwhile.
    if (!connection) return 'worked'
    const exclusions = exclusionKeeper(deps, destination, now)
    const begun = await begin(deps, leased, { adapter, connection })
    if (!begun) return 'worked'
    const startedMs = deps.system.nowMs()
    const all = [...begun.ready, ...begun.lost]
    const day = (all[0]?.waiting.begunAt ?? now).toISOString().slice(0, 10)
    let calls = 0
    const made = deps.callsOf(destination, now)
    const keepLease = leaseKeeper(deps, leased)
    const beforeRecord = () => exclusions.keep(all)
    let isWriting = false
    const call: AdapterParts['call'] = async (request) => {
      // What has begun to be written is brought to its end: the platform has the people.
      if (!isWriting) await beforeRecord()
      isWriting ||= !isRead(request)
      calls += 1
      await keepLease()
      return made.call(request)
    }
    const session = { destination, adapter, connection, parts: { ...made, call, beforeRecord, day } }
    const answered = await sendBatch(session, begun)
    const isStopped = exclusions.isStopped()
    // That is no failure of the platform.
    const delivered = isStopped ? { ...answered, failure: null } : answered
    const { page, failure } = all.length > 0 ? { page: null, failure: null } : await readStages(deps, session)
    const sent = failure ? { ...delivered, failure } : delivered
    const closing = sent.failure === null && !isStopped ? await closeDays(deps, session) : null
    await deps.faultPoint('destination.sent')
    const tookMs = deps.system.nowMs() - startedMs
    await record(deps, { leased, adapter, begun: all, sent, tookMs, calls, day, closing, page })
    return 'worked'
  }
}

/** The next page of stages, when nothing waits; a platform that fails is asked later, as with deliveries. */
async function readStages(
  deps: DestinationDeps,
  session: Session,
): Promise<{ page: StagePage | null; failure: DestinationFailure | null }> {
  try {
    return { page: await readStagePage(deps.db, session), failure: null }
  } catch (error) {
    if (!(error instanceof DestinationFailure)) throw error
    return { page: null, failure: error }
  }
}

/** Asked before every call: a batch of many slow calls outlasts a lease, and nobody else may send it meanwhile. */
function leaseKeeper(deps: DestinationDeps, leased: Leased): () => Promise<void> {
  let renewedMs = deps.system.nowMs()
  return async () => {
    const nowMs = deps.system.nowMs()
    if (nowMs - renewedMs < leaseMs / 4) return
    renewedMs = nowMs
    await deps.unitOfWork(async (tx) => {
      if (!(await lockLeased(tx, destinationRows, nameOf(leased))))
        throw new DestinationFailure('unavailable', 'Another process has taken over.')
      await renewLeases(tx, destinationRows, [nameOf(leased)], nowMs + leaseMs)
    })
  }
}

/**
 * Asked before a batch, or a record, is written: when somebody of the batch is excluded or gone by now, all of it is judged anew. The rows
 * say so: a message of another process may be late, or lost with that process. They are asked in a unit of work, which ends in vain once
 * the team is in another shard: who is excluded there is not known here.
 */
function exclusionKeeper(
  { unitOfWork }: DestinationDeps,
  { teamId }: Destination,
  now: Date,
): { readonly keep: (begun: readonly Ready[]) => Promise<void>; readonly isStopped: () => boolean } {
  let isStopped = false
  const keep = async (begun: readonly Ready[]): Promise<void> => {
    const leadIds = begun.map(({ waiting }) => waiting.leadId)
    isStopped ||= (await unitOfWork((tx) => findExcludedOrGone(tx.db, teamId, leadIds))).size > 0
    if (isStopped) throw new DestinationFailure('unavailable', 'Somebody of the batch is excluded.', { retryAt: now })
  }
  return { keep, isStopped: () => isStopped }
}

/** Destinations, as work. */
export const destinationWork = defineWork({
  kind: 'destination',
  rows: [destinationRows],
  step: destinationStep,
  // What waits stays, however often it fails.
  unexpected: { destination: (tx, work, dueAt) => rescheduleForEver(tx, destinationRows, work, dueAt) },
})
