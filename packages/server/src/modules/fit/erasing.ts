import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'

/** Waits for units that are judging people, which may have read the person already; later ones find no leads of them. */
export async function lockRankings(tx: Tx, teamId: string): Promise<void> {
  await sql`select 1 from agent_ranking where team_id = ${teamId} order by agent_id for update`.execute(tx.db)
}

/** Deletes what agents keep about people: judgements and authorship of posts. Answers how many judgements. */
export async function eraseScores(tx: Tx, teamId: string, urns: readonly string[]): Promise<number> {
  const named = [...urns]
  const { numAffectedRows } = await sql`
    delete from agent_person where team_id = ${teamId} and person_urn = any(${named}::text[])`.execute(tx.db)
  await sql`update agent_post set author_urn = null, headline_topic = null
    where team_id = ${teamId} and author_urn = any(${named}::text[])`.execute(tx.db)
  // A cursor on an erased person moves back to the person judged before, so that no member id of theirs remains.
  await sql`update agent_ranking r set cursor_urn = (select max(p.person_urn) from agent_person p
      where p.team_id = r.team_id and p.agent_id = r.agent_id and p.person_urn < r.cursor_urn)
    where team_id = ${teamId} and cursor_urn = any(${named}::text[])`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}
