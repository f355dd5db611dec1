/**
 * The list of an agent's people: read from the kept judgements while all of them are current, else computed from everybody. Both
 * ways answer the same; `test/fit/ranking.test.ts` compares them.
 */
import { agentFilterColumns, type AgentFilterColumn, type FilterRow } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { plannedOnce, plannedWhenOften } from '../../../platform/db/prepared.ts'
import { queryOne } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import {
  findExcluded,
  isExcluded,
  readResults,
  readVerdicts,
  type LeadResults,
  type VerdictColumns,
} from '../../leads/index.ts'
import { compile, engagementOf, foldedColumns, leadColumnsOf, signalWord } from '../filter-sql.ts'
import { maxEngagementsShown, type JudgedEngagement, type JudgedPerson } from '../rules/agent-people.ts'
import { signalOrder } from '../rules/signal.ts'
import { filterAgentPeople, kindOfType, rankAgentPeople } from './people.ts'
import {
  listDetails,
  listSaid,
  newestPeople,
  viewDigest,
  type AgentOf,
  type AgentView,
  type FactDetail,
  type SaidDetail,
} from './people-store.ts'
import { judgePosters, listTexts, type PostOfAuthor } from './posts.ts'

/** An engagement as a list shows it; `said` is null when its row was deleted after it was judged. */
export type ListedEngagement = JudgedEngagement & {
  readonly posterTopic: string | null
  readonly said: SaidDetail | null
}

/** A person as a list shows them; `engagements` holds the newest, `engagementCount` counts all. */
export type ListedPerson = Pick<JudgedPerson, 'fit' | 'signal' | 'signalReasons'> & {
  readonly id: string
  readonly detectedAt: Date
  readonly engagementCount: number
  readonly facts: FactDetail
  /** The text of the post of the newest engagement. */
  readonly postText: string | null
  readonly engagements: readonly ListedEngagement[]
  readonly verdict: VerdictColumns
  readonly results: LeadResults
}

type PagePerson = Omit<ListedPerson, 'facts' | 'postText' | 'engagements' | 'verdict' | 'results'> & {
  readonly factId: string | null
  readonly engagements: readonly JudgedEngagement[]
}

type KeptCondition = { readonly joins: RawBuilder<unknown>; readonly condition: RawBuilder<boolean> }

/** SQL of each column: `p` is the kept person, `n` their newest lead, `f` the lead with their facts, `c` its company. */
function columnsOf({ sources }: AgentView): { readonly [C in AgentFilterColumn]: RawBuilder<unknown> } {
  const kinds = sources.map(({ type }) => kindOfType[type])
  return {
    ...leadColumnsOf('f', 'n'),
    name: sql`coalesce(f.name, n.name)`,
    engagementType: engagementOf('n'),
    icp: sql`p.icp`,
    signal: signalWord(sql`p.signal`),
    engagementCount: sql`p.engagements`,
    topic: sql`p.topic`,
    sourceKind: sql`(${kinds}::text[])[p.source]`,
  }
}

const ofNewest = new Set(['name', 'engagementType', 'commentText'])
const ofCompany = new Set(['companyLocation', 'companyEmployeeCount', 'companyStaffRange'])
const kept = new Set(['icp', 'signal', 'engagementCount', 'topic', 'sourceKind', 'engagementType', 'commentText'])

/** Compiles the rows of a filter, all of which must match; undefined without rows. Joins only what they read. */
function compileForKept(
  teamId: string,
  view: AgentView,
  rows: readonly FilterRow<string>[],
): KeptCondition | undefined {
  const asked = rows as readonly FilterRow<AgentFilterColumn>[]
  const condition = compile({
    rows: asked,
    mode: 'all',
    columns: columnsOf(view),
    kinds: agentFilterColumns,
    folded: { ...foldedColumns('f'), name: sql`coalesce(f.name_folded, n.name_folded)` },
    countryCode: sql`f.country_code`,
  })
  if (condition === null) return undefined
  const joined = (reads: (column: string) => boolean, join: RawBuilder<unknown>) =>
    asked.some((row) => reads(row.column)) ? join : sql``
  const lead = (id: RawBuilder<unknown>) =>
    sql`lateral (select * from lead where team_id = ${teamId} and id = ${id} limit 1)`
  return {
    condition,
    joins: sql`${joined((column) => ofNewest.has(column), sql`left join ${lead(sql`p.lead_id`)} n on true`)}
      ${joined((column) => !kept.has(column), sql`left join ${lead(sql`p.fact_id`)} f on true`)}
      ${joined((column) => ofCompany.has(column), sql`left join company c on c.urn = f.company_urn`)}`,
  }
}

function withExcluded(
  teamId: string,
  filter: KeptCondition | undefined,
  excluded: ListAsked['excluded'],
): KeptCondition | undefined {
  if (excluded === undefined || excluded === 'include') return filter
  const { joins, condition } = filter ?? { joins: sql``, condition: sql<boolean>`true` }
  const isOne = sql`exists (select 1 from lead l where l.team_id = ${teamId} and l.id = p.lead_id and ${isExcluded(teamId)})`
  return { joins, condition: sql<boolean>`${condition} and ${isOne} = ${excluded === 'only'}` }
}

type KeptPage = {
  readonly total: number
  readonly checked: number
  readonly enriching: number
  readonly people: readonly PagePerson[]
}

type Row = Omit<KeptPage, 'people'> & {
  readonly id: string | null
  readonly factId: string | null
  readonly detectedAt: Date
  readonly signal: number
  readonly engagementCount: number
  readonly judged: Pick<JudgedPerson, 'fit' | 'signalReasons' | 'engagements'>
}

// A literal, not a parameter, so that the statement is planned for this value.
const maxPeople = sql.lit(newestPeople)

/** Reads a page; undefined unless all kept judgements are by `judgedBy` (a `viewDigest`) and nobody is noted for judging. */
async function readKeptPage(
  db: Reader,
  { teamId, agentId }: AgentOf,
  asked: Pick<ListAsked, 'limit' | 'offset'> & {
    readonly judgedBy: string
    readonly filter: KeptCondition | undefined
  },
): Promise<KeptPage | undefined> {
  const own = sql`team_id = ${teamId} and agent_id = ${agentId}`
  const { joins, condition } = asked.filter ?? { joins: sql``, condition: sql`true` }
  // Limits stand in selects: a plan for the actual numbers would seem so much cheaper that the generic one is never kept
  // (`plannedOnce`).
  const page = sql<Row>`
    with passing as materialized (
      select p.person_urn, p.lead_id, p.detected_at, p.icp, p.signal from (
        select person_urn, lead_id, fact_id, detected_at, ended and listed as shown, icp, signal, engagements, topic, source
        from agent_person where ${own} order by detected_at desc, lead_id desc limit ${maxPeople}) p ${joins}
      where p.shown and ${condition}),
    page as materialized (
      select * from passing order by icp desc nulls last, signal, detected_at desc, lead_id desc
      limit (select ${asked.limit}::bigint) offset (select ${asked.offset}::bigint)),
    counted as (
      select (select count(*)::integer from passing) as total, count(*)::integer as checked,
        (count(*) filter (where waiting))::integer as enriching
      from agent_person where ${own})
    select counted.*, one.* from agent_ranking r
    cross join counted
    left join (
      select p.lead_id as id, p.fact_id as "factId", p.detected_at as "detectedAt", p.signal, p.icp,
        p.engagements as "engagementCount", p.judged
      from page g
      cross join lateral (select * from agent_person where ${own} and person_urn = g.person_urn limit 1) p) one on true
    where r.team_id = ${teamId} and r.agent_id = ${agentId} and r.judged_by = ${asked.judgedBy}
      and not exists (select 1 from agent_ranking_due where ${own})
    order by one.icp desc nulls last, one.signal, one."detectedAt" desc, one.id desc`
  const { rows } = await (asked.filter === undefined ? plannedOnce : plannedWhenOften)(page).execute(db)
  const [first] = rows
  if (first === undefined) return undefined
  const { total, checked, enriching } = first
  const people = rows.flatMap(({ id, factId, detectedAt, signal, engagementCount, judged }): PagePerson[] =>
    id === null ? [] : [{ ...judged, id, factId, detectedAt, signal: signalOrder[signal]!, engagementCount }],
  )
  return { total, checked, enriching, people }
}

type PeopleRescoring = { readonly judged: number; readonly people: number }

/** Reads the progress of judging; undefined when everybody is judged, or there is nobody. */
export const readRescoring = (db: Reader, { teamId, agentId }: AgentOf) =>
  queryOne<PeopleRescoring>(db)`
    select case when r.asked then 0 else least(r.judged, n.people) end as judged, n.people from agent_ranking r
    cross join lateral (select count(*)::integer as people from agent_person p
      where p.team_id = r.team_id and p.agent_id = r.agent_id) n
    where r.team_id = ${teamId} and r.agent_id = ${agentId} and (r.asked or r.judged_by is null)
      and n.people > 0`

type JudgedIn = { readonly agent: AgentOf; readonly view: AgentView; readonly posts: readonly PostOfAuthor[] }

/** Reads the details a page shows; people whose rows are gone are left out. `posts` were judged in this request. */
async function withDetails(
  db: Reader,
  { agent, view, people, posts }: JudgedIn & { readonly people: readonly PagePerson[] },
): Promise<ListedPerson[]> {
  const ids = people.flatMap(({ id, factId }) => [id, factId ?? id])
  const shown = people.flatMap(({ engagements }) => engagements.map((one) => one.leadId))
  const first = people.flatMap((person) => person.engagements[0]?.postUrn ?? [])
  const urns = people.flatMap((person) => person.engagements.flatMap((one) => one.postUrn ?? []))
  const newestIds = people.map(({ id }) => id)
  const [verdicts, results, details, said, texts, posterOf] = await Promise.all([
    readVerdicts(db, agent.teamId, newestIds),
    readResults(db, agent.teamId, newestIds),
    listDetails(db, agent.teamId, [...new Set(ids)]),
    listSaid(db, agent.teamId, [...new Set(shown)]),
    listTexts(db, agent.teamId, [...new Set(first)]),
    judgePosters(db, agent, { urns: [...new Set(urns)], topics: view.profile.topics, judgedHere: posts }),
  ])
  return people.flatMap(({ factId, engagements, ...person }): ListedPerson[] => {
    const newest = details.get(person.id)
    const verdict = verdicts.get(person.id)
    const personResults = results.get(person.id)
    if (!newest || !verdict || !personResults) return []
    const facts = (factId === null ? undefined : details.get(factId)) ?? newest
    const postUrn = engagements[0]?.postUrn ?? null
    return [
      {
        ...person,
        verdict,
        results: personResults,
        facts: { ...facts, name: facts.name ?? newest.name, avatarUrl: facts.avatarUrl ?? newest.avatarUrl },
        postText: postUrn === null ? null : (texts.get(postUrn) ?? null),
        engagements: engagements.map((one) => ({
          ...one,
          posterTopic: posterOf(one.postUrn),
          said: said.get(one.leadId) ?? null,
        })),
      },
    ]
  })
}

/** A page: `checked` is everybody captured, `enriching` those waiting for it, `total` those listed that pass the filters. */
type ListedPage = Omit<KeptPage, 'people'> & {
  readonly people: readonly ListedPerson[]
  /** While pages are computed: the progress of the background. */
  readonly rescoring?: PeopleRescoring | undefined
}

export type ListAsked = {
  readonly filters: readonly FilterRow<string>[]
  readonly limit: number
  readonly offset: number
  /** `exclude` leaves out excluded people, `only` shows nobody else; `include` or undefined shows everybody. */
  readonly excluded?: 'include' | 'exclude' | 'only' | undefined
}

type PageRequest = { readonly agent: AgentOf; readonly view: AgentView; readonly asked: ListAsked }

async function applyExcluded<P extends { readonly id: string }>(
  db: Reader,
  teamId: string,
  people: readonly P[],
  excluded: ListAsked['excluded'],
): Promise<readonly P[]> {
  if (excluded === undefined || excluded === 'include') return people
  const ids = people.map(({ id }) => id)
  const found = await findExcluded(db, teamId, ids)
  return people.filter(({ id }) => found.has(id) === (excluded === 'only'))
}

async function computedPage(
  db: Reader,
  { agent, view, asked }: PageRequest,
): Promise<KeptPage & { readonly posts: readonly PostOfAuthor[]; readonly rescoring: PeopleRescoring | undefined }> {
  const { people, posts, checked, enriching } = await rankAgentPeople(db, agent, view)
  const filtered = await filterAgentPeople(db, { teamId: agent.teamId, view, people }, asked.filters)
  const passing = await applyExcluded(db, agent.teamId, filtered, asked.excluded)
  const page = passing.slice(asked.offset, asked.offset + asked.limit)
  return {
    people: page.map(({ id, factId, detectedAt, fit, signal, signalReasons, engagements }) => ({
      id,
      factId,
      detectedAt,
      fit,
      signal,
      signalReasons,
      engagementCount: engagements.length,
      engagements: engagements.slice(0, maxEngagementsShown),
    })),
    posts,
    checked,
    enriching,
    total: passing.length,
    rescoring: await readRescoring(db, agent),
  }
}

/** A page of an agent's people, the best first. */
export async function pageOfAgent(db: Reader, { agent, view, asked }: PageRequest): Promise<ListedPage> {
  const kept = await readKeptPage(db, agent, {
    judgedBy: viewDigest(view),
    filter: withExcluded(agent.teamId, compileForKept(agent.teamId, view, asked.filters), asked.excluded),
    limit: asked.limit,
    offset: asked.offset,
  })
  const { people, posts, ...totals } = kept ? { ...kept, posts: [] } : await computedPage(db, { agent, view, asked })
  return { ...totals, people: await withDetails(db, { agent, view, people, posts }) }
}
