/**
 * The people an agent's sources have captured, scored: for its list, its webhook and its outreach (specification «Agent
 * lead»; trap 36).
 */
import type { FilterRow } from '@les/contract'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { matchCountry } from '../../network/index.ts'
import { filterAgentPeople } from './filter.ts'
import {
  countPeople,
  findAgentView,
  listPeople,
  type AgentOf,
  type AgentView,
  type PersonRow,
  type WhichPeople,
} from './people-store.ts'
import type { JudgedPost } from './post-store.ts'
import { judgePosts } from './posts.ts'
import { fitJudge } from '../rules/agent-fit.ts'
import { judgePerson, leadIdsOf, readEngagements, type JudgedPerson } from '../rules/agent-people.ts'
import { compareLeads } from '../rules/signal.ts'

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
  { agent, view, rows }: { readonly agent: AgentOf; readonly view: AgentView; readonly rows: readonly PersonRow[] },
): Promise<ScoredPeople> {
  const judge = fitJudge(view.profile, matchCountry)
  const captured = rows.map((row) => readEngagements(row.engagements))
  const urns = new Set(captured.flatMap((all) => all.flatMap((one) => one.postUrn ?? [])))
  const { verdictOf, posts, fresh } = await judgePosts(db, { agent, urns: [...urns], topics: view.profile.topics })
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
      ...judgePerson({
        fit: judge({ jobTitle, country, industry, staffRange, employeeCount }),
        captured: captured[at]!,
        verdictOf,
        searchedTopic: searched,
      }),
    }
  })
  return { people, posts, fresh }
}

/** People whom the agent lists, the best first, and how many its sources have captured. */
export type RankedPeople = AgentPeople & {
  readonly checked: number
  readonly enriching: number
  readonly posts: readonly JudgedPost[]
}

/** Reads, scores and ranks everybody whom an agent lists (AGT-63, AGT-71). */
export async function rankAgentPeople(db: Reader, agent: AgentOf, view: AgentView): Promise<RankedPeople> {
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

/** The score of a lead, as events and campaigns carry it. */
export type LeadScore = { readonly icp: number | null; readonly signal: JudgedPerson['signal'] }

/**
 * Leads by id, scored by an agent whose sources have captured them. `listed`: without those that it would not list.
 * Absent are also those that fail a row of `filters`.
 */
export async function scoreAgentLeads(
  db: Reader,
  agent: AgentOf,
  {
    leadIds,
    listed,
    filters = [],
  }: {
    readonly leadIds: readonly string[]
    readonly listed: boolean
    readonly filters?: readonly FilterRow<string>[]
  },
): Promise<Map<string, LeadScore>> {
  if (leadIds.length === 0) return new Map()
  const read = await readAgentPeople(db, agent, { leadIds })
  if (!read) return new Map()
  const passing = await filterAgentPeople(
    db,
    { ...read, teamId: agent.teamId, people: read.people.filter((person) => person.fit.listed || !listed) },
    filters,
  )
  const asked = new Set(leadIds)
  const scores = new Map<string, LeadScore>()
  for (const person of passing)
    for (const leadId of person.leadIds)
      if (asked.has(leadId)) scores.set(leadId, { icp: person.fit.percent, signal: person.signal })
  return scores
}
