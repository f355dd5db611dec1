/** SQL that reads what an agent keeps of its people. Each statement says itself whether that is judged by what the agent looks for now. */
import { sql } from 'kysely'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { newestPeople, type AgentOf } from './people-store.ts'
import type { JudgedPerson } from '../rules/agent-people.ts'

/** What is kept of a judgement: the newest engagements alone. */
export type KeptJudgement = Pick<JudgedPerson, 'fit' | 'signalReasons' | 'engagements'>

/** SQL: a row, with how many people there are, when an agent's people were judged by this. */
export const isCurrent = ({ teamId, agentId }: AgentOf, judgedBy: string) =>
  sql`select people, listed, waiting from agent_ranking
    where team_id = ${teamId} and agent_id = ${agentId} and judged_by = ${judgedBy}`

/** Who is noted, at most `most`, and whether a post is. */
export async function readNoted(
  db: Reader,
  { teamId, agentId }: AgentOf,
  most: number,
): Promise<{ people: string[]; posts: boolean }> {
  const own = sql`team_id = ${teamId} and agent_id = ${agentId}`
  const { rows } = await sql<{ people: string[]; posts: boolean }>`
    select array(select distinct urn from agent_ranking_due where ${own} and about = 'person' limit ${most}) as people,
      exists (select 1 from agent_ranking_due where ${own} and about = 'post') as posts`.execute(db)
  return rows[0]!
}

/** A person as lists are ordered and filtered by; `shown`: the agent lists them. */
export type KeptRow = {
  readonly urn: string
  readonly id: string
  readonly factId: string | null
  readonly detectedAt: Date
  readonly shown: boolean
  readonly icp: number | null
  readonly signal: number
  readonly engagementCount: number
  readonly topic: string | null
  readonly source: number
}

/** Reads the newest people without those named; undefined when what is kept is judged by something else. */
export async function readKeptRows(
  db: Reader,
  {
    agent,
    judgedBy,
    without,
  }: { readonly agent: AgentOf; readonly judgedBy: string; readonly without: readonly string[] },
): Promise<KeptRow[] | undefined> {
  const { rows } = await sql<{ [K in keyof KeptRow]: KeptRow[K] }>`
    select p.* from (${isCurrent(agent, judgedBy)}) current left join lateral (
      select person_urn as urn, lead_id as id, fact_id as "factId", detected_at as "detectedAt", ended
        and listed as shown, icp, signal, engagements as "engagementCount", topic, source
      from agent_person
      where team_id = ${agent.teamId} and agent_id = ${agent.agentId} and person_urn <> all(${[...without]}::text[])
      order by detected_at desc, lead_id desc limit ${newestPeople}) p on true`.execute(db)
  return rows.length === 0 ? undefined : rows.filter((row) => row.urn !== null)
}

/** Reads what is kept of some people's judgements. */
export async function readJudgements(
  db: Reader,
  { teamId, agentId }: AgentOf,
  urns: readonly string[],
): Promise<Map<string, KeptJudgement>> {
  if (urns.length === 0) return new Map()
  const { rows } = await sql<{ urn: string; judged: KeptJudgement }>`
    select person_urn as urn, judged from agent_person
    where team_id = ${teamId} and agent_id = ${agentId} and person_urn = any(${[...urns]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.urn, row.judged]))
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
