/** Filters over the people of an agent: what they ask of a person who was scored, and who passes. */
import type { AgentFilterColumn, FilterRow } from '@les/contract'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { matches, type FilterRecord } from '../rules/matches.ts'
import type { AgentPeople, AgentPerson } from './people.ts'
import { listDetails, type AgentSource, type AgentView, type LeadDetail } from './people-store.ts'
import type { Signal } from '../rules/signal.ts'

/** How an agent's list names the kind of a source. */
export const kindOfType = { keyword: 'keyword', person: 'profile', company: 'company', post: 'post' } as const

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

function recordOf({
  view,
  person,
  fact,
  newest,
}: {
  readonly view: AgentView
  readonly person: Rated
  readonly fact: LeadDetail | undefined
  readonly newest: LeadDetail | undefined
}): FilterRecord {
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
  {
    teamId,
    view,
    people,
    rows,
  }: {
    readonly teamId: string
    readonly view: AgentView
    readonly people: readonly P[]
    readonly rows: readonly FilterRow<string>[]
  },
): Promise<readonly P[]> {
  const own = rows.filter((row) => ownColumns.has(row.column))
  const others = rows.filter((row) => !ownColumns.has(row.column))
  // No rows: everybody passes, where `matches` would say that nobody was judged.
  const passesOwn = (person: P) =>
    own.length === 0 || matches(own, 'all', recordOf({ view, person, fact: undefined, newest: undefined }))
  const likely = people.filter(passesOwn)
  if (others.length === 0 || likely.length === 0) return likely
  const ids = likely.flatMap((person) => [person.id, ...(person.factId === null ? [] : [person.factId])])
  const details = await listDetails(db, teamId, [...new Set(ids)])
  return likely.filter((person) => {
    const fact = person.factId === null ? undefined : details.get(person.factId)
    return matches(others, 'all', recordOf({ view, person, fact, newest: details.get(person.id) }))
  })
}

/** Those of the people who pass every row of a filter; facts that no row asks for are not read. */
export async function filterAgentPeople(
  db: Reader,
  { teamId, view, people }: AgentPeople & { readonly teamId: string },
  rows: readonly FilterRow<string>[],
): Promise<readonly AgentPerson[]> {
  if (rows.length === 0) return people
  const rated = people.map((person) => ({ ...ratedOf(person), person }))
  return (await filterRated(db, { teamId, view, people: rated, rows })).map(({ person }) => person)
}
