/** The sources of agents: their list, and what follows when one comes. */
import { sql } from 'kysely'
import { labelJoins, labelOfSource } from '../source-labels/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { writeAgentSource, type AgentName } from '../agent-sources/index.ts'
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

/** Writes a source of an agent, and asks that the agent's people are judged again. */
export async function saveAgentSource(
  tx: Tx,
  agent: AgentName,
  source: Parameters<typeof writeAgentSource>[2],
): Promise<void> {
  await writeAgentSource(tx, agent, source)
  await askRanking(tx, { teamId: agent.teamId, agentId: agent.id })
}
