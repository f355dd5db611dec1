/** Handlers of sources: sync status, sync now, untracking (specification «Tracked person and company sources»). */
import type { Handlers, ReadContext, Settled, WriteContext } from '../accounts/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { lockAccount } from '../credits/index.ts'
import { openRun, untrackByName, type EndDeliveries, type Untracked } from './actions.ts'
import { presentStatus } from './present.ts'
import { findStatusRuns } from './runs/lists.ts'
import { findSource, lockActiveSource, mustBeTracked } from './find.ts'
import type { SourceName } from './row.ts'

/** Reads of one status at most: each further one is there because a run ended during the one before. */
const mostReads = 3

async function readStatus(name: SourceName, { caller, db }: ReadContext) {
  for (let reads = 1; ; reads++) {
    const source = (await findSource(db, caller.teamId, name)) ?? refuse('not_tracked')
    const runs = await findStatusRuns(db, source)
    // The open run has ended since its source was read: the counts are older than the ending, and would be told as final.
    const isTorn = source.openSyncId !== null && runs.current !== null && runs.current.finishedAt !== null
    if (!isTorn || reads === mostReads) return presentStatus(source, runs)
  }
}

const untrackHandler =
  (type: 'person' | 'company', endDeliveries: EndDeliveries) =>
  (input: { username: string }, { caller, unitOfWork }: WriteContext<Untracked>): Promise<Settled<Untracked>> =>
    unitOfWork((tx) => untrackByName(tx, caller, { name: { type, username: input.username }, endDeliveries }))

/** Makes the handlers of this module. */
export const sourceOperations = ({
  endDeliveries,
}: {
  readonly endDeliveries: EndDeliveries
}): Handlers<
  | 'getProfileSync'
  | 'getCompanySync'
  | 'getKeywordSync'
  | 'getSourceSync'
  | 'startSourceSync'
  | 'untrackProfile'
  | 'untrackCompany'
> => ({
  getProfileSync: (input, context) => readStatus({ type: 'person', username: input.username }, context),
  getCompanySync: (input, context) => readStatus({ type: 'company', username: input.username }, context),
  getKeywordSync: (input, context) => readStatus({ id: input.id, type: 'keyword' }, context),
  getSourceSync: (input, context) => readStatus({ id: input.id }, context),
  startSourceSync: (input, { caller, unitOfWork }) =>
    unitOfWork(async (tx) => {
      await mustBeTracked(tx.db, caller.teamId, { id: input.id })
      const { balance } = await lockAccount(tx, caller.teamId)
      const source = (await lockActiveSource(tx, caller.teamId, { id: input.id })) ?? refuse('not_tracked')
      if (source.type === 'keyword') refuse('keyword_not_syncable')
      if (!caller.captureAllowed) refuse('capture_not_allowed')
      if (source.openSyncId)
        return {
          sourceId: source.id,
          syncId: source.openSyncId,
          jobId: source.openSyncId,
          queued: false,
          nextSyncAt: (source.nextSyncAt ?? tx.now).toISOString(),
        }
      if (balance <= 0)
        refuse(
          'insufficient_enriching_credits',
          { remainingBalance: balance },
          'No enriching credits left: the sync could capture nobody new',
        )
      const { syncId, nextSyncAt } = await openRun(tx, source, 'manual')
      return { sourceId: source.id, syncId, jobId: syncId, queued: true, nextSyncAt: nextSyncAt.toISOString() }
    }),
  untrackProfile: untrackHandler('person', endDeliveries),
  untrackCompany: untrackHandler('company', endDeliveries),
})
