/** SQL of which sources belong to which agent: `agent_source` is written here and nowhere else. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../../platform/db/unit-of-work.ts'

/** An agent, by name. */
export type AgentName = { readonly teamId: string; readonly id: string }

/** Writes a source of an agent, or that it belongs to another start now. One that the agent has made stays its own. */
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

/** Writes that an agent has stopped sources of its own: whoever tracks them again has them for themselves. */
export async function writeStopped(tx: Tx, agent: AgentName, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length === 0) return
  await sql`update agent_source set stopped_at = ${tx.now}
    where team_id = ${agent.teamId} and agent_id = ${agent.id} and source_id = any(${sourceIds}::uuid[])`.execute(tx.db)
}

/**
 * Writes that the team has untracked a source itself, whose row is locked: no agent that had made it has it any more. Whoever tracks it
 * again has it for themselves.
 */
export async function writeUntracked(tx: Tx, { teamId, id }: { teamId: string; id: string }): Promise<void> {
  await sql`update agent_source set stopped_at = ${tx.now}
    where team_id = ${teamId} and source_id = ${id} and made and stopped_at is null`.execute(tx.db)
}

/** SQL: ids of the sources that an agent has made and not stopped; they feed its outreach (G136). */
export const sourcesMadeBy = (teamId: string, agentId: string): RawBuilder<unknown> =>
  sql`select a.source_id from agent_source a
    where a.team_id = ${teamId} and a.agent_id = ${agentId} and a.made and a.stopped_at is null`

/** SQL: ids of the agents that have made, and not stopped, one of these sources: a query of ids in a column `source_id`. */
export const agentsFedBy = (teamId: string, sources: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select a.agent_id from (${sources}) fed
    join agent_source a on a.team_id = ${teamId} and a.source_id = fed.source_id and a.made and a.stopped_at is null`
