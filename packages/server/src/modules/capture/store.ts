/** SQL of `source_post` (posts a watch has found, kept for ever) and `keyword_spend` (searches' credits by team and UTC day). */
import { sql } from 'kysely'
import { queryColumn, queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { batchOf, type PurgeTeam } from '../../platform/retention.ts'

/** Which of these posts a watch has stored already. */
export async function listStoredPosts(
  db: Reader,
  { teamId, sourceId, urns }: { teamId: string; sourceId: string; urns: readonly string[] },
): Promise<Set<string>> {
  const stored = await queryColumn<string>(db)`
    select post_urn as urn from source_post where team_id = ${teamId} and source_id = ${sourceId} and post_urn = any(${urns})`
  return new Set(stored)
}

/** Stores posts that are new to a watch. */
export async function insertSourcePosts(
  tx: Tx,
  run: { teamId: string; sourceId: string; id: string },
  urns: readonly string[],
): Promise<void> {
  if (urns.length === 0) return
  await sql`insert into source_post (team_id, source_id, post_urn, sync_id, created_at)
    select ${run.teamId}, ${run.sourceId}, urn, ${run.id}, ${tx.now} from unnest(${urns}::text[]) as urn`.execute(tx.db)
}

export async function listWatchedPosts(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ urn: string }>`
    select asked.urn from unnest(${[...urns]}::text[]) as asked (urn)
    where exists (select 1 from source_post where team_id = ${teamId} and post_urn = asked.urn)`.execute(db)
  return new Set(rows.map((row) => row.urn))
}

const day = (now: Date): string => now.toISOString().slice(0, 10)

/** Credits that a team's keyword searches have spent this UTC day (G76). */
export const findSpend = async (db: Reader, teamId: string, now: Date): Promise<number> =>
  (await queryValue<number>(db)`
    select credits from keyword_spend where team_id = ${teamId} and day = ${day(now)}::date`) ?? 0

/** Adds to what a team's keyword searches have spent today. */
export async function addSpend(tx: Tx, teamId: string, credits: number): Promise<void> {
  await sql`
    insert into keyword_spend as s (team_id, day, credits) values (${teamId}, ${day(tx.now)}::date, ${credits})
    on conflict (team_id, day) do update set credits = s.credits + excluded.credits`.execute(tx.db)
}

/** Deletes the sums of earlier days; the ledger has every charge. */
export const purgeSpend: PurgeTeam = async (tx, { teamId, before, limit }) => {
  const { numAffectedRows } = await sql`delete from keyword_spend
      where team_id = ${teamId} and day < ${day(before)}::date`.execute(tx.db)
  return batchOf(Number(numAffectedRows ?? 0), limit)
}
