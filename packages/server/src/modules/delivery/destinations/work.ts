/**
 * Delivers what waits for a destination: one batch of its adapter per step, and one process per destination at a time.
 *
 *   waiting --claimed, allowed, changed--> begun --the platform confirms or rejects it--> delivered | refused
 *      |-- person excluded ----> excluded    |-- platform says later, or was not called --> waiting, attempt not counted
 *      |-- same as last time --> unchanged   |-- somebody in the batch is excluded before the write --> the others wait again
 *      `-- not allowed --------> deleted     `-- answer lost, or the process died --> begun, found by the next claim: repeated
 *                                                if that is harmless, else looked up on the platform:
 *                                                found -> delivered, not found -> sent, cannot be asked -> unknown
 *   destination: credentials refused, scope or set-up missing, no plan --> paused, deliveries wait in order
 *                daily quota used up --> paused until it renews;  too many calls, no answer --> retried a little later
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
    if (!connection) return 'worked'
    const exclusions = exclusionCheck(deps, destination, now)
    const begun = await begin(deps, leased, { adapter, connection })
    if (!begun) return 'worked'
    const startedMs = deps.system.nowMs()
    const all = [...begun.ready, ...begun.unconfirmed]
    const day = (all[0]?.waiting.begunAt ?? now).toISOString().slice(0, 10)
    let calls = 0
    const made = deps.callsOf(destination, now)
    const keepLease = leaseKeeper(deps, leased)
    const beforeRecord = () => exclusions.stopIfExcluded(all)
    let isWriting = false
    const call: AdapterParts['call'] = async (request) => {
      // Once a write has begun the batch is finished: the platform already has the people.
      if (!isWriting) await beforeRecord()
      isWriting ||= !isRead(request)
      calls += 1
      await keepLease()
      return made.call(request)
    }
    const parts = { ...made, call, day }
    const session = { destination, adapter, connection, parts }
    const answered = await sendBatch({ ...session, parts: { ...parts, beforeRecord } }, begun)
    const isStopped = exclusions.isStopped()
    // A stop because somebody was excluded is no failure of the platform.
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

/** Renews the lease before calls: a batch of many slow calls outlasts one lease. */
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
 * Asked before each call until the first write, and before each record: if anybody of the batch was excluded or deleted, the
 * whole batch is judged again. It reads the rows, since messages may be late, in a unit of work, which fails if the team and its
 * exclusions moved to another shard.
 */
function exclusionCheck(
  { unitOfWork }: DestinationDeps,
  { teamId }: Destination,
  now: Date,
): { readonly stopIfExcluded: (begun: readonly Ready[]) => Promise<void>; readonly isStopped: () => boolean } {
  let isStopped = false
  const stopIfExcluded = async (begun: readonly Ready[]): Promise<void> => {
    const leadIds = begun.map(({ waiting }) => waiting.leadId)
    isStopped ||= (await unitOfWork((tx) => findExcludedOrGone(tx.db, teamId, leadIds))).size > 0
    if (isStopped) throw new DestinationFailure('unavailable', 'Somebody of the batch is excluded.', { retryAt: now })
  }
  return { stopIfExcluded, isStopped: () => isStopped }
}

export const destinationWork = defineWork({
  kind: 'destination',
  rows: [destinationRows],
  step: destinationStep,
  // Deliveries wait for ever, however often the step fails.
  unexpected: { destination: (tx, work, dueAt) => rescheduleForEver(tx, destinationRows, work, dueAt) },
})
