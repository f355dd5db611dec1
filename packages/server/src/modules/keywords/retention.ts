/** What is kept of the posts that searches have met: that they were met, and what was decided, for ever; why, for a while. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { batchOf, type PurgeTeam } from '../../platform/retention.ts'

/** Empties the reasons of decisions from before (index `keyword_post_reason_age`); the decisions stand, and no AI is asked again. */
export const purgeVerdicts: PurgeTeam = async (tx, { teamId, before, limit }) => {
  const { numAffectedRows } = await sql`
    update keyword_post k set reason = null from (
      select source_id, post_urn from keyword_post
      where team_id = ${teamId} and decided_at < ${before} and reason is not null and not awaits_ai
      order by decided_at limit ${limit} for update skip locked) old
    where k.team_id = ${teamId} and k.source_id = old.source_id and k.post_urn = old.post_urn`.execute(tx.db)
  return batchOf(Number(numAffectedRows ?? 0), limit)
}

/** Those of these posts that a search has kept or has not decided on, which its list shows with what they say. */
export async function listKeptPosts(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ urn: string }>`
    select asked.urn from unnest(${[...urns]}::text[]) as asked (urn)
    where exists (select 1 from keyword_post
      where team_id = ${teamId} and post_urn = asked.urn and outcome is distinct from 'discarded')`.execute(db)
  return new Set(rows.map((row) => row.urn))
}
