/** What is kept of a sweep: the posts that a watch has met, for ever; what keyword searches spent in a day, while it may be asked. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { batchOf, type PurgeTeam } from '../../platform/retention.ts'

/** Deletes the sums of days before; the ledger has every charge. */
export const purgeSpend: PurgeTeam = async (tx, { teamId, before, limit }) => {
  const { numAffectedRows } = await sql`delete from keyword_spend
      where team_id = ${teamId} and day < ${before.toISOString().slice(0, 10)}::date`.execute(tx.db)
  return batchOf(Number(numAffectedRows ?? 0), limit)
}

/** Those of these posts that a watch lists. */
export async function listWatchedPosts(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ urn: string }>`
    select asked.urn from unnest(${[...urns]}::text[]) as asked (urn)
    where exists (select 1 from source_post where team_id = ${teamId} and post_urn = asked.urn)`.execute(db)
  return new Set(rows.map((row) => row.urn))
}
