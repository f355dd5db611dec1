/** SQL that reads what keyword searches have found (specification «Sources and their reads», `kept-posts`; G79). */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { postFactColumns, type PostFacts } from '../network/index.ts'

/** A post that a search has judged, with what is known about the post. */
export type FoundPostRow = PostFacts & {
  readonly outcome: 'kept' | 'discarded'
  readonly reason: string | null
  readonly decided_at: Date
}

/** A page of the posts a search has kept, newest decision first, and how many there are; with `includeSwept` also those it discarded. */
export async function listFoundPosts(
  db: Reader,
  {
    teamId,
    sourceId,
    page,
  }: {
    readonly teamId: string
    readonly sourceId: string
    readonly page: { includeSwept: boolean; limit: number; offset: number }
  },
): Promise<{ rows: FoundPostRow[]; total: number }> {
  const chosen = page.includeSwept ? sql`k.outcome is not null` : sql`k.outcome = 'kept'`
  const { rows } = await sql<FoundPostRow>`
    select k.post_urn, k.outcome, k.reason, k.decided_at, ${postFactColumns}
    from keyword_post k left join post p on p.team_id = k.team_id and p.urn = k.post_urn
    where k.team_id = ${teamId} and k.source_id = ${sourceId} and ${chosen}
    order by k.decided_at desc, k.post_urn desc limit ${page.limit} offset ${page.offset}`.execute(db)
  const counted = await sql<{
    total: number
  }>`select count(*)::bigint as total from keyword_post k
    where k.team_id = ${teamId} and k.source_id = ${sourceId} and ${chosen}`.execute(db)
  return { rows, total: counted.rows[0]!.total }
}
