/** How runs end: closed and offered to the webhook in one unit of work (WHK-12; C7, G75); what happens to failed ones. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import type { Recorded, Work } from '../../platform/task-context.ts'
import { describeFailure, type ProviderFailure } from '../../providers/ports.ts'
import { offerSyncEnding } from '../delivery/index.ts'
import {
  captureStoppedBy,
  closeRun,
  emptyBalance,
  findSourceOfRun,
  goneText,
  markReadAlone,
  listCurrentPosts,
  lockRun,
  lockSource,
  releaseRun,
  saveCheckpoint,
  savePostponed,
  saveUnexpected,
  type Run,
  type RunEnding,
  type RunPost,
  type Source,
} from '../sources/index.ts'
import { placeWithout, retryAt, triedEnough } from './rules/next-step.ts'

const namesCause = ({ policy }: Run): boolean => policy.endings === 'cause'

/**
 * Ends a locked run, with its final counts, and announces it unless it was untracked. A failed keyword run reports at least
 * `error` (KRN-10).
 */
export async function endRun(tx: Tx, run: Run, ending: RunEnding): Promise<void> {
  const cause = namesCause(run)
  const stoppedBy = cause && ending.state === 'failed' ? (ending.stoppedBy ?? 'error') : ending.stoppedBy
  await closeRun(tx, run, { ...ending, stoppedBy })
  if (ending.state === 'untracked') return
  await offerSyncEnding(tx, {
    teamId: run.teamId,
    sourceId: run.sourceId,
    run: {
      syncId: run.id,
      state: ending.state === 'captured' ? 'completed' : 'failed',
      stoppedBy: cause ? stoppedBy : captureStoppedBy('person', ending.state, stoppedBy),
      creditsSpent: run.creditsSpent,
      leadRowsCaptured: run.leadRows,
      errorCode: ending.errorCode,
      errorText: ending.errorText,
    },
  })
}

/** What stops a run before everything is captured: its cap, the balance, a ceiling of the team, or a watch's limit of posts. */
export type RunStop = 'credits' | 'budget' | 'team_cap' | 'lead_cap' | 'post_limit'

/** Ends a run that was stopped. Only keyword searches show an empty balance apart from a cap (G17, G75, G115). */
export async function closeStopped(tx: Tx, run: Run, stop: RunStop): Promise<void> {
  const broke = stop === 'budget'
  // Apart from searches, only an agent's trial allowance has this ending, and it is empty then.
  const emptied = broke || (stop === 'lead_cap' && !namesCause(run))
  await endRun(tx, run, {
    state: 'captured',
    stoppedBy: broke && !namesCause(run) ? 'credits' : stop,
    errorCode: broke ? emptyBalance : null,
    errorText: broke ? 'The credit balance ran out before everything was captured' : null,
    emptied,
  })
}

type Failed = { readonly failure: ProviderFailure; readonly posts: readonly RunPost[] }

/**
 * Records a failure of a locked run. The posts it was about are then read last, so that no other post waits for them. A
 * post whose answers stay unreadable, while those about others could be read, is left out.
 */
export async function recordFailure(
  tx: Tx,
  { run, source }: { run: Run; source: Source },
  { failure, posts }: Failed,
): Promise<void> {
  if (posts.length > 0) await markReadAlone(tx, run, posts)
  const unreadable = posts.length > 0 && failure.kind === 'malformed' && !failure.held
  if (unreadable) {
    const [next] = await listCurrentPosts(tx.db, run, 1)
    if (next && !next.readAlone) return releaseRun(tx, run)
  }
  const dueAt = dueAgain(run, failure, tx.now)
  if (dueAt) return savePostponed(tx, run, { dueAt, waitsFor: failure.held?.reason ?? null })
  if (unreadable && run.postsProcessed > 0 && posts.every((post) => post.readAlone)) return leaveOut(tx, run, posts)
  const errorText = failure.kind === 'not_found' ? goneText(source) : describeFailure(failure)
  await endRun(tx, run, { state: 'failed', stoppedBy: null, errorCode: 'provider_error', errorText })
}

/** When to ask for the page again; null when the network no longer has it, or it has failed too often. */
function dueAgain(run: Run, { kind, held, retryAfterMs }: ProviderFailure, now: Date): Date | null {
  if (held) return held.until
  if (kind === 'not_found' || (kind === 'malformed' && triedEnough(run, now))) return null
  return retryAt(run.attempts, now, retryAfterMs)
}

async function leaveOut(tx: Tx, run: Run, posts: readonly RunPost[]): Promise<void> {
  const moved = posts.map((post) => ({
    ...post,
    ...placeWithout(post),
    seen: 0,
    pageRest: null,
    heldBackBy: 'provider_limit' as const,
  }))
  await saveCheckpoint(tx, {
    run,
    progress: {
      providerLimited: true,
      pageLimited: true,
      postsProcessed: run.postsProcessed + moved.filter(({ phase }) => phase === 'done').length,
    },
    posts: moved,
  })
}

/** Records a failure of a claimed run, if it is still ours. */
export async function failOrPostpone(tx: Tx, claimed: Run, failed: Failed): Promise<void> {
  const source = await lockSource(tx, claimed.teamId, { id: claimed.sourceId })
  const run = await lockRun(tx, claimed)
  if (source && run) await recordFailure(tx, { run, source }, failed)
}

/** Records an unexpected failure under the fence: rescheduled to `dueAt`, or (null) failed with `internal_error`. */
export async function recordUnexpectedOfRun(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const sourceId = await findSourceOfRun(tx.db, work)
  if (sourceId === null || !(await lockSource(tx, work.teamId, { id: sourceId }))) return 'lost'
  const run = await lockRun(tx, work)
  if (!run) return 'lost'
  if (dueAt) {
    await saveUnexpected(tx, run, dueAt)
    return 'put_off'
  }
  await endRun(tx, run, {
    state: 'failed',
    stoppedBy: null,
    errorCode: 'internal_error',
    errorText: 'The service failed at this sync, five times over',
  })
  return 'ended'
}
