/**
 * SQL of notes: whose row no longer says what the leads say. `agent_ranking_due` is written here, and by the triggers of migration 0045.
 */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import type { AgentOf } from './people-store.ts'

/**
 * Takes notes of one agent, and answers whom and which posts they are about. What they are about is read after this, so
 * that it is seen.
 */
export async function takeDue(
  tx: Tx,
  { teamId, agentId }: AgentOf,
  most: number,
): Promise<{ people: string[]; posts: string[] }> {
  const { rows } = await sql<{ about: 'person' | 'post'; urn: string }>`
    delete from agent_ranking_due d where d.ctid = any(array(
      select ctid from agent_ranking_due where team_id = ${teamId} and agent_id = ${agentId}
      order by about, urn, mark limit ${most} for update skip locked))
      and d.team_id = ${teamId}
    returning d.about, d.urn`.execute(tx.db)
  const agent = (about: 'person' | 'post') => [
    ...new Set(rows.filter((row) => row.about === about).map((row) => row.urn)),
  ]
  return { people: agent('person'), posts: agent('post') }
}

/** Notes people of an agent, as the triggers do: a unit after this one judges them. */
export async function notePeople(tx: Tx, { teamId, agentId }: AgentOf, urns: readonly string[]): Promise<void> {
  if (urns.length > 0)
    await sql`
      insert into agent_ranking_due (team_id, agent_id, about, urn, mark)
      select ${teamId}, ${agentId}, 'person', urn, pg_current_xact_id()::text::bigint
      from unnest(${[...urns]}::text[]) as noted (urn)
      on conflict (team_id, agent_id, about, urn, mark) do nothing`.execute(tx.db)
}
