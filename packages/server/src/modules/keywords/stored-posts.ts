/** SQL that reads posts that are stored, to try a search out on (`try-out.ts`). */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'

/** A stored post; `before` is how the search that was named has judged it. */
export type StoredPost = {
  urn: string
  url: string
  text: string | null
  author: string | null
  headline: string | null
  postedAt: Date | null
  /** Reactions and comments that it declares. */
  engagement: number
  before: 'kept' | 'discarded' | null
}

const columns = sql`p.urn, p.url, p.text, p.author_name as author, p.author_headline as headline,
  p.posted_at as "postedAt",
  coalesce(p.total_reaction_count, 0) + coalesce(p.comments_count, 0) as engagement`

/** The newest posts that a team has met, whichever way; with a search, also how that has judged them. */
export async function listNewestPosts(
  db: Reader,
  { teamId, sourceId, limit }: { readonly teamId: string; readonly sourceId: string | null; readonly limit: number },
): Promise<StoredPost[]> {
  const { rows } = await sql<StoredPost>`
    select ${columns}, k.outcome as before
    from (select * from post where team_id = ${teamId} order by first_seen_at desc, urn desc limit ${limit}) p
    left join keyword_post k on k.team_id = p.team_id and k.post_urn = p.urn and k.source_id = ${sourceId}::uuid
    order by p.first_seen_at desc, p.urn desc`.execute(db)
  return rows
}

/** The posts that a search has judged, the last decision first. */
export async function listJudgedPosts(
  db: Reader,
  { teamId, sourceId, limit }: { readonly teamId: string; readonly sourceId: string; readonly limit: number },
): Promise<StoredPost[]> {
  const { rows } = await sql<StoredPost>`
    select ${columns}, k.outcome as before
    from (select post_urn, outcome, decided_at from keyword_post
      where team_id = ${teamId} and source_id = ${sourceId} and outcome is not null
      order by decided_at desc, post_urn desc limit ${limit}) k
    join post p on p.team_id = ${teamId} and p.urn = k.post_urn order by k.decided_at desc, k.post_urn desc`.execute(db)
  return rows
}
