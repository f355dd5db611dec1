/** The people an agent's sources have captured, scored: for its list, its webhook and its outreach (trap 36). */
import type { FilterRow } from '@les/contract'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { matchCountry } from '../../network/index.ts'
import { fitJudge, type FitFacts } from '../rules/agent-fit.ts'
import { judgePerson, type JudgedPerson } from '../rules/agent-people.ts'
import { rowMatches, type FilterRecord } from '../rules/matches.ts'
import { compareLeads } from '../rules/signal.ts'
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
} from './people-store.ts'
import { judgePosts } from './posts.ts'

/** A scored person: `id` is their newest lead row, `ended`: their facts are final, `waiting`: enrichment is still to come. */
export type AgentPerson = JudgedPerson &
  Omit<PersonRow, 'engagements' | keyof FitFacts> & { readonly leadIds: readonly string[] }

type AgentPeople = { readonly view: AgentView; readonly people: readonly AgentPerson[] }

/** Reads and scores people, newest first, with those who fail the title gate (`fit.listed`); undefined without such an agent. */
export async function readAgentPeople(
  db: Reader,
  agent: AgentOf,
  people: WhichPeople,
): Promise<AgentPeople | undefined> {
  const view = await findAgentView(db, agent)
  if (!view) return undefined
  const rows = await listPeople(db, {
    teamId: agent.teamId,
    sourceIds: view.sources.map((source) => source.id),
    people,
  })
  return { view, people: (await scorePeople(db, { agent, view, rows })).people }
}

/** Scores people that were read. `fresh`: the posts whose judgement is not stored yet. */
export async function scorePeople(
  db: Reader,
  { agent, view, rows }: { agent: AgentOf; view: AgentView; rows: readonly PersonRow[] },
) {
  const judge = fitJudge(view.profile, matchCountry)
  const urns = new Set(rows.flatMap((row) => row.engagements.flatMap((one) => one.postUrn ?? [])))
  const { verdictOf, posts, fresh } = await judgePosts(db, { agent, urns: [...urns], topics: view.profile.topics })
  const searched = (source: number) => view.sources[source - 1]?.topic ?? null
  const people = rows.map(({ jobTitle, country, industry, staffRange, employeeCount, ...row }): AgentPerson => {
    const fit = judge({ jobTitle, country, industry, staffRange, employeeCount })
    const { engagements: captured } = row
    const leadIds = captured.map((one) => one.leadId)
    return { ...row, leadIds, ...judgePerson({ fit, captured, verdictOf, searchedTopic: searched }) }
  })
  return { people, posts, fresh }
}

/** Reads, scores and ranks everybody an agent lists (AGT-63, AGT-71). */
export async function rankAgentPeople(db: Reader, agent: AgentOf, view: AgentView) {
  const ids = view.sources.map((source) => source.id)
  const { people, posts } = await scorePeople(db, {
    agent,
    view,
    rows: await listPeople(db, { teamId: agent.teamId, sourceIds: ids, people: 'newest' }),
  })
  const listed = people.filter((person) => person.ended && person.fit.listed)
  const ranked = listed.toSorted((a, b) => compareLeads({ ...a, icp: a.fit.percent }, { ...b, icp: b.fit.percent }))
  return { view, people: ranked, posts, ...(await countPeople(db, agent.teamId, ids)) }
}

/** The names of source kinds in an agent's list. */
export const kindOfType = { keyword: 'keyword', person: 'profile', company: 'company', post: 'post' } as const

/** The source with this number (from 1), with the name of its kind. */
export function sourceAt(
  view: AgentView,
  number: number,
): AgentSource & { readonly kind: (typeof kindOfType)[AgentSource['type']] } {
  const source = view.sources[number - 1]
  if (!source) throw new Error('an engagement of a source that the agent does not have')
  return { ...source, kind: kindOfType[source.type] }
}

/** The engagement type as agent leads name it: `Reply`, the name of a reaction, or the type (G116). */
export const engagementName = ({
  engagementType,
  reaction,
  isReply,
}: Pick<LeadDetail, 'engagementType' | 'reaction' | 'isReply'>): string =>
  isReply ? 'Reply' : engagementType === 'Like' ? (reaction ?? 'Like') : engagementType

const ownColumns = new Set(['icp', 'signal', 'engagementCount', 'topic', 'sourceKind'])

/** A person as filters see them, from their lead with facts and their newest one. */
function recordOf(
  view: AgentView,
  person: AgentPerson,
  { fact, newest }: { fact?: LeadDetail | undefined; newest?: LeadDetail | undefined },
): FilterRecord {
  const [engagement] = person.engagements
  const { isReply: _isReply, ...facts }: Partial<LeadDetail> = fact ?? {}
  return {
    ...facts,
    name: fact?.name ?? newest?.name,
    engagementType: newest === undefined ? null : engagementName(newest),
    commentText: newest?.commentText,
    icp: person.fit.percent,
    signal: person.signal,
    engagementCount: person.engagements.length,
    topic: engagement!.topic,
    sourceKind: sourceAt(view, engagement!.source).kind,
  }
}

/** The people who match every row; lead rows are read only for those who pass the rows that need none. */
export async function filterAgentPeople(
  db: Reader,
  { teamId, view, people }: AgentPeople & { readonly teamId: string },
  rows: readonly FilterRow<string>[],
): Promise<readonly AgentPerson[]> {
  const own = rows.filter((row) => ownColumns.has(row.column))
  const others = rows.filter((row) => !ownColumns.has(row.column))
  const likely = people.filter((person) => own.every((row) => rowMatches(row, recordOf(view, person, {}))))
  if (others.length === 0 || likely.length === 0) return likely
  const ids = likely.flatMap((person) => [person.id, ...(person.factId === null ? [] : [person.factId])])
  const details = await listDetails(db, teamId, [...new Set(ids)])
  return likely.filter((person) => {
    const fact = person.factId === null ? undefined : details.get(person.factId)
    const record = recordOf(view, person, { fact, newest: details.get(person.id) })
    return others.every((row) => rowMatches(row, record))
  })
}

export type LeadScore = { readonly icp: number | null; readonly signal: JudgedPerson['signal'] }

/** Scores leads by id; absent are leads not captured by the agent, failing `filters` or, with `listed`, not listed by it. */
export async function scoreAgentLeads(
  db: Reader,
  agent: AgentOf,
  {
    leadIds,
    listed,
    filters = [],
  }: { leadIds: readonly string[]; listed: boolean; filters?: readonly FilterRow<string>[] },
): Promise<Map<string, LeadScore>> {
  if (leadIds.length === 0) return new Map()
  const read = await readAgentPeople(db, agent, { leadIds })
  if (!read) return new Map()
  const people = read.people.filter((person) => person.fit.listed || !listed)
  const passing = await filterAgentPeople(db, { ...read, teamId: agent.teamId, people }, filters)
  const asked = new Set(leadIds)
  const scores = new Map<string, LeadScore>()
  for (const person of passing)
    for (const leadId of person.leadIds)
      if (asked.has(leadId)) scores.set(leadId, { icp: person.fit.percent, signal: person.signal })
  return scores
}
