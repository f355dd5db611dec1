/** The leads of an agent: a page of its people as they are ranked, with all that is known (specification «Agent lead»; trap 36). */
import type { Answer, OperationOf } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { readDiscoverRun } from '../discover/index.ts'
import {
  engagementName,
  findAgentView,
  pageOfAgent,
  sourceAt,
  type AgentView,
  type ListAsked,
  type ListedEngagement,
  type ListedPerson,
} from '../fit/index.ts'

type Page = Answer<OperationOf<'listAgentLeads'>>
type Lead = Page['leads'][number]

const dayMs = 86_400_000
const iso = (date: Date | null | undefined): string | null => date?.toISOString() ?? null

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
    detectedAt: said.createdAt.toISOString(),
    signalPoints: points,
    signalReasons: [...reasons],
  }
}

const factsOf = (fact: ListedPerson['facts']) => ({
  jobTitle: fact.jobTitle,
  companyName: fact.companyName,
  company: fact.companyName,
  companyUrl: fact.companyUrl,
  companyDomain: fact.companyDomain,
  companyLinkedinUrl: fact.companyLinkedinUrl,
  companyDescription: fact.companyDescription,
  companyIndustry: fact.companyIndustry,
  companyLocation: fact.companyLocation,
  companyEmployeeCount: fact.companyEmployeeCount,
  companyStaffRange: fact.companyStaffRange,
  companyEnrichedAt: iso(fact.companyEnrichedAt),
  country: fact.country,
})

function presentLead(view: AgentView, person: ListedPerson): Lead[] {
  const { facts, engagements } = person
  const [first] = engagements
  // Rows that went between two looks are not shown.
  if (!first?.said) return []
  const { id, label, kind, active } = sourceAt(view, first.source)
  return [
    {
      id: person.id,
      name: facts.name,
      linkedinUrl: facts.linkedinUrl,
      avatarUrl: facts.avatarUrl,
      ...factsOf(facts),
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
      detectedAt: person.detectedAt.toISOString(),
      enriching: false,
    },
  ]
}

/** How far the first run since the last start has come; over a day after it whatever happened (trap 37). */
function presentFirstRun(
  agent: AgentView,
  search: { readonly state: string } | undefined,
  now: Date,
): Omit<Page['firstRun'], 'enriching'> {
  const sources = agent.sources.filter((source) => source.launched && source.active)
  const launched = agent.launchedAt !== null
  // A search that is gone or has failed will bring nobody any more.
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

/** A page of an agent's leads, the best first, of the oldest agent without an id; undefined when there is no such agent. */
export async function listLeads(
  db: Reader,
  {
    teamId,
    agentId,
    asked,
    now,
  }: { readonly teamId: string; readonly agentId: string | undefined; readonly asked: ListAsked; readonly now: Date },
): Promise<Page | undefined> {
  const view = await findAgentView(db, { teamId, agentId })
  if (!view) return undefined
  // Beside one another: neither waits for what the other finds.
  const [{ checked, enriching, total, people, rescoring }, search] = await Promise.all([
    pageOfAgent(db, { agent: { teamId, agentId: view.id }, view, asked }),
    view.discoverRun === null ? undefined : readDiscoverRun(db, teamId, view.discoverRun),
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
