/**
 * SQL of notes: whom an agent is to judge again, because their leads, posts or companies have changed. `agent_ranking_due` is written
 * here and nowhere else, in the unit of work of the change. A note is named by its transaction, so that units that note the same
 * person do not wait for one another.
 */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'

const mark = sql`pg_current_xact_id()::text::bigint`

/** Notes people whose leads of a source have changed, for every agent that has the source. */
export async function notePeople(
  tx: Tx,
  teamId: string,
  people: readonly { readonly sourceId: string; readonly personUrn: string }[],
): Promise<void> {
  if (people.length === 0) return
  const result = await sql`
    insert into agent_ranking_due (team_id, agent_id, about, urn, mark)
    select distinct x.team_id, x.agent_id, 'person', changed.urn, ${mark}
    from unnest(${people.map((one) => one.sourceId)}::uuid[], ${people.map((one) => one.personUrn)}::text[])
      as changed (source_id, urn)
    join agent_source x on x.team_id = ${teamId} and x.source_id = changed.source_id
    on conflict do nothing`.execute(tx.db)
  if (Number(result.numAffectedRows ?? 0) > 0) tx.enqueue('ranking', teamId)
}

/** Notes posts whose text has changed, for every agent of the team: who engaged with them is judged again. */
export async function notePosts(tx: Tx, teamId: string, urns: readonly string[]): Promise<void> {
  if (urns.length === 0) return
  const result = await sql`
    insert into agent_ranking_due (team_id, agent_id, about, urn, mark)
    select distinct x.team_id, x.agent_id, 'post', edited.urn, ${mark}
    from unnest(${[...urns]}::text[]) as edited (urn) join agent_source x on x.team_id = ${teamId}
    on conflict do nothing`.execute(tx.db)
  if (Number(result.numAffectedRows ?? 0) > 0) tx.enqueue('ranking', teamId)
}

/** Notes people of agents, of any team; workers find those of teams that nobody has marked by themselves. */
export async function noteAgentPeople(
  tx: Tx,
  people: readonly { readonly teamId: string; readonly agentId: string; readonly urn: string }[],
): Promise<void> {
  if (people.length === 0) return
  await sql`
    insert into agent_ranking_due (team_id, agent_id, about, urn, mark)
    select distinct p."teamId", p."agentId", 'person', p.urn, ${mark}
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as p ("teamId" uuid, "agentId" uuid, urn text)
    on conflict do nothing`.execute(tx.db)
}

/**
 * Takes notes of one agent, and answers whom and which posts they are about. What they are about is read after this, so
 * that it is seen.
 */
export async function takeNotes(
  tx: Tx,
  { teamId, agentId }: { readonly teamId: string; readonly agentId: string },
  most: number,
): Promise<{ people: string[]; posts: string[] }> {
  const { rows } = await sql<{ about: 'person' | 'post'; urn: string }>`
    with noted as materialized (
      select about, urn, mark from agent_ranking_due where team_id = ${teamId} and agent_id = ${agentId}
      order by about, urn, mark limit ${most} for update skip locked)
    delete from agent_ranking_due d using noted
    where d.team_id = ${teamId} and d.agent_id = ${agentId} and d.about = noted.about and d.urn = noted.urn
      and d.mark = noted.mark
    returning d.about, d.urn`.execute(tx.db)
  const named = (about: 'person' | 'post') => [
    ...new Set(rows.filter((row) => row.about === about).map((row) => row.urn)),
  ]
  return { people: named('person'), posts: named('post') }
}
