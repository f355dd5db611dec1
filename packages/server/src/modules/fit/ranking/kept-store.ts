/**
 * SQL that reads what an agent keeps of its people. The statement says itself whether that was judged by what the agent looks for now,
 * and whether somebody is noted to be judged again.
 */
import { sql } from 'kysely'
import { plannedOnce, plannedWhenOften } from '../../../platform/db/prepared.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import type { JudgedPerson } from '../rules/agent-people.ts'
import { signalOrder } from '../rules/signal.ts'
import type { PagePerson } from './details.ts'
import type { KeptCondition } from './filter.ts'
import { newestPeople, type AgentOf } from './people-store.ts'

/** A page of everybody whom an agent lists, the best first, with its totals. */
export type KeptPage = {
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

// Written into the statement, so that its plan is made for it.
const most = sql.lit(newestPeople)

/**
 * Reads a page, by the digest of the agent as it is (`judgedBy`); undefined when what is kept was judged by something else, or
 * somebody is noted.
 */
export async function readKeptPage(
  db: Reader,
  { teamId, agentId }: AgentOf,
  asked: {
    readonly judgedBy: string
    readonly filter: KeptCondition | undefined
    readonly limit: number
    readonly offset: number
  },
): Promise<KeptPage | undefined> {
  const own = sql`team_id = ${teamId} and agent_id = ${agentId}`
  const { joins, condition } = asked.filter ?? { joins: sql``, condition: sql`true` }
  // Limits within a select: a plan for these very numbers would seem so much cheaper that one for all is never kept (`plannedOnce`).
  const page = sql<Row>`
    with passing as materialized (
      select p.person_urn, p.lead_id, p.detected_at, p.icp, p.signal from (
        select person_urn, lead_id, fact_id, detected_at, ended and listed as shown, icp, signal, engagements, topic, source
        from agent_person where ${own} order by detected_at desc, lead_id desc limit ${most}) p ${joins}
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

/** How many of an agent's people are judged by what it looks for now. */
export type PeopleRescoring = { readonly judged: number; readonly people: number }

/** Reads it while not all of them are; undefined when they are, or there is nobody. */
export async function readRescoring(db: Reader, { teamId, agentId }: AgentOf): Promise<PeopleRescoring | undefined> {
  const { rows } = await sql<PeopleRescoring>`
    select case when r.asked then 0 else least(r.judged, n.people) end as judged, n.people from agent_ranking r
    cross join lateral (select count(*)::integer as people from agent_person p
      where p.team_id = r.team_id and p.agent_id = r.agent_id) n
    where r.team_id = ${teamId} and r.agent_id = ${agentId} and (r.asked or r.judged_by is null)
      and n.people > 0`.execute(db)
  return rows[0]
}
