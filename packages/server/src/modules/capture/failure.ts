/** What becomes of a run whose vendor failed. */
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { describeFailure, type ProviderFailure } from '../../providers/ports.ts'
import {
  releaseRun,
  keepAlone,
  listCurrentPosts,
  lockRun,
  saveCheckpoint,
  savePostponed,
  type Run,
  type RunPost,
  goneText,
  lockSource,
  type Source,
} from '../sources/index.ts'
import { endRun } from './ending.ts'
import { placeWithout } from './rules/next-step.ts'
import { retryAt, triedEnough } from './rules/retry.ts'

/** What a vendor failed, and the posts whose pages were asked for; none where it was not about posts. */
type Failed = { readonly failure: ProviderFailure; readonly posts: readonly RunPost[] }

/**
 * Records a failure of a locked run. Posts whose pages it was about come last from then on: no other post waits for what a vendor cannot
 * show of them. One whose answers stay unreadable, while those about others could be read, is left out.
 */
export async function recordFailure(
  tx: Tx,
  { run, source }: { readonly run: Run; readonly source: Source },
  { failure, posts }: Failed,
): Promise<void> {
  if (posts.length > 0) await keepAlone(tx, run, posts)
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

/** When the page is asked for again; null when the network no longer has what it names, or has failed too often. */
function dueAgain(run: Run, { kind, held, retryAfterMs }: ProviderFailure, now: Date): Date | null {
  if (held) return held.until
  if (kind === 'not_found' || (kind === 'malformed' && triedEnough(run, now))) return null
  return retryAt(run.attempts, now, retryAfterMs)
}

/** Goes on without what a vendor shows of posts and nobody can read. */
async function leaveOut(tx: Tx, run: Run, posts: readonly RunPost[]): Promise<void> {
  const moved = posts.map((post) => ({ ...post, ...placeWithout(post), seen: 0, pageRest: null }))
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

/** Records a failure of a run that was claimed, if it is still ours. */
export async function failOrPostpone(tx: Tx, claimed: Run, failed: Failed): Promise<void> {
  const source = await lockSource(tx, claimed.teamId, { id: claimed.sourceId })
  const run = await lockRun(tx, claimed)
  if (source && run) await recordFailure(tx, { run, source }, failed)
}
