/**
 * SQL of a page of an agent's list as it is kept, with all that is shown of it, in one statement: it says itself whether what is kept
 * was judged by what the agent looks for now. Counts, and what each author stands for, are kept by triggers (migration 0063).
 */
import { sql, type RawBuilder } from 'kysely'
import { plannedOnce, plannedWhenOften } from '../../../platform/db/prepared.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { newestPeople, type AgentOf, type FactDetail, type SaidDetail } from './people-store.ts'
import type { KeptCondition } from './kept-filter.ts'
import { longestText } from './post-store.ts'
import { isCurrent, type KeptJudgement } from './read-store.ts'

/** What is shown of an engagement, in its order there; null when its row is gone. */
type SaidLine =
  | readonly [
      engagementType: SaidDetail['engagementType'],
      reaction: string | null,
      isReply: boolean,
      commentText: string | null,
      postUrl: string | null,
      createdAt: string,
      posterTopic: string | null,
    ]
  | null

/** A person as kept, with what a list shows; `signal` is its place in the order of signals, `said` has a line an engagement. */
export type KeptPerson = FactDetail & {
  readonly urn: string
  readonly id: string
  readonly detectedAt: Date
  readonly signal: number
  readonly engagementCount: number
  readonly judged: KeptJudgement
  readonly postText: string | null
  readonly said: readonly SaidLine[]
}

/** A page of everybody whom an agent lists, the best first, with its totals. */
export type KeptPage = {
  readonly total: number
  readonly checked: number
  readonly enriching: number
  readonly people: readonly KeptPerson[]
}

/** What of a page is asked for. `judgedBy`: the digest of the agent as it is; `topics`: that of what its posts are judged by. */
export type KeptAsked = {
  readonly judgedBy: string
  readonly topics: string
  readonly filter: KeptCondition | undefined
  readonly limit: number
  readonly offset: number
}

// Written into the statement, so that its plan is made for them.
const [most, longest] = [sql.lit(newestPeople), sql.lit(longestText)]

const ownOf = ({ teamId, agentId }: AgentOf) => sql`team_id = ${teamId} and agent_id = ${agentId}`

/**
 * SQL of the people of a page (`page`) and how many there are (`found`). Nobody falls out of the newest while there are no more than
 * those: then an index has them in their order, and they are counted as they are kept.
 */
function pageOf(own: RawBuilder<unknown>, { filter, limit, offset }: KeptAsked): RawBuilder<unknown> {
  // Within a select: a plan for these very numbers would seem so much cheaper that one for all is never kept (`plannedOnce`).
  const ranked = sql`order by icp desc nulls last, signal, detected_at desc, lead_id desc
    limit (select ${limit}::bigint) offset (select ${offset}::bigint)`
  const newest = sql`
    newest as materialized (
      select person_urn, lead_id, fact_id, detected_at, ended and listed as shown, icp, signal, engagements, topic,
        source from agent_person
      where ${own} and (select not few from current) order by detected_at desc, lead_id desc limit ${most})`
  if (filter === undefined)
    return sql`${newest},
    page as materialized (
      (select person_urn, lead_id, detected_at, icp, signal from agent_person
        where ${own} and ended and listed and (select few from current) ${ranked})
      union all (select person_urn, lead_id, detected_at, icp, signal from newest where shown ${ranked})),
    found as materialized (
      select case when few then listed else (select count(*) from newest where shown)::integer end as total from current)`
  const columns = sql`person_urn, lead_id, fact_id, detected_at, icp, signal, engagements, topic, source`
  return sql`${newest},
    passing as materialized (
      select p.person_urn, p.lead_id, p.detected_at, p.icp, p.signal from (
        select ${columns} from agent_person where ${own} and ended and listed and (select few from current)
        union all select ${columns} from newest where shown) p ${filter.joins}
      where ${filter.condition}),
    page as materialized (select * from passing ${ranked}),
    found as materialized (select count(*)::integer as total from passing)`
}

/** SQL of what the engagements of the person `p` say (`lines`), with what the author of each post stands for. */
const saidOf = ({ teamId, agentId }: AgentOf, topics: string): RawBuilder<unknown> => sql`
      select json_agg(case when l.id is not null then json_build_array(l.engagement_type, l.reaction, l.is_reply,
          l.comment_text, l.post_url, l.created_at, coalesce(n.topic, k.topic)) end order by e.place) as lines
      from jsonb_array_elements(p.judged -> 'engagements') with ordinality as e(one, place)
      left join lateral (select id, engagement_type, reaction, is_reply, comment_text, post_url, created_at from lead
        where team_id = ${teamId} and id = (e.one ->> 'leadId')::uuid limit 1) l on true
      left join lateral (
        select author_urn, case when author_urn is null then headline_topic end as topic from agent_post
        where ${ownOf({ teamId, agentId })} and post_urn = e.one ->> 'postUrn' and topics = ${topics} limit 1) n on true
      left join lateral (select topic from agent_author
        where ${ownOf({ teamId, agentId })} and author_urn = n.author_urn and topics = ${topics} limit 1) k on true`

const facts = sql`coalesce(f.name, n.name) as name, f.linkedin_url as "linkedinUrl",
      coalesce(f.avatar_url, n.avatar_url) as "avatarUrl", f.job_title as "jobTitle", f.country,
      f.company_name as "companyName", f.company_domain as "companyDomain", f.company_industry as "companyIndustry",
      f.company_enriched_at as "companyEnrichedAt", c.website as "companyUrl", c.linkedin_url as "companyLinkedinUrl",
      c.description as "companyDescription", c.headquarters as "companyLocation",
      c.employee_count as "companyEmployeeCount", c.staff_range as "companyStaffRange"`

/** Reads a page; undefined when what is kept is judged by something else, or somebody is noted. */
export async function readKeptPage(db: Reader, agent: AgentOf, asked: KeptAsked): Promise<KeptPage | undefined> {
  const { teamId } = agent
  const own = ownOf(agent)
  const page = sql<Omit<KeptPage, 'people'> & { [K in keyof KeptPerson]: KeptPerson[K] | null }>`
    with current as materialized (
      select people, listed, waiting, people <= ${most} as few from (${isCurrent(agent, asked.judgedBy)}) current
      where not exists (select 1 from agent_ranking_due where ${own})),
    ${pageOf(own, asked)}
    select c.people as checked, (select total from found) as total, c.waiting as enriching, one.*
    from current c left join (
      select p.person_urn as urn, p.lead_id as id, p.detected_at as "detectedAt", p.signal, p.icp,
        p.engagements as "engagementCount", p.judged, said.lines as said, ${facts},
        (select left(text, ${longest}) from post
          where team_id = ${teamId} and urn = p.judged #>> '{engagements,0,postUrn}' limit 1) as "postText"
      from page g
      cross join lateral (select person_urn, lead_id, fact_id, detected_at, icp, signal, engagements, judged
        from agent_person where ${own} and person_urn = g.person_urn limit 1) p
      cross join lateral (${saidOf(agent, asked.topics)}) said
      cross join lateral (select * from lead
        where team_id = ${teamId} and id = coalesce(p.fact_id, p.lead_id) limit 1) f
      left join lateral (select name, avatar_url from lead
        where team_id = ${teamId} and id = p.lead_id and p.fact_id <> p.lead_id limit 1) n on true
      left join lateral (select website, linkedin_url, description, headquarters, employee_count, staff_range
        from company where urn = f.company_urn limit 1) c on true) one on true
    order by one.icp desc nulls last, one.signal, one."detectedAt" desc, one.id desc`
  const { rows } = await (asked.filter === undefined ? plannedOnce : plannedWhenOften)(page).execute(db)
  const [first] = rows
  if (first === undefined) return undefined
  const { total, checked, enriching } = first
  const people = rows.filter((row) => row.urn !== null) as unknown as KeptPerson[]
  return { total, checked, enriching, people }
}
