/** The sources of agents: their list, and what follows when one comes. */
import { sql } from 'kysely'
import { labelJoins, labelOfSource } from '../leads/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { writeAgentSource, type AgentName } from '../accounts/index.ts'
import { askRanking } from '../fit/index.ts'
import { lockSource } from '../sources/index.ts'

/** A source of an agent. `made`: the agent's own; else the team had it, and the agent takes it as it is. */
export type AgentSourceRow = {
  readonly sourceId: string
  readonly type: 'person' | 'company' | 'post' | 'keyword'
  readonly label: string
  /** Member id of a person, once it is known. */
  readonly networkUrn: string | null
  readonly active: boolean
  readonly made: boolean
  readonly topic: string | null
  readonly launch: number
  readonly stopped: boolean
}

/** Every source an agent has had, in the order they came. */
export async function listAgentSources(db: Reader, agent: { teamId: string; id: string }): Promise<AgentSourceRow[]> {
  const { rows } = await sql<AgentSourceRow>`
    select x.source_id as "sourceId", s.type, ${labelOfSource} as label, s.network_urn as "networkUrn",
      s.status = 'active' as active, x.made, x.topic, x.launch, x.stopped_at is not null as stopped
    from agent_source x join source s on s.team_id = x.team_id and s.id = x.source_id
    ${labelJoins}
    where x.team_id = ${agent.teamId} and x.agent_id = ${agent.id} order by x.added_at, x.source_id`.execute(db)
  return rows
}

/**
 * Writes a source of an agent, and asks that the agent's people are judged again. The source is locked: who writes leads of it when the
 * agent does not have it yet notes nobody, and has ended before everybody is judged.
 */
export async function saveAgentSource(
  tx: Tx,
  agent: AgentName,
  source: Parameters<typeof writeAgentSource>[2],
): Promise<void> {
  await lockSource(tx, agent.teamId, { id: source.id })
  await writeAgentSource(tx, agent, source)
  await askRanking(tx, { teamId: agent.teamId, agentId: agent.id })
}

/** An agent that has a source for its present start, with what it has it for. */
export type SourceUser = { readonly agentId: string; readonly topic: string | null; readonly launch: number }

/** The other agent that uses a source, the oldest of them: one that is active, or about to be, and whose present start has the source. */
export async function findOtherUser(
  db: Reader,
  agent: { readonly teamId: string; readonly id: string },
  sourceId: string,
): Promise<SourceUser | undefined> {
  const { rows } = await sql<SourceUser>`
    select a.id as "agentId", x.topic, x.launch from agent_source x
    join agent a on a.team_id = x.team_id and a.id = x.agent_id
    where x.team_id = ${agent.teamId} and x.source_id = ${sourceId} and x.agent_id <> ${agent.id}
      and x.stopped_at is null and x.launch >= a.launch and (a.status = 'active' or a.pending is not null)
    order by a.created_at, a.id limit 1`.execute(db)
  return rows[0]
}
