/**
 * The sources of each agent (`agent_source`), and what each agent must judge again (`agent_ranking_due`); the only writer of
 * both. Here and not in `agent`, because lower modules (leads, network, outreach, fit) need it.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { randomPartOf } from '../../platform/random.ts'

export type AgentName = { readonly teamId: string; readonly id: string }

/** Adds a source to an agent, or updates it for another start; `made` is overwritten. */
export async function writeAgentSource(
  tx: Tx,
  agent: AgentName,
  source: { readonly id: string; readonly made: boolean; readonly topic: string | null; readonly launch: number },
): Promise<void> {
  await sql`
    insert into agent_source as x (team_id, agent_id, source_id, made, topic, launch, added_at)
    values (${agent.teamId}, ${agent.id}, ${source.id}, ${source.made}, ${source.topic}, ${source.launch}, ${tx.now})
    on conflict (team_id, agent_id, source_id)
    do update set made = excluded.made, topic = excluded.topic, launch = excluded.launch, stopped_at = null`.execute(
    tx.db,
  )
}

/** Marks sources as stopped by the agent; tracked again, they belong to the team. */
export async function writeStopped(tx: Tx, agent: AgentName, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length === 0) return
  await sql`update agent_source set stopped_at = ${tx.now}
    where team_id = ${agent.teamId} and agent_id = ${agent.id} and source_id = any(${sourceIds}::uuid[])`.execute(tx.db)
}

/** Records that the team untracked a source (row locked): agents that made it lose it; tracked again, it belongs to the team. */
export async function writeUntracked(tx: Tx, { teamId, id }: { teamId: string; id: string }): Promise<void> {
  await sql`update agent_source set stopped_at = ${tx.now}
    where team_id = ${teamId} and source_id = ${id} and made and stopped_at is null`.execute(tx.db)
}

/** SQL: ids of sources that an agent made and has not stopped; they feed its outreach (G136). */
export const sourcesMadeBy = (teamId: string, agentId: string): RawBuilder<unknown> =>
  sql`select a.source_id from agent_source a
    where a.team_id = ${teamId} and a.agent_id = ${agentId} and a.made and a.stopped_at is null`

/** SQL: ids of agents that made, and have not stopped, one of `sources` (a query with a column `source_id`). */
export const agentsFedBy = (teamId: string, sources: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select a.agent_id from (${sources}) fed
    join agent_source a on a.team_id = ${teamId} and a.source_id = fed.source_id and a.made and a.stopped_at is null`

/** Adds notes `(team_id, agent_id, about, urn)`; true when there were any. */
async function note(tx: Tx, notes: RawBuilder<unknown>): Promise<boolean> {
  // A unique mark per note, so that units that note the same person do not wait for each other.
  const { numAffectedRows } = await sql`
    insert into agent_ranking_due (team_id, agent_id, about, urn, mark)
    select distinct n.team_id, n.agent_id, n.about, n.urn, ${randomPartOf(tx.newId())}::bigint
    from (${notes}) n (team_id, agent_id, about, urn)
    on conflict do nothing`.execute(tx.db)
  return Number(numAffectedRows ?? 0) > 0
}

/** Notes people whose leads of a source changed, for every agent that has the source. */
export async function notePeople(
  tx: Tx,
  teamId: string,
  people: readonly { readonly sourceId: string; readonly personUrn: string }[],
): Promise<void> {
  if (people.length === 0) return
  const notes = sql`select x.team_id, x.agent_id, 'person'::text, changed.urn
    from unnest(${people.map((one) => one.sourceId)}::uuid[], ${people.map((one) => one.personUrn)}::text[])
      as changed (source_id, urn)
    join agent_source x on x.team_id = ${teamId} and x.source_id = changed.source_id`
  if (await note(tx, notes)) tx.enqueue('ranking', teamId)
}

/** Notes posts whose text changed, for every agent of the team; people who engaged with them are judged again. */
export async function notePosts(tx: Tx, teamId: string, urns: readonly string[]): Promise<void> {
  if (urns.length === 0) return
  const notes = sql`select x.team_id, x.agent_id, 'post'::text, edited.urn
    from unnest(${[...urns]}::text[]) as edited (urn) join agent_source x on x.team_id = ${teamId}`
  if (await note(tx, notes)) tx.enqueue('ranking', teamId)
}

/** Notes people of agents of any team. Marks no team's work: workers find it by themselves. */
export async function noteAgentPeople(
  tx: Tx,
  people: readonly { readonly teamId: string; readonly agentId: string; readonly urn: string }[],
): Promise<void> {
  if (people.length === 0) return
  await note(
    tx,
    sql`select p."teamId", p."agentId", 'person'::text, p.urn
      from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as p ("teamId" uuid, "agentId" uuid, urn text)`,
  )
}

/** Takes notes of one agent; returns their people and posts. Read the facts only afterwards, so that no change is missed. */
export async function takeNotes(
  tx: Tx,
  { teamId, agentId }: { teamId: string; agentId: string },
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
