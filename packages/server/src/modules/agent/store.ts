/** SQL of agents; only this writes `agent` (`accounts/agents`: `agent_source`). Lock order: credit account, agent, source. */
import type { FilterRow } from '@les/contract'
import { sql } from 'kysely'
import { queryAll, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { claim, defineRows, isClaimable, takeTurn } from '../../platform/work/index.ts'
import { longestWaitMs, type Recorded, type Work } from '../../platform/task-context.ts'
import { writeAgentSource, type AgentName } from '../accounts/index.ts'
import { askRanking } from '../fit/index.ts'
import { labelJoins, labelOfSource } from '../leads/index.ts'
import { lockSource } from '../sources/index.ts'
import type { Plan } from './rules/plan.ts'
import { emptyProfile, type Profile } from './rules/profile.ts'

/** What an unsaved start has set up; the next start takes it over (AGT-41). */
type Pending = {
  readonly token: string
  readonly launch: number
  readonly discoverRun: string | null
  readonly plan: Plan
  readonly dailyCredits: number | null
}

/** The webhook of an agent; `since` is when its URL was set. */
export type AgentWebhook = {
  readonly url: string
  readonly autoSend: boolean
  readonly filters: FilterRow<string>[]
  readonly since: Date
}

export type Agent = {
  readonly teamId: string
  readonly id: string
  readonly status: 'draft' | 'active'
  readonly website: string | null
  readonly profile: Profile
  readonly dailyCredits: number | null
  readonly plan: Plan | null
  readonly launch: number
  readonly launchedAt: Date | null
  readonly discoverRun: string | null
  readonly peopleAdded: boolean
  readonly pending: Pending | null
  readonly webhook: AgentWebhook | null
}

type Row = Omit<Agent, 'webhook'> & {
  readonly url: string | null
  readonly autoSend: boolean
  readonly filters: AgentWebhook['filters']
  readonly since: Date | null
}

const columns = sql`team_id as "teamId", id, status, website, profile, daily_credits as "dailyCredits", plan, launch,
  launched_at as "launchedAt", discover_run as "discoverRun", people_added as "peopleAdded", pending,
  webhook_url as url, webhook_auto_send as "autoSend", webhook_filters as filters, webhook_since as since`

const toAgent = ({ url, autoSend, filters, since, ...agent }: Row): Agent => ({
  ...agent,
  profile: { ...emptyProfile, ...agent.profile },
  webhook: url === null || since === null ? null : { url, autoSend, filters, since },
})

/** SQL: the agent with this id, or all agents; callers then take the oldest (G95). */
const whichAgent = (teamId: string, id: string | undefined) =>
  id === undefined ? sql`team_id = ${teamId}` : sql`team_id = ${teamId} and id = ${id}`

/** Finds an agent; without an id, the oldest. */
export async function findAgent(db: Reader, teamId: string, id?: string): Promise<Agent | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from agent where ${whichAgent(teamId, id)} order by created_at, id limit 1`.execute(db)
  return rows[0] && toAgent(rows[0])
}

/** Finds an agent, or refuses. */
export const requireAgent = async (db: Reader, teamId: string, id: string | undefined): Promise<Agent> =>
  (await findAgent(db, teamId, id)) ?? refuse('agent_not_found')

/** Locks an agent; without an id, the oldest. Requires the account locked. */
export async function lockAgent(tx: Tx, teamId: string, id?: string): Promise<Agent | undefined> {
  const rows = await queryAll<Row>(tx.db)`
    select ${columns} from agent where ${whichAgent(teamId, id)} order by created_at, id limit 1 for update`
  return rows[0] && toAgent(rows[0])
}

/** A team's agents, oldest first. */
export const listAgents = (db: Reader, teamId: string) =>
  queryAll<Pick<Agent, 'id' | 'website' | 'status'>>(db)`
    select id, website, status from agent where team_id = ${teamId} order by created_at, id`

/** Creates an agent with an empty profile. */
export async function insertAgent(tx: Tx, teamId: string): Promise<Agent> {
  const { rows } = await sql<Row>`
    insert into agent (team_id, id, status, profile, created_at)
    values (${teamId}, ${tx.newId()}, 'draft', ${JSON.stringify(emptyProfile)}::jsonb, ${tx.now})
    returning ${columns}`.execute(tx.db)
  const made = toAgent(rows[0]!)
  await askRanking(tx, { teamId, agentId: made.id })
  return made
}

/** Writes an agent whose row is locked. */
export async function saveAgent(tx: Tx, agent: Agent): Promise<void> {
  const { plan, pending, webhook } = agent
  await sql`
    update agent
    set status = ${agent.status}, website = ${agent.website}, profile = ${JSON.stringify(agent.profile)}::jsonb,
      daily_credits = ${agent.dailyCredits}, plan = ${plan && JSON.stringify(plan)}::jsonb, launch = ${agent.launch},
      launched_at = ${agent.launchedAt}, discover_run = ${agent.discoverRun}, people_added = ${agent.peopleAdded},
      pending = ${pending && JSON.stringify(pending)}::jsonb, webhook_url = ${webhook?.url ?? null},
      webhook_auto_send = ${webhook?.autoSend ?? false},
      webhook_filters = ${JSON.stringify(webhook?.filters ?? [])}::jsonb, webhook_since = ${webhook?.since ?? null},
      unexpected_failures = 0, follow_due_at = null
    where team_id = ${agent.teamId} and id = ${agent.id}`.execute(tx.db)
  await askRanking(tx, { teamId: agent.teamId, agentId: agent.id })
}

const searchHasEnded = sql`exists (
  select 1 from discover_run r
  where r.team_id = w.team_id and r.id = w.discover_run and r.state <> 'running' and r.deleted_at is null)`

/** Agents whose people search has ended and is to be followed up. */
export const agentRows = defineRows({
  kind: 'agent',
  rowKind: 'agent',
  table: 'agent',
  key: 'id',
  keyType: 'uuid',
  open: sql<boolean>`w.status = 'active' and not w.people_added and w.discover_run is not null and w.pending is null`,
  dueAt: sql<Date>`case when ${searchHasEnded} then coalesce(w.follow_due_at, w.launched_at, w.created_at) end`,
  always: true,
  fence: 'unleased',
})

/** An agent to follow up, not locked; `failures` counts unexpected ones in a row. */
type SearchedAgent = { readonly teamId: string; readonly id: string; readonly failures: number }

/** Finds an agent to follow up, of the team served longest ago, and takes the team's turn. */
export async function claimSearchedAgent(tx: Tx, nowMs: number): Promise<SearchedAgent | undefined> {
  const [found] = await claim(tx, nowMs, {
    rows: [agentRows],
    take: async (teams) => {
      const { rows } = await sql<SearchedAgent>`
        select w.team_id as "teamId", w.id, w.unexpected_failures as failures from agent w
        join team t on t.id = w.team_id
        where w.team_id = any(${[...teams]}::uuid[]) and ${isClaimable(agentRows, tx.now, nowMs)}
        order by w.launched_at limit 1`.execute(tx.db)
      if (rows[0]) await takeTurn(tx, rows[0].teamId, 'agent')
      return rows
    },
    teamOf: ({ teamId }) => teamId,
    teams: 1,
    most: 1,
  })
  return found
}

/** Clears the unexpected failures of an agent some of whose people were added. */
export async function clearUnexpected(tx: Tx, agent: { teamId: string; id: string }): Promise<void> {
  await sql`update agent set unexpected_failures = 0, follow_due_at = null
    where team_id = ${agent.teamId} and id = ${agent.id}`.execute(tx.db)
}

/** Reschedules an agent after an unexpected failure: at `dueAt` or, after the fifth (null), every two hours while active. */
export async function recordUnexpectedOfAgent(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const until = dueAt ?? new Date(tx.now.getTime() + longestWaitMs)
  const result = await sql`
    update agent set unexpected_failures = unexpected_failures + 1, follow_due_at = ${until}
    where team_id = ${work.teamId} and id = ${work.id} and unexpected_failures = ${work.failures}`.execute(tx.db)
  tx.mark('agent', work.teamId)
  return Number(result.numAffectedRows ?? 0) > 0 ? 'put_off' : 'lost'
}

/** A source of an agent; `made` is true for the agent's own, false for a team's source used as it is. */
export type AgentSourceRow = {
  readonly sourceId: string
  readonly type: 'person' | 'company' | 'post' | 'keyword'
  readonly label: string
  readonly networkUrn: string | null
  readonly active: boolean
  readonly made: boolean
  readonly topic: string | null
  readonly launch: number
  readonly stopped: boolean
}

/** Every source an agent has had, in the order added. */
export const listAgentSources = (db: Reader, agent: { teamId: string; id: string }) =>
  queryAll<AgentSourceRow>(db)`
    select x.source_id as "sourceId", s.type, ${labelOfSource} as label, s.network_urn as "networkUrn",
      s.status = 'active' as active, x.made, x.topic, x.launch, x.stopped_at is not null as stopped
    from agent_source x join source s on s.team_id = x.team_id and s.id = x.source_id
    ${labelJoins}
    where x.team_id = ${agent.teamId} and x.agent_id = ${agent.id} order by x.added_at, x.source_id`

/**
 * Writes a source of an agent, and asks to judge the agent's people again. Locks the source: a unit storing leads of it without
 * seeing the new row notes nobody for the ranking, and so must have ended before everybody is judged.
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

export type SourceUser = { readonly agentId: string; readonly topic: string | null; readonly launch: number }

/** The oldest other agent, active or being started, that uses a source in its present start. */
export const findOtherUser = (db: Reader, agent: { readonly teamId: string; readonly id: string }, sourceId: string) =>
  queryOne<SourceUser>(db)`
    select a.id as "agentId", x.topic, x.launch from agent_source x
    join agent a on a.team_id = x.team_id and a.id = x.agent_id
    where x.team_id = ${agent.teamId} and x.source_id = ${sourceId} and x.agent_id <> ${agent.id}
      and x.stopped_at is null and x.launch >= a.launch and (a.status = 'active' or a.pending is not null)
    order by a.created_at, a.id limit 1`
