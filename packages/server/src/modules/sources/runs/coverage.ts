import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'

/** Rows that the source of run `y` holds for post `p`. Two key ranges in one condition would read all of its leads. */
const rowsHeld = (kind: 'reaction' | 'comment') => {
  const prefix = sql.lit(`${kind}:`)
  return sql`(select count(*) from lead l where l.team_id = p.team_id and l.owner_id = y.source_id
    and l.engagement_key >= ${prefix} || p.post_urn || ':' and l.engagement_key < ${prefix} || p.post_urn || ';')`
}

/** Writes `post_coverage` when a run ends, with what held posts back. Returns the engagement rows held of all posts. */
export async function saveCoverage(
  tx: Tx,
  run: { readonly teamId: string; readonly id: string },
  { state }: { state: 'captured' | 'failed' | 'untracked' },
): Promise<number> {
  const unfinished = { captured: 'credits', failed: 'provider_limit', untracked: null }[state]
  const { rows } = await sql<{ captured: number }>`
    insert into post_coverage (team_id, source_id, post_urn, declared, captured, held_back_by)
    select p.team_id, y.source_id, p.post_urn, p.declared, ${rowsHeld('reaction')} + ${rowsHeld('comment')},
      case when p.phase = 'done' then p.held_back_by else ${unfinished}::text end
    from sync_post p join sync y on y.team_id = p.team_id and y.id = p.sync_id
    where p.team_id = ${run.teamId} and p.sync_id = ${run.id} order by p.post_urn
    on conflict (team_id, source_id, post_urn) do update
    set declared = excluded.declared, captured = excluded.captured, held_back_by = excluded.held_back_by
    returning captured`.execute(tx.db)
  return rows.reduce((sum, { captured }) => sum + captured, 0)
}
