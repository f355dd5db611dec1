/** Pushing an agent's leads to its webhook, through those of its sources that carry the URL (AGT-73..AGT-76; G136). */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { carriersOf, pushLeads, withoutDelivered } from '../delivery/index.ts'
import { filterAgentPeople, findAgentView, ownersOf, readAgentPeople } from '../fit/index.ts'
import { findAgent, type Agent } from './store.ts'

/** What a push came to. */
export type Pushed = { readonly queued: number; readonly considered: number }

/** Leads by the source they would go through. */
type BySource = ReadonlyMap<string, readonly string[]>

/** The leads asked for that the agent's sources have captured. */
async function chooseAsked(
  db: Reader,
  agent: Agent,
  leadIds: readonly string[],
): Promise<{ bySource: BySource; considered: number }> {
  const view = await findAgentView(db, { teamId: agent.teamId, agentId: agent.id })
  const sources = new Set(view?.sources.map((source) => source.id))
  const owned = [...(await ownersOf(db, agent.teamId, leadIds))].filter(([, ownerId]) => sources.has(ownerId))
  const bySource = new Map(
    [...Map.groupBy(owned, ([, ownerId]) => ownerId)].map(([ownerId, leads]) => [ownerId, leads.map(([id]) => id)]),
  )
  return { bySource, considered: owned.length }
}

/** Everybody the agent lists who passes the filters of its webhook: their newest engagement with a source that carries it. */
async function chooseAll(
  db: Reader,
  {
    agent,
    filters,
    carries,
  }: {
    readonly agent: Agent
    readonly filters: NonNullable<Agent['webhook']>['filters']
    readonly carries: (sourceId: string) => boolean
  },
): Promise<{ bySource: BySource; considered: number }> {
  const read = await readAgentPeople(db, { teamId: agent.teamId, agentId: agent.id }, 'newest')
  if (!read) return { bySource: new Map(), considered: 0 }
  const passing = await filterAgentPeople(
    db,
    { ...read, teamId: agent.teamId, people: read.people.filter((person) => person.ended && person.fit.listed) },
    filters,
  )
  // By rows, not by engagements: of one that two sources have captured, the row of the source that carries the webhook.
  const owners = await ownersOf(
    db,
    agent.teamId,
    passing.flatMap((person) => person.leadIds),
  )
  const chosen = passing.flatMap((person) => {
    const id = person.leadIds.find((lead) => carries(owners.get(lead) ?? ''))
    return id === undefined ? [] : [{ id, ownerId: owners.get(id)! }]
  })
  return {
    bySource: new Map(
      [...Map.groupBy(chosen, (lead) => lead.ownerId)].map(([ownerId, leads]) => [
        ownerId,
        leads.map((lead) => lead.id),
      ]),
    ),
    considered: passing.length,
  }
}

/**
 * Leads of an agent by the source whose webhook carries them, and how many were considered; refuses an agent without a
 * webhook. Writes nothing.
 */
async function findAgentPush(
  db: Reader,
  agent: Agent,
  leadIds: readonly string[] | undefined,
): Promise<{ bySource: BySource; considered: number }> {
  const { webhook } = agent
  if (webhook === null) return refuse('no_webhook')
  const view = await findAgentView(db, { teamId: agent.teamId, agentId: agent.id })
  const carriers = await carriersOf(db, {
    teamId: agent.teamId,
    sourceIds: (view?.sources ?? []).filter((source) => source.active).map((source) => source.id),
    url: webhook.url,
  })
  const { bySource, considered } =
    leadIds === undefined
      ? await chooseAll(db, { agent, filters: webhook.filters, carries: (id) => carriers.has(id) })
      : await chooseAsked(db, agent, leadIds)
  const carried = [...bySource].filter(([sourceId]) => carriers.has(sourceId))
  const going = await withoutDelivered(
    db,
    { teamId: agent.teamId, agentId: agent.id, url: webhook.url },
    carried.flatMap(([, ids]) => ids),
  )
  return {
    bySource: new Map(carried.map(([sourceId, ids]) => [sourceId, ids.filter((id) => going.has(id))])),
    considered,
  }
}

/**
 * Queues leads for one signed delivery each; refuses an agent without a webhook. What is sent or on its way stays as it
 * is, what failed goes again.
 */
export async function pushAgentLeads(tx: Tx, agent: Agent, leadIds: readonly string[] | undefined): Promise<Pushed> {
  const { bySource, considered } = await findAgentPush(tx.db, agent, leadIds)
  let queued = 0
  for (const [sourceId, ids] of [...bySource].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    queued += (await pushLeads(tx, { teamId: agent.teamId, sourceId, leadIds: ids, agentId: agent.id })).queued
  return { queued, considered }
}

/** What sends of the dashboard ask of agents; an unknown one is refused. */
export const agentsForSends = {
  refuseUnknown: async (db: Reader, teamId: string, agentId: string): Promise<void> => {
    if (!(await findAgent(db, teamId, agentId))) refuse('agent_not_found')
  },
  findPush: async (
    db: Reader,
    {
      teamId,
      agentId,
      leadIds,
    }: { readonly teamId: string; readonly agentId: string; readonly leadIds: readonly string[] | undefined },
  ) => findAgentPush(db, (await findAgent(db, teamId, agentId)) ?? refuse('agent_not_found'), leadIds),
}
