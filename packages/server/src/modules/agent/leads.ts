/** The leads of an agent: a page of its people as they are ranked, with all that is known (specification «Agent lead»; trap 36). */
import type { Answer, OperationOf } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { readDiscoverRun } from '../discover/index.ts'
import {
  engagementName,
  listAgentPeople,
  listDetails,
  listTexts,
  sourceAt,
  type AgentView,
  type LeadDetail,
  type ListAsked,
  type ListedPerson,
} from '../scoring/index.ts'
import type { Agent } from './store.ts'

type Page = Answer<OperationOf<'listAgentLeads'>>
type Lead = Page['leads'][number]

const dayMs = 86_400_000
const iso = (date: Date | null | undefined): string | null => date?.toISOString() ?? null

type Details = ReadonlyMap<string, LeadDetail>

function presentEngagement(
  view: AgentView,
  engagement: ListedPerson['engagements'][number],
  detail: LeadDetail,
): Lead['engagements'][number] {
  const source = sourceAt(view, engagement.source)
  return {
    engagementType: engagementName(detail),
    commentText: detail.commentText,
    sourceId: source.id,
    sourceLabel: source.label,
    sourceKind: source.kind,
    postUrl: detail.postUrl,
    topic: engagement.topic,
    posterTopic: engagement.posterTopic,
    detectedAt: detail.createdAt.toISOString(),
    signalPoints: engagement.points,
    signalReasons: [...engagement.reasons],
  }
}

const factsOf = (fact: LeadDetail) => ({
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

function presentLead({
  view,
  person,
  details,
  texts,
}: {
  readonly view: AgentView
  readonly person: ListedPerson
  readonly details: Details
  readonly texts: ReadonlyMap<string, string>
}): Lead[] {
  const newest = details.get(person.id)
  // Rows that went between the two looks are not shown.
  if (!newest) return []
  const fact = (person.factId === null ? undefined : details.get(person.factId)) ?? newest
  const [first] = person.engagements
  const { id, label, kind, active } = sourceAt(view, first!.source)
  return [
    {
      id: person.id,
      name: fact.name ?? newest.name,
      linkedinUrl: fact.linkedinUrl,
      avatarUrl: fact.avatarUrl ?? newest.avatarUrl,
      ...factsOf(fact),
      icp: person.fit.percent,
      icpReasons: [...person.fit.reasons],
      icpParts: person.fit.parts.map((part) => ({ ...part })),
      signal: person.signal,
      signalReasons: [...person.signalReasons],
      engagementCount: person.engagementCount,
      engagements: person.engagements.flatMap((engagement) => {
        const detail = details.get(engagement.leadId)
        return detail ? [presentEngagement(view, engagement, detail)] : []
      }),
      engagementType: engagementName(newest),
      commentText: newest.commentText,
      source: { id, label, kind, active },
      postText: first!.postUrn === null ? null : (texts.get(first!.postUrn) ?? null),
      postUrl: newest.postUrl,
      topic: first!.topic,
      posterTopic: first!.posterTopic,
      detectedAt: person.detectedAt.toISOString(),
      enriching: false,
    },
  ]
}

async function presentPeople(
  db: Reader,
  {
    teamId,
    view,
    people,
  }: { readonly teamId: string; readonly view: AgentView; readonly people: readonly ListedPerson[] },
): Promise<Lead[]> {
  const ids = people.flatMap((person) => [
    person.id,
    ...(person.factId === null ? [] : [person.factId]),
    ...person.engagements.map((one) => one.leadId),
  ])
  const posts = people.flatMap((person) => person.engagements[0]?.postUrn ?? [])
  const [details, texts] = await Promise.all([
    listDetails(db, teamId, [...new Set(ids)]),
    listTexts(db, teamId, [...new Set(posts)]),
  ])
  return people.flatMap((person) => presentLead({ view, person, details, texts }))
}

/** How far the first run since the last start has come; over a day after it whatever happened (trap 37). */
function presentFirstRun(
  agent: Agent,
  { sources: all, search }: Pick<AgentView, 'sources'> & { readonly search: { readonly state: string } | undefined },
  now: Date,
): Omit<Page['firstRun'], 'enriching'> {
  const sources = all.filter((source) => source.launched && source.active)
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

/** A page of an agent's leads, the best first. */
export async function listLeads(
  db: Reader,
  { agent, asked, now }: { readonly agent: Agent; readonly asked: ListAsked; readonly now: Date },
): Promise<Page> {
  const { teamId, id } = agent
  // Beside one another: neither waits for what the other finds.
  const [read, search] = await Promise.all([
    listAgentPeople(db, { agent: { teamId, agentId: id }, asked, now }),
    agent.discoverRun === null ? undefined : readDiscoverRun(db, teamId, agent.discoverRun),
  ])
  if (!read) throw new Error(`agent ${id} went while it was read`)
  const { view, checked, enriching, total, people, rescoring } = read
  return {
    leads: await presentPeople(db, { teamId, view, people }),
    checked,
    enriching,
    total,
    limit: asked.limit,
    offset: asked.offset,
    hasMore: asked.offset + asked.limit < total,
    agentId: id,
    ...(rescoring ? { rescoring } : {}),
    firstRun: { ...presentFirstRun(agent, { sources: view.sources, search }, now), enriching },
  }
}
