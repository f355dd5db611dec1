/** Taking people out of what agents have judged. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'

/** Deletes agents' judgements of people; answers how many. */
export async function eraseScores(tx: Tx, teamId: string, urns: readonly string[]): Promise<number> {
  const named = [...urns]
  const { numAffectedRows } = await sql`
    delete from agent_person where team_id = ${teamId} and person_urn = any(${named}::text[])`.execute(tx.db)
  await sql`update agent_post set author_urn = null, headline_topic = null
    where team_id = ${teamId} and author_urn = any(${named}::text[])`.execute(tx.db)
  // A round that stands just at the person goes on from just before: those between are judged twice.
  await sql`update agent_ranking set cursor_urn = left(cursor_urn, -1)
    where team_id = ${teamId} and cursor_urn = any(${named}::text[])`.execute(tx.db)
  return Number(numAffectedRows ?? 0)
}
