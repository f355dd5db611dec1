/** SQL of agents: `agent` is written here and nowhere else. Lock order: credit account, agent, source. */
import type { FilterRow } from '@les/contract'
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { claim, defineRows, isClaimable, takeTurn } from '../../platform/work/index.ts'
import { longestWaitMs, type Recorded, type Work } from '../../platform/work-in-hand.ts'
import { askRanking } from '../fit/index.ts'
import type { Plan } from './rules/plan.ts'
import { emptyProfile, type Profile } from './rules/profile.ts'

/** What a start has set up and not yet saved: a start after it picks this up (AGT-41). */
export type Pending = {
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
  readonly filters: readonly FilterRow<string>[]
  readonly since: Date
}

/** An agent as stored. */
export type Agent = {
  readonly teamId: string
  readonly id: string
  readonly status: 'draft' | 'active'
  readonly website: string | null
  readonly profile: Profile
  readonly dailyCredits: number | null
  readonly plan: Plan | null
  /** How often it was started. */
  readonly launch: number
  readonly launchedAt: Date | null
  readonly discoverRun: string | null
  readonly peopleAdded: boolean
  readonly pending: Pending | null
  readonly webhook: AgentWebhook | null
  readonly createdAt: Date
}

type Row = {
  team_id: string
  id: string
  status: Agent['status']
  website: string | null
  profile: Profile
  daily_credits: number | null
  plan: Plan | null
  launch: number
  launched_at: Date | null
  discover_run: string | null
  people_added: boolean
  pending: Pending | null
  webhook_url: string | null
  webhook_auto_send: boolean
  webhook_filters: FilterRow<string>[]
  webhook_since: Date | null
  created_at: Date
}

const toAgent = (row: Row): Agent => ({
  teamId: row.team_id,
  id: row.id,
  status: row.status,
  website: row.website,
  profile: { ...emptyProfile, ...row.profile },
  dailyCredits: row.daily_credits,
  plan: row.plan,
  launch: row.launch,
  launchedAt: row.launched_at,
  discoverRun: row.discover_run,
  peopleAdded: row.people_added,
  pending: row.pending,
  webhook:
    row.webhook_url === null || row.webhook_since === null
      ? null
      : {
          url: row.webhook_url,
          autoSend: row.webhook_auto_send,
          filters: row.webhook_filters,
          since: row.webhook_since,
        },
  createdAt: row.created_at,
})

/** Which agent: by id, or the oldest (G95). */
const named = (teamId: string, id: string | undefined) =>
  id === undefined ? sql`team_id = ${teamId}` : sql`team_id = ${teamId} and id = ${id}`

/** Finds an agent, the oldest without an id. */
export async function findAgent(db: Reader, teamId: string, id?: string): Promise<Agent | undefined> {
  const { rows } =
    await sql<Row>`select * from agent where ${named(teamId, id)} order by created_at, id limit 1`.execute(db)
  return rows[0] && toAgent(rows[0])
}

/** The same, locked until the unit ends. The account of the team is locked before. */
export async function lockAgent(tx: Tx, teamId: string, id?: string): Promise<Agent | undefined> {
  const { rows } = await sql<Row>`select * from agent where ${named(teamId, id)} order by created_at, id limit 1
      for no key update`.execute(tx.db)
  return rows[0] && toAgent(rows[0])
}

/** Every agent of a team, the oldest first. */
export async function listAgents(db: Reader, teamId: string): Promise<Pick<Agent, 'id' | 'website' | 'status'>[]> {
  return await db
    .selectFrom('agent')
    .select(['id', 'website', 'status'])
    .where('team_id', '=', teamId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Makes an agent that has been told nothing yet. */
export async function insertAgent(tx: Tx, teamId: string): Promise<Agent> {
  const { rows } = await sql<Row>`insert into agent (team_id, id, status, profile, created_at)
      values (${teamId}, ${tx.newId()}, 'draft', ${JSON.stringify(emptyProfile)}::jsonb, ${tx.now})
      returning *`.execute(tx.db)
  const made = toAgent(rows[0]!)
  await askRanking(tx, { teamId, agentId: made.id })
  return made
}

/** Writes an agent whose row is locked. */
export async function saveAgent(tx: Tx, agent: Agent): Promise<void> {
  const { webhook } = agent
  await tx.db
    .updateTable('agent')
    .set({
      status: agent.status,
      website: agent.website,
      profile: JSON.stringify(agent.profile),
      daily_credits: agent.dailyCredits,
      plan: agent.plan && JSON.stringify(agent.plan),
      launch: agent.launch,
      launched_at: agent.launchedAt,
      discover_run: agent.discoverRun,
      people_added: agent.peopleAdded,
      pending: agent.pending && JSON.stringify(agent.pending),
      webhook_url: webhook?.url ?? null,
      webhook_auto_send: webhook?.autoSend ?? false,
      webhook_filters: JSON.stringify(webhook?.filters ?? []),
      webhook_since: webhook?.since ?? null,
      unexpected_failures: 0,
      follow_due_at: null,
    })
    .where('team_id', '=', agent.teamId)
    .where('id', '=', agent.id)
    .execute()
  await askRanking(tx, { teamId: agent.teamId, agentId: agent.id })
}

const searchHasEnded = sql`exists (
  select 1 from discover_run r
  where r.team_id = w.team_id and r.id = w.discover_run and r.state <> 'running' and r.deleted_at is null)`

/** Agents whose people search has ended and is to be followed up. */
export const agentRows = defineRows({
  kind: 'agent',
  sort: 'agent',
  table: 'agent',
  key: 'id',
  keyType: 'uuid',
  open: sql<boolean>`w.status = 'active' and not w.people_added and w.discover_run is not null and w.pending is null`,
  dueAt: sql<Date>`case when ${searchHasEnded} then coalesce(w.follow_due_at, w.launched_at, w.created_at) end`,
  always: true,
  fence: 'unleased',
})

/** An agent whose people are to be added, of the team served longest ago; not locked. `failures`: unexpected ones in a row. */
export type SearchedAgent = { readonly teamId: string; readonly id: string; readonly failures: number }

/** Finds one, and gives its team its turn. */
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

/** Notes that following up an agent has got on. */
export async function clearUnexpected(tx: Tx, agent: { teamId: string; id: string }): Promise<void> {
  await tx.db
    .updateTable('agent')
    .set({ unexpected_failures: 0, follow_due_at: null })
    .where('team_id', '=', agent.teamId)
    .where('id', '=', agent.id)
    .execute()
}

/**
 * Records an unexpected failure: the agent is followed up at `dueAt`. That never ends while the agent is active; after
 * the fifth it is tried every two hours.
 */
export async function recordUnexpectedOfAgent(tx: Tx, work: Work, dueAt: Date | null): Promise<Recorded> {
  const until = dueAt ?? new Date(tx.now.getTime() + longestWaitMs)
  const result = await sql`
    update agent set unexpected_failures = unexpected_failures + 1, follow_due_at = ${until}
    where team_id = ${work.teamId} and id = ${work.id} and unexpected_failures = ${work.failures}`.execute(tx.db)
  tx.mark('agent', work.teamId)
  return Number(result.numAffectedRows ?? 0) > 0 ? 'put_off' : 'lost'
}
