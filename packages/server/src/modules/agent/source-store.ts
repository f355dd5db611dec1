/** SQL of the sources of agents: `agent_source` is written here and nowhere else. */
import { sql } from 'kysely'
import { labelJoins, labelOfSource } from '../source-labels/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { askRanking } from '../scoring/index.ts'

/** A source of an agent. `made`: the agent's own; else the team had it, and the agent takes it as it is. */
export type AgentSourceRow = {
  readonly sourceId: string
  readonly type: 'person' | 'company' | 'post' | 'keyword'
  readonly label: string
  readonly active: boolean
  readonly made: boolean
  readonly topic: string | null
  readonly launch: number
  readonly stopped: boolean
  readonly syncedSince: boolean
  readonly waiting: boolean
}

/**
 * Every source an agent has had, in the order they came. `syncedSince`: a run that began after `since` has ended;
 * `waiting`: leads of it wait to be enriched.
 */
export async function listAgentSources(
  db: Reader,
  agent: { teamId: string; id: string },
  since: Date | null = null,
): Promise<AgentSourceRow[]> {
  const { rows } = await sql<AgentSourceRow>`
    select x.source_id as "sourceId", s.type, ${labelOfSource} as label, s.status = 'active' as active, x.made, x.topic, x.launch, x.stopped_at is not null as stopped,
      coalesce(s.open_sync_id is null and y.finished_at >= ${since}::timestamptz, false) as "syncedSince", s.leads_pending > 0 as waiting
    from agent_source x join source s on s.team_id = x.team_id and s.id = x.source_id
    ${labelJoins}
    left join sync y on y.team_id = s.team_id and y.id = s.last_sync_id
    where x.team_id = ${agent.teamId} and x.agent_id = ${agent.id} order by x.added_at, x.source_id`.execute(db)
  return rows
}

/** Notes a source of an agent, or that it belongs to another start now. One that the agent has made stays its own. */
export async function saveAgentSource(
  tx: Tx,
  agent: { teamId: string; id: string },
  source: { id: string; made: boolean; topic: string | null; launch: number },
): Promise<void> {
  await sql`
    insert into agent_source as x (team_id, agent_id, source_id, made, topic, launch, added_at) values (${agent.teamId}, ${agent.id}, ${source.id}, ${source.made}, ${source.topic}, ${source.launch}, ${tx.now})
    on conflict (team_id, agent_id, source_id) do update set made = excluded.made, topic = excluded.topic, launch = excluded.launch, stopped_at = null`.execute(
    tx.db,
  )
  await askRanking(tx, { teamId: agent.teamId, agentId: agent.id })
}

/** Notes that an agent has stopped sources of its own: whoever tracks them again has them for themselves. */
export async function saveStopped(
  tx: Tx,
  agent: { teamId: string; id: string },
  sourceIds: readonly string[],
): Promise<void> {
  if (sourceIds.length > 0)
    await sql`update agent_source set stopped_at = ${tx.now} where team_id = ${agent.teamId} and agent_id = ${agent.id} and source_id = any(${sourceIds}::uuid[])`.execute(
      tx.db,
    )
}
