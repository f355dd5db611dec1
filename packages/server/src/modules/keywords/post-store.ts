/** SQL of the posts a search has seen: `keyword_post` is written here and nowhere else. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { KnownPost } from './rules/judge-post.ts'

type OfRun = { readonly teamId: string; readonly sourceId: string; readonly id: string }

/** What is known of posts from this run and earlier ones, by URN. */
export async function listSeen(
  db: Reader,
  run: OfRun,
  urns: readonly string[],
): Promise<Map<string, KnownPost & { readonly syncId: string }>> {
  if (urns.length === 0) return new Map()
  const { rows } = await sql<KnownPost & { urn: string; syncId: string }>`
    select k.post_urn as urn, k.sync_id as "syncId", k.outcome, k.reason, encode(k.filter, 'hex') as filter
    from unnest(${urns}::text[]) as asked(urn)
    cross join lateral (select * from keyword_post
      where team_id = ${run.teamId} and source_id = ${run.sourceId} and post_urn = asked.urn limit 1) k`.execute(db)
  return new Map(rows.map(({ urn, ...seen }) => [urn, seen]))
}

/** A post that a run has met: decided, or waiting for the AI (`outcome` null). `filter` names the AI filter behind the decision. */
export type JudgedPost = {
  readonly urn: string
  readonly position: number
  readonly outcome: 'kept' | 'discarded' | null
  readonly reason: string | null
  readonly filter: string | null
}

/**
 * Writes what became of posts; one that waits keeps the decision of an earlier run until it has a new one. A decision
 * that is the same again keeps its time.
 */
export async function saveJudgedPosts(tx: Tx, run: OfRun, posts: readonly JudgedPost[]): Promise<void> {
  if (posts.length === 0) return
  const rows = [...posts].sort((a, b) => (a.urn < b.urn ? -1 : 1))
  await sql`
    insert into keyword_post (team_id, source_id, post_urn, sync_id, position, awaits_ai, outcome, reason, filter,
        decided_at)
    select ${run.teamId}, ${run.sourceId}, r.urn, ${run.id}, r.position, r.outcome is null, r.outcome, r.reason,
      decode(r.filter, 'hex'), case when r.outcome is not null then ${tx.now}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(urn text, position integer, outcome text, reason text,
        filter text)
    on conflict (team_id, source_id, post_urn)
    do update set sync_id = excluded.sync_id, position = excluded.position, awaits_ai = excluded.awaits_ai,
      outcome = coalesce(excluded.outcome, keyword_post.outcome),
      reason = case when excluded.outcome is null then keyword_post.reason else excluded.reason end,
      filter = case when excluded.outcome is null then keyword_post.filter else excluded.filter end,
      decided_at = case when excluded.outcome is null or (excluded.outcome, excluded.reason,
          excluded.filter) is not distinct from (keyword_post.outcome, keyword_post.reason, keyword_post.filter)
        then keyword_post.decided_at else excluded.decided_at end`.execute(tx.db)
}

/** The posts of a run that wait for the AI, in the order they were found, `limit` at most. */
export async function listWaiting(db: Reader, run: OfRun, limit: number): Promise<string[]> {
  const { rows } = await sql<{
    urn: string
  }>`select post_urn as urn from keyword_post where team_id = ${run.teamId} and sync_id = ${run.id} and awaits_ai
    order by position limit ${limit}`.execute(db)
  return rows.map((row) => row.urn)
}

/** Writes the verdicts of the AI; `filter` names the one that judged, null when no verdict could be read. */
export async function saveVerdicts(
  tx: Tx,
  run: OfRun,
  verdicts: readonly {
    readonly urn: string
    readonly outcome: 'kept' | 'discarded'
    readonly reason: string | null
    readonly filter: string | null
  }[],
): Promise<void> {
  await sql`
    update keyword_post
    set awaits_ai = false, outcome = r.outcome, reason = r.reason, filter = decode(r.filter, 'hex'),
      decided_at = ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) as r(urn text, outcome text, reason text, filter text)
    where keyword_post.team_id = ${run.teamId} and keyword_post.source_id = ${run.sourceId}
      and keyword_post.post_urn = r.urn and keyword_post.sync_id = ${run.id}`.execute(tx.db)
}
