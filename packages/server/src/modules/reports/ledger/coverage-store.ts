import { sql } from 'kysely'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import type { PostHeld } from './rules/coverage.ts'

/** A page of the posts whose engagement a source reads, newest first, with declared and captured counts, and the total. */
export async function listCoverage(
  db: Reader,
  { teamId, sourceId }: { teamId: string; sourceId: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ readonly posts: PostHeld[]; readonly total: number }> {
  const ofSource = sql`post_coverage c
    where c.team_id = ${teamId} and c.source_id = ${sourceId} and not exists (select 1 from keyword_search k
      where k.team_id = c.team_id and k.source_id = c.source_id and not k.capture_engagers)`
  const { rows } = await sql<PostHeld>`
    select coalesce(p.url, 'https://www.linkedin.com/feed/update/' || c.post_urn) as "postUrl", c.declared, c.captured,
      c.held_back_by as "heldBackBy"
    from (select * from ${ofSource}) c left join post p on p.team_id = c.team_id and p.urn = c.post_urn
    order by p.posted_at desc nulls last, c.post_urn desc limit ${limit} offset ${offset}`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`select count(*)::integer as total from ${ofSource}`.execute(db)
  return { posts: rows, total: counted[0]!.total }
}
