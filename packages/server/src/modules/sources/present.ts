import type { Answer, OperationOf } from '@les/contract'
import { captureStoppedBy, isFinal, lastRunStoppedBy, shownState, topStoppedBy } from './rules/status.ts'
import type { Run } from './runs/run.ts'
import type { Source } from './source.ts'

type SyncStatus = Answer<OperationOf<'getSourceSync'>>
type SourceResource = Answer<OperationOf<'listSources'>>['sources'][number]

/** A source's sync status: progress of the current run, outcome of the last finished one (G131). */
export function presentStatus(source: Source, runs: { current: Run | null; finished: Run | null }): SyncStatus {
  const { current, finished } = runs
  const { leadsPending: pending, leadsCompleted: completed, leadsFailed: failed, leadsSkipped: skipped } = source
  return {
    syncId: current?.id ?? null,
    sourceId: source.id,
    type: source.type,
    username: source.username,
    state: shownState(current?.state ?? null, pending, source.status === 'inactive' && skipped > 0),
    isFinal: isFinal(current?.state ?? null, pending),
    progress: {
      postsTotal: current?.postsTotal ?? 0,
      postsProcessed: current?.postsProcessed ?? 0,
      leadsCaptured: current?.leadRows ?? 0,
      leadsTotal: source.leadRows,
      leadsEnriched: completed,
    },
    capture: {
      stoppedBy:
        finished &&
        (captureStoppedBy(source.type, finished.state, finished.stoppedBy) as SyncStatus['capture']['stoppedBy']),
      creditsSpent: finished?.creditsSpent ?? null,
      leadRowsCaptured: finished?.leadRows ?? null,
      coverage: finished && { declared: finished.declared, captured: finished.heldRows },
    },
    enrichment: { pending, completed, failed, skipped },
    // The only reason there is (TRK-33).
    ...(skipped > 0 ? { skippedReason: 'source_untracked' } : {}),
    stoppedBy: finished && topStoppedBy(source.type, finished.state, finished.stoppedBy),
    errorCode: finished?.errorCode ?? null,
    error: finished?.errorText ?? null,
    startedAt: current?.startedAt ?? null,
    finishedAt: finished?.finishedAt ?? null,
    nextSyncAt: source.nextSyncAt,
  }
}

/** What a keyword run has read (KRN-09, C25). */
const presentSearchRun = (run: Run) => ({
  postsScanned: run.postsScanned,
  postsKept: run.postsKept,
  discardedByExpression: run.discardedByExpression,
  postsFilteredOut: run.discardedByExpression,
  postAuthorsCaptured: run.authorsCaptured,
  companyAuthorsSkipped: run.companyAuthors,
  engagersSeen: run.engagersSeen,
  providerPageLimitReached: run.pageLimited,
  ...(run.unapplied.length === 0 ? {} : { unappliedFilters: [...run.unapplied] }),
})

/** A source as lists show it. */
export function presentSource(source: Source, lastRun: Run | undefined): SourceResource {
  const { settings } = source
  return {
    id: source.id,
    sourceId: source.id,
    type: source.type,
    username: source.username,
    status: source.status,
    ...settings,
    ...(source.postUrl === null ? {} : { postUrl: source.postUrl }),
    nextSyncAt: source.nextSyncAt,
    createdAt: source.createdAt,
    ...(lastRun?.finishedAt
      ? {
          lastRun: {
            stoppedBy: lastRunStoppedBy(source.type, lastRun),
            errorCode: lastRun.errorCode,
            creditsSpent: lastRun.creditsSpent,
            finishedAt: lastRun.finishedAt,
            ...(source.type === 'keyword' ? presentSearchRun(lastRun) : {}),
            ...(settings.mode === 'posts_only' ? { postsFetched: lastRun.postsFetched } : {}),
          },
        }
      : {}),
  }
}
