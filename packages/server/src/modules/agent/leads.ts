/** The ranked page of an agent's people (trap 36), its judgement for outreach, and pushes to its webhook through its sources. */
import type { Answer, FilterRow, OperationOf } from '@les/contract'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { sourcesWithUrl, pushLeads, withoutDelivered } from '../delivery/index.ts'
import { findDiscoverRun } from '../discover/index.ts'
import {
  engagementName,
  filterAgentPeople,
  findAgentView,
  ownersOf,
  pageOfAgent,
  readAgentPeople,
  scoreAgentLeads,
  sourceAt,
  type AgentView,
  type ListAsked,
  type ListedEngagement,
  type ListedPerson,
} from '../fit/index.ts'
import { presentVerdict } from '../leads/index.ts'
import type { AgentScores } from '../outreach/index.ts'
import { findAgent, requireAgent, type Agent, type AgentWebhook } from './store.ts'

type Page = Answer<OperationOf<'listAgentLeads'>>
type Lead = Page['leads'][number]

const dayMs = 86_400_000

function presentEngagement(
  view: AgentView,
  { source: number, topic, posterTopic, points, reasons }: ListedEngagement,
  said: NonNullable<ListedEngagement['said']>,
): Lead['engagements'][number] {
  const source = sourceAt(view, number)
  return {
    engagementType: engagementName(said),
    commentText: said.commentText,
    sourceId: source.id,
    sourceLabel: source.label,
    sourceKind: source.kind,
    postUrl: said.postUrl,
    topic,
    posterTopic,
    detectedAt: said.createdAt,
    signalPoints: points,
    signalReasons: [...reasons],
  }
}

function presentLead(view: AgentView, person: ListedPerson): Lead[] {
  const { facts, engagements } = person
  const [first] = engagements
  // The row was deleted between the two reads.
  if (!first?.said) return []
  const { id, label, kind, active } = sourceAt(view, first.source)
  return [
    {
      ...facts,
      id: person.id,
      company: facts.companyName,
      icp: person.fit.percent,
      icpReasons: [...person.fit.reasons],
      icpParts: person.fit.parts.map((part) => ({ ...part })),
      signal: person.signal,
      signalReasons: [...person.signalReasons],
      engagementCount: person.engagementCount,
      engagements: engagements.flatMap((one) => (one.said ? [presentEngagement(view, one, one.said)] : [])),
      engagementType: engagementName(first.said),
      commentText: first.said.commentText,
      source: { id, label, kind, active },
      postText: person.postText,
      postUrl: first.said.postUrl,
      topic: first.topic,
      posterTopic: first.posterTopic,
      detectedAt: person.detectedAt,
      enriching: false,
      ...presentVerdict(person.verdict),
      results: person.results,
    },
  ]
}

/** The progress of the first run since the last start; counts as done a day after it in any case (trap 37). */
function presentFirstRun(
  agent: AgentView,
  search: { readonly state: string } | undefined,
  now: Date,
): Omit<Page['firstRun'], 'enriching'> {
  const sources = agent.sources.filter((source) => source.launched && source.active)
  const launched = agent.launchedAt !== null
  // A search that is gone or failed will find nobody.
  const peopleReady = launched && (agent.peopleAdded || !search || search.state === 'failed')
  const sourcesDone = sources.filter((source) => source.synced && !source.waiting).length
  const over = launched && now.getTime() - agent.launchedAt.getTime() >= dayMs
  return {
    done: launched && (over || (peopleReady && sourcesDone === sources.length)),
    peopleReady,
    sourcesDone,
    sourcesTotal: sources.length,
  }
}

/** A page of an agent's leads, best first; without an id, of the oldest agent. Undefined when there is none. */
export async function listLeads(
  db: Reader,
  { teamId, agentId, asked, now }: { teamId: string; agentId: string | undefined; asked: ListAsked; now: Date },
): Promise<Page | undefined> {
  const view = await findAgentView(db, { teamId, agentId })
  if (!view) return undefined
  const [{ checked, enriching, total, people, rescoring }, search] = await Promise.all([
    pageOfAgent(db, { agent: { teamId, agentId: view.id }, view, asked }),
    view.discoverRun === null ? undefined : findDiscoverRun(db, teamId, view.discoverRun),
  ])
  return {
    leads: people.flatMap((person) => presentLead(view, person)),
    checked,
    enriching,
    total,
    limit: asked.limit,
    offset: asked.offset,
    hasMore: asked.offset + asked.limit < total,
    agentId: view.id,
    ...(rescoring ? { rescoring } : {}),
    firstRun: { ...presentFirstRun(view, search, now), enriching },
  }
}

/** The listed people who pass filters, among all or those with the given leads. */
async function listPassing(
  db: Reader,
  { teamId, agentId }: { teamId: string; agentId: string },
  { filters, leadIds }: { filters: readonly FilterRow<string>[]; leadIds: readonly string[] | null },
) {
  const read = await readAgentPeople(db, { teamId, agentId }, leadIds === null ? 'newest' : { leadIds })
  if (!read) return []
  const people = read.people.filter((person) => person.ended && person.fit.listed)
  return filterAgentPeople(db, { ...read, teamId, people }, filters)
}

/** An agent's judgement of leads, plugged into outreach, which is a level below (AGT-17, AGT-18). */
export const agentScores: AgentScores = {
  score: async (db, { teamId, agentId }, leadIds) => {
    if (!(await findAgent(db, teamId, agentId))) return undefined
    const scores = await scoreAgentLeads(db, { teamId, agentId }, { leadIds, listed: false })
    return new Map([...scores].map(([id, { icp, signal }]) => [id, { icpPercent: icp, signal }]))
  },
  passing: async (db, agent, { filters, leadIds }) => {
    const ids = (await listPassing(db, agent, { filters, leadIds })).flatMap((person) => person.leadIds)
    const asked = leadIds === null ? null : new Set(leadIds)
    return asked === null ? ids : ids.filter((id) => asked.has(id))
  },
}

type Chosen = {
  readonly leads: readonly { readonly id: string; readonly sourceId: string }[]
  readonly considered: number
}

async function chooseAsked(
  db: Reader,
  { teamId, view }: { teamId: string; view: AgentView | undefined },
  leadIds: readonly string[],
): Promise<Chosen> {
  const sources = new Set(view?.sources.map((source) => source.id))
  const owned = [...(await ownersOf(db, teamId, leadIds))].filter(([, ownerId]) => sources.has(ownerId))
  return { leads: owned.map(([id, sourceId]) => ({ id, sourceId })), considered: owned.length }
}

/** For every listed person who passes the webhook's filters, their newest lead from a source that carries the webhook. */
async function chooseAll(
  db: Reader,
  { teamId, id: agentId }: Agent,
  { filters, carriers }: { filters: AgentWebhook['filters']; carriers: ReadonlySet<string> },
): Promise<Chosen> {
  const passing = await listPassing(db, { teamId, agentId }, { filters, leadIds: null })
  // By lead rows: when two sources captured one engagement, only one of the rows may belong to a carrier.
  const leadIds = passing.flatMap((person) => person.leadIds)
  const owners = await ownersOf(db, teamId, leadIds)
  const leads = passing.flatMap((person) => {
    const id = person.leadIds.find((lead) => carriers.has(owners.get(lead) ?? ''))
    return id === undefined ? [] : [{ id, sourceId: owners.get(id)! }]
  })
  return { leads, considered: passing.length }
}

/** The leads to push, by source, and how many were considered (AGT-73..AGT-76; G136); refuses an agent without a webhook. */
async function findAgentPush(
  db: Reader,
  agent: Agent,
  leadIds: readonly string[] | undefined,
): Promise<{ bySource: ReadonlyMap<string, readonly string[]>; considered: number }> {
  const { teamId, webhook } = agent
  if (webhook === null) return refuse('no_webhook')
  const { url, filters } = webhook
  const view = await findAgentView(db, { teamId, agentId: agent.id })
  const sourceIds = (view?.sources ?? []).filter((source) => source.active).map((source) => source.id)
  const carriers = await sourcesWithUrl(db, { teamId, sourceIds, url })
  const { leads, considered } =
    leadIds === undefined
      ? await chooseAll(db, agent, { filters, carriers })
      : await chooseAsked(db, { teamId, view }, leadIds)
  const carried = leads.filter(({ sourceId }) => carriers.has(sourceId))
  const ids = carried.map(({ id }) => id)
  const undelivered = await withoutDelivered(db, { teamId, agentId: agent.id, url }, ids)
  const bySource = new Map<string, string[]>(carried.map(({ sourceId }) => [sourceId, []]))
  for (const { id, sourceId } of carried) if (undelivered.has(id)) bySource.get(sourceId)!.push(id)
  return { bySource, considered }
}

/** Queues one signed delivery per lead, unless sent or pending; failed ones go again. Refuses an agent without a webhook. */
export async function pushAgentLeads(
  tx: Tx,
  agent: Agent,
  leadIds: readonly string[] | undefined,
): Promise<{ readonly queued: number; readonly considered: number; readonly excluded: number }> {
  const { bySource, considered } = await findAgentPush(tx.db, agent, leadIds)
  let [queued, excluded] = [0, 0]
  for (const [sourceId, leadIdsOfSource] of [...bySource].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const of = { teamId: agent.teamId, ownerId: sourceId, leadIds: leadIdsOfSource, agentId: agent.id }
    const pushed = await pushLeads(tx, of)
    queued += pushed.queued
    excluded += pushed.excluded
  }
  return { queued, considered, excluded }
}

/** What the dashboard's sends need of agents; unknown agents are refused. */
export const agentsForSends = {
  refuseUnknown: async (db: Reader, teamId: string, agentId: string): Promise<void> => {
    await requireAgent(db, teamId, agentId)
  },
  findPush: async (
    db: Reader,
    asked: { readonly teamId: string; readonly agentId: string; readonly leadIds: readonly string[] | undefined },
  ) => findAgentPush(db, await requireAgent(db, asked.teamId, asked.agentId), asked.leadIds),
}
