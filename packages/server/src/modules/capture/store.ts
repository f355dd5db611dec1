/** SQL of capture: `source_post` is written here and nowhere else. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'

/** Which of these posts a posts-only watch has stored already. */
export async function listStoredPosts(
  db: Reader,
  { teamId, sourceId, urns }: { readonly teamId: string; readonly sourceId: string; readonly urns: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{
    urn: string
  }>`select post_urn as urn from source_post
    where team_id = ${teamId} and source_id = ${sourceId} and post_urn = any(${urns})`.execute(db)
  return new Set(rows.map((row) => row.urn))
}

/** Stores posts that are new to a posts-only watch. */
export async function insertSourcePosts(
  tx: Tx,
  run: { teamId: string; sourceId: string; id: string },
  urns: readonly string[],
): Promise<void> {
  if (urns.length === 0) return
  await sql`insert into source_post (team_id, source_id, post_urn, sync_id, created_at)
    select ${run.teamId}, ${run.sourceId}, urn, ${run.id}, ${tx.now} from unnest(${urns}::text[]) as urn`.execute(tx.db)
}
