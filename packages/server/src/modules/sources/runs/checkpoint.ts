/** Checkpoints of runs: what a page adds, or that it is put off. */
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import { noLease, postpone, putOff, type PutOffHow } from '../../../platform/work/index.ts'
import type { RunCursor } from './cursor.ts'
import { savingPosts, type PostProgress } from './posts.ts'
import type { WaitsFor } from './settings.ts'
import { runRows, type Run } from './rows.ts'

/** What a page adds to a run. */
export type RunProgress = Partial<
  Pick<
    Run,
    | 'cursor'
    | 'postsTotal'
    | 'postsProcessed'
    | 'leadRows'
    | 'creditsSpent'
    | 'engagersSeen'
    | 'declared'
    | 'postsFetched'
    | 'providerLimited'
    | 'lane'
    | 'postsScanned'
    | 'postsKept'
    | 'discardedByExpression'
    | 'authorsCaptured'
    | 'companyAuthors'
    | 'pageLimited'
    | 'priceLimited'
    | 'unapplied'
  >
>

/** Writes a checkpoint, with how far posts of the run have come, and releases the lease, so that other teams take their turn. */
export async function saveCheckpoint(
  tx: Tx,
  {
    run,
    progress,
    posts = [],
  }: {
    readonly run: Run
    readonly progress: RunProgress
    readonly posts?: readonly PostProgress[] | undefined
  },
): Promise<void> {
  const next = { ...run, ...progress }
  await (posts.length === 0 ? tx.db : tx.db.with('moved', () => savingPosts(run, posts)))
    .updateTable('sync')
    .set({
      cursor: JSON.stringify(next.cursor),
      posts_total: next.postsTotal,
      posts_processed: next.postsProcessed,
      lead_rows: next.leadRows,
      credits_spent: next.creditsSpent,
      engagers_seen: next.engagersSeen,
      declared: next.declared,
      posts_fetched: next.postsFetched,
      provider_limited: next.providerLimited,
      lane: next.lane,
      posts_scanned: next.postsScanned,
      posts_kept: next.postsKept,
      discarded_by_expression: next.discardedByExpression,
      authors_captured: next.authorsCaptured,
      company_authors: next.companyAuthors,
      page_limited: next.pageLimited,
      price_limited: next.priceLimited,
      waits_for: null,
      unapplied: JSON.stringify(next.unapplied),
      attempts: 0,
      unexpected_failures: 0,
      ...noLease,
    })
    .where('team_id', '=', run.teamId)
    .where('id', '=', run.id)
    .execute()
  tx.mark(next.lane, run.teamId)
}

/**
 * Puts a page off: the vendor was tried and failed, or its account is held, which does not count and is kept as what the run waits for;
 * `cursor` is what it remembers of that.
 */
export async function savePostponed(
  tx: Tx,
  run: Run,
  {
    dueAt,
    waitsFor,
    cursor = run.cursor,
  }: { readonly dueAt: Date; readonly waitsFor: WaitsFor | null; readonly cursor?: RunCursor | undefined },
): Promise<void> {
  const how: PutOffHow = waitsFor === null ? 'tried' : 'held'
  if (waitsFor !== run.waitsFor || cursor !== run.cursor)
    await tx.db
      .updateTable('sync')
      .set({ waits_for: waitsFor, cursor: JSON.stringify(cursor) })
      .where('team_id', '=', run.teamId)
      .where('id', '=', run.id)
      .execute()
  await postpone(tx, runRows[run.lane], run, dueAt, how)
}

/** Puts a locked run off after an unexpected failure. */
export const saveUnexpected = (tx: Tx, run: Run, dueAt: Date): Promise<void> =>
  putOff(tx, runRows[run.lane], run, dueAt)
