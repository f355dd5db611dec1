/** SQL of what only tracked posts have: `source_alias` is written here and nowhere else. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'

/** The URN under which a team tracks, or has tracked, the post that these URNs name; those named first win. */
export async function findTrackedUrn(db: Reader, teamId: string, urns: readonly string[]): Promise<string | undefined> {
  const { rows } = await sql<{ username: string }>`
    select s.username from unnest(${urns}::text[]) with ordinality as asked(urn, position)
    left join source_alias a on a.team_id = ${teamId} and a.urn = asked.urn
    join source s on s.team_id = ${teamId} and s.type = 'post' and (s.username = asked.urn or s.id = a.source_id)
    order by s.status, asked.position limit 1`.execute(db)
  return rows[0]?.username
}

/** Writes how a tracked post was submitted and which other URNs name it. */
export async function savePostNames(
  tx: Tx,
  source: { teamId: string; id: string },
  names: { postUrl: string; aliases: readonly string[] },
): Promise<void> {
  await tx.db
    .updateTable('source')
    .set({ post_url: names.postUrl })
    .where('team_id', '=', source.teamId)
    .where('id', '=', source.id)
    .execute()
  if (names.aliases.length === 0) return
  await sql`
    insert into source_alias (team_id, urn, source_id) select ${source.teamId}, urn, ${source.id}
    from unnest(${[...names.aliases].sort()}::text[]) as urn
    on conflict (team_id, urn) do update set source_id = excluded.source_id`.execute(tx.db)
}
