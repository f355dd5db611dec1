/**
 * The people an agent's sources have captured, scored: for its list, its webhook and its outreach (specification «Agent
 * lead»; trap 36).
 */
import type { AgentFilterColumn, FilterRow } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { matchCountry } from '../directory/index.ts'
import { matches, type FilterRecord } from '../filters/index.ts'
import {
  countPeople,
  findAgentView,
  listDetails,
  listPeople,
  type AgentOf,
  type AgentSource,
  type AgentView,
  type LeadDetail,
  type PersonRow,
  type WhichPeople,
} from './agent-store.ts'
import type { JudgedPost } from './post-store.ts'
import { judgePosts } from './post-verdicts.ts'
import { fitJudge } from './rules/agent-fit.ts'
import { judgePerson, leadIdsOf, readEngagements, type JudgedPerson } from './rules/agent-people.ts'
import { compareLeads, type Signal } from './rules/signal.ts'

/**
 * A person, scored; `id` is their newest lead row, `leadIds` all of them, `ended` that their facts are as good as they
 * get, `waiting` that some are looked for.
 */
export type AgentPerson = JudgedPerson & {
  readonly urn: string
  readonly id: string
  readonly factId: string | null
  readonly companyUrn: string | null
  readonly ended: boolean
  readonly waiting: boolean
  readonly detectedAt: Date
  readonly leadIds: readonly string[]
}

/** An agent's people with what they were scored by. */
export type AgentPeople = { readonly view: AgentView; readonly people: readonly AgentPerson[] }

/**
 * Reads and scores people, the newest first; those who fail the title gate are among them (`fit.listed`). Undefined
 * without such an agent.
 */
export async function readAgentPeople(db: Reader, of: AgentOf, which: WhichPeople): Promise<AgentPeople | undefined> {
  const view = await findAgentView(db, of)
  if (!view) return undefined
  const rows = await listPeople(
    db,
    of.teamId,
    view.sources.map((source) => source.id),
    which,
  )
  return { view, people: (await scorePeople(db, of, view, rows)).people }
}

/** People, scored, with the posts they engaged with. */
export type ScoredPeople = {
  readonly people: readonly AgentPerson[]
  readonly posts: readonly JudgedPost[]
  /** Those of the posts that the agent has not kept yet. */
  readonly fresh: readonly JudgedPost[]
}

/** Scores people as they were read. */
export async function scorePeople(
  db: Reader,
  of: AgentOf,
  view: AgentView,
  rows: readonly PersonRow[],
): Promise<ScoredPeople> {
  const judge = fitJudge(view.profile, matchCountry)
  const captured = rows.map((row) => readEngagements(row.engagements))
  const urns = new Set(captured.flatMap((all) => all.flatMap((one) => one.postUrn ?? [])))
  const { verdictOf, posts, fresh } = await judgePosts(db, of, [...urns], view.profile.topics)
  const searched = (source: number) => view.sources[source - 1]?.topic ?? null
  const people = rows.map((row, at): AgentPerson => {
    const {
      urn,
      id,
      factId,
      companyUrn,
      ended,
      waiting,
      detectedAt,
      engagements: lines,
      jobTitle,
      country,
      industry,
      staffRange,
      employeeCount,
    } = row
    return {
      urn,
      id,
      factId,
      companyUrn,
      ended,
      waiting,
      detectedAt,
      leadIds: leadIdsOf(lines),
      ...judgePerson(
        judge({ jobTitle, country, industry, staffRange, employeeCount }),
        captured[at]!,
        verdictOf,
        searched,
      ),
    }
  })
  return { people, posts, fresh }
}

/** How an agent's list names the kind of a source. */
const kindOfType = { keyword: 'keyword', person: 'profile', company: 'company', post: 'post' } as const

/** The source of an engagement, as agent leads name it. */
export function sourceAt(
  view: AgentView,
  number: number,
): AgentSource & { readonly kind: (typeof kindOfType)[AgentSource['type']] } {
  const source = view.sources[number - 1]
  if (!source) throw new Error('an engagement of a source that the agent does not have')
  return { ...source, kind: kindOfType[source.type] }
}

/** The type of an engagement as agent leads spell it: a reply is a Reply, a reaction has its own name (G116). */
export const engagementName = ({
  engagementType,
  reaction,
  isReply,
}: Pick<LeadDetail, 'engagementType' | 'reaction' | 'isReply'>): string =>
  isReply ? 'Reply' : engagementType === 'Like' ? (reaction ?? 'Like') : engagementType

const ownColumns = new Set(['icp', 'signal', 'engagementCount', 'topic', 'sourceKind'])

/** What filters ask of a person beside the facts of their leads; `source` is that of their newest engagement, `topic` its topic. */
export type Rated = {
  readonly id: string
  readonly factId: string | null
  readonly icp: number | null
  readonly signal: Signal
  readonly engagementCount: number
  readonly topic: string | null
  readonly source: number
}

/** A scored person as filters see them. */
export const ratedOf = ({ id, factId, fit, signal, engagements }: AgentPerson): Rated => ({
  id,
  factId,
  icp: fit.percent,
  signal,
  engagementCount: engagements.length,
  topic: engagements[0]!.topic,
  source: engagements[0]!.source,
})

function recordOf(
  view: AgentView,
  person: Rated,
  fact: LeadDetail | undefined,
  newest: LeadDetail | undefined,
): FilterRecord {
  const record: { readonly [C in AgentFilterColumn]: string | number | null } = {
    jobTitle: fact?.jobTitle ?? null,
    name: fact?.name ?? newest?.name ?? null,
    country: fact?.country ?? null,
    company: fact?.companyName ?? null,
    companyDomain: fact?.companyDomain ?? null,
    companyIndustry: fact?.companyIndustry ?? null,
    companyLocation: fact?.companyLocation ?? null,
    companyEmployeeCount: fact?.companyEmployeeCount ?? null,
    companyStaffRange: fact?.companyStaffRange ?? null,
    engagementType: newest === undefined ? null : engagementName(newest),
    commentText: newest?.commentText ?? null,
    icp: person.icp,
    signal: person.signal,
    engagementCount: person.engagementCount,
    topic: person.topic,
    sourceKind: sourceAt(view, person.source).kind,
  }
  return record
}

/** Those of rated people who pass every row of a filter; facts are read only of those who pass the rows that need none. */
export async function filterRated<P extends Rated>(
  db: Reader,
  teamId: string,
  view: AgentView,
  people: readonly P[],
  rows: readonly FilterRow<string>[],
): Promise<readonly P[]> {
  const own = rows.filter((row) => ownColumns.has(row.column))
  const others = rows.filter((row) => !ownColumns.has(row.column))
  // No rows: everybody passes, where `matches` would say that nobody was judged.
  const passesOwn = (person: P) => own.length === 0 || matches(own, 'all', recordOf(view, person, undefined, undefined))
  const likely = people.filter(passesOwn)
  if (others.length === 0 || likely.length === 0) return likely
  const ids = likely.flatMap((person) => [person.id, ...(person.factId === null ? [] : [person.factId])])
  const details = await listDetails(db, teamId, [...new Set(ids)])
  return likely.filter((person) => {
    const fact = person.factId === null ? undefined : details.get(person.factId)
    return matches(others, 'all', recordOf(view, person, fact, details.get(person.id)))
  })
}

/** Those of the people who pass every row of a filter; facts that no row asks for are not read. */
export async function filterAgentPeople(
  db: Reader,
  teamId: string,
  { view, people }: AgentPeople,
  rows: readonly FilterRow<string>[],
): Promise<readonly AgentPerson[]> {
  if (rows.length === 0) return people
  const rated = people.map((person) => ({ ...ratedOf(person), person }))
  return (await filterRated(db, teamId, view, rated, rows)).map(({ person }) => person)
}

/** People whom the agent lists, the best first, and how many its sources have captured. */
export type RankedPeople = AgentPeople & {
  readonly checked: number
  readonly enriching: number
  readonly posts: readonly JudgedPost[]
}

/** Reads, scores and ranks everybody whom an agent lists (AGT-63, AGT-71). */
export async function rankAgentPeople(db: Reader, of: AgentOf, view: AgentView): Promise<RankedPeople> {
  const ids = view.sources.map((source) => source.id)
  const { people, posts } = await scorePeople(db, of, view, await listPeople(db, of.teamId, ids, 'newest'))
  const listed = people.filter((person) => person.ended && person.fit.listed)
  const ranked = listed.toSorted((a, b) => compareLeads({ ...a, icp: a.fit.percent }, { ...b, icp: b.fit.percent }))
  return { view, people: ranked, posts, ...(await countPeople(db, of.teamId, ids)) }
}

/** The score of a lead, as events and campaigns carry it. */
export type LeadScore = { readonly icp: number | null; readonly signal: JudgedPerson['signal'] }

/**
 * Leads by id, scored by an agent whose sources have captured them. `listed`: without those that it would not list.
 * Absent are also those that fail a row of `filters`.
 */
export async function scoreAgentLeads(
  db: Reader,
  of: AgentOf,
  leadIds: readonly string[],
  { listed, filters = [] }: { readonly listed: boolean; readonly filters?: readonly FilterRow<string>[] },
): Promise<Map<string, LeadScore>> {
  if (leadIds.length === 0) return new Map()
  const read = await readAgentPeople(db, of, { leadIds })
  if (!read) return new Map()
  const passing = await filterAgentPeople(
    db,
    of.teamId,
    { ...read, people: read.people.filter((person) => person.fit.listed || !listed) },
    filters,
  )
  const asked = new Set(leadIds)
  const scores = new Map<string, LeadScore>()
  for (const person of passing)
    for (const leadId of person.leadIds)
      if (asked.has(leadId)) scores.set(leadId, { icp: person.fit.percent, signal: person.signal })
  return scores
}
