/**
 * SQL of a page of an agent's list as it is kept, with all that is shown of it, in one statement: it says itself whether what is kept
 * was judged by what the agent looks for now. What each author stands for is found here as `rules/agent-people.ts` finds it.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { newestPeople, type AgentOf, type FactDetail, type SaidDetail } from './agent-store.ts'
import type { KeptCondition } from './kept-filter.ts'
import { longestText, mostOfAuthor } from './post-store.ts'
import { isCurrent, type KeptJudgement } from './ranking-read-store.ts'

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

const ownOf = ({ teamId, agentId }: AgentOf) => sql`team_id = ${teamId} and agent_id = ${agentId}`

/**
 * SQL of the people of a page (`page`) and how many there are (`found`). Nobody falls out of the newest while there are no more than
 * those: then an index has them in their order.
 */
function pageOf(own: RawBuilder<unknown>, { filter, limit, offset }: KeptAsked): RawBuilder<unknown> {
  const ranked = sql`order by icp desc nulls last, signal, detected_at desc, lead_id desc
    limit ${limit} offset ${offset}`
  const few = sql`(select checked from size) <= ${newestPeople}`
  const newest = sql`
    size as materialized (select count(*)::integer as checked from agent_person
      where ${own} and exists (select 1 from current)),
    newest as materialized (
      select person_urn, lead_id, fact_id, detected_at, ended and listed as shown, icp, signal, engagements, topic,
        source from agent_person
      where ${own} and not ${few} order by detected_at desc, lead_id desc limit ${newestPeople})`
  if (filter === undefined)
    return sql`${newest},
    page as materialized (
      (select person_urn, lead_id, detected_at, icp, signal from agent_person
        where ${own} and ended and listed and ${few} ${ranked})
      union all (select person_urn, lead_id, detected_at, icp, signal from newest where shown ${ranked})),
    found as materialized (select case when ${few}
      then (select count(*) from agent_person where ${own} and ended and listed)
      else (select count(*) from newest where shown) end::integer as total)`
  const columns = sql`person_urn, lead_id, fact_id, detected_at, icp, signal, engagements, topic, source`
  return sql`${newest},
    passing as materialized (
      select p.person_urn, p.lead_id, p.detected_at, p.icp, p.signal from (
        select ${columns} from agent_person where ${own} and ended and listed and ${few}
        union all select ${columns} from newest where shown) p ${filter.joins}
      where ${filter.condition}),
    page as materialized (select * from passing ${ranked}),
    found as materialized (select count(*)::integer as total from passing)`
}

/** SQL of what the engagements of people `shown` say (`said`), with what the author of each post stands for. */
const saidOf = ({ teamId, agentId }: AgentOf, topics: string): RawBuilder<unknown> => sql`
    line as materialized (
      select s.person_urn, e.place, (e.one ->> 'leadId')::uuid as lead_id, e.one ->> 'postUrn' as post_urn
      from shown s cross join lateral jsonb_array_elements(s.judged -> 'engagements') with ordinality as e(one, place)),
    named as materialized (
      select p.* from (select distinct post_urn from line where post_urn is not null) asked cross join lateral (
        select post_urn, author_urn, headline_topic from agent_post
        where ${ownOf({ teamId, agentId })} and post_urn = asked.post_urn and topics = ${topics} limit 1) p),
    written as materialized (
      select p.* from (select distinct author_urn from named where author_urn is not null) author cross join lateral (
        select author_urn, post_urn collate "C" as urn, topic, headline_topic from agent_post
        where ${ownOf({ teamId, agentId })} and author_urn = author.author_urn and topics = ${topics}
        order by post_urn desc limit ${mostOfAuthor}) p),
    stands as materialized (
      select distinct on (author_urn) author_urn, topic from (
        select author_urn, headline_topic as topic, 0 as rank, 0 as posts, urn from written
        where headline_topic is not null
        union all select author_urn, topic, 1, count(*), max(urn) from written where topic is not null
        group by author_urn, topic) each
      order by author_urn, rank, posts desc, urn desc),
    poster as materialized (
      select n.post_urn, case when n.author_urn is null then n.headline_topic else s.topic end as topic
      from named n left join stands s on s.author_urn = n.author_urn),
    said as materialized (
      select g.person_urn, json_agg(case when l.id is not null then json_build_array(l.engagement_type, l.reaction,
          l.is_reply, l.comment_text, l.post_url, l.created_at, poster.topic) end order by g.place) as lines
      from line g
      left join lateral (select id, engagement_type, reaction, is_reply, comment_text, post_url, created_at from lead
        where team_id = ${teamId} and id = g.lead_id limit 1) l on true
      left join poster on poster.post_urn = g.post_urn
      group by g.person_urn)`

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
  const { rows } = await sql<
    Omit<KeptPage, 'people'> & { current: boolean } & { [K in keyof KeptPerson]: KeptPerson[K] | null }
  >`
    with current as materialized (${isCurrent(agent, asked.judgedBy)}
        and not exists (select 1 from agent_ranking_due where ${own})),
    ${pageOf(own, asked)},
    shown as materialized (
      select p.person_urn, p.lead_id, p.fact_id, p.detected_at, p.icp, p.signal, p.engagements, p.judged from page g
      join agent_person p on p.team_id = ${teamId} and p.agent_id = ${agent.agentId} and p.person_urn = g.person_urn),
    ${saidOf(agent, asked.topics)}
    select exists (select 1 from current) as current, (select checked from size) as checked,
      (select total from found) as total,
      (select count(*) from agent_person where ${own} and waiting)::integer as enriching, one.*
    from (select 1) row left join (
      select p.person_urn as urn, p.lead_id as id, p.detected_at as "detectedAt", p.signal, p.icp,
        p.engagements as "engagementCount", p.judged, said.lines as said, ${facts},
        (select left(text, ${longestText}) from post
          where team_id = ${teamId} and urn = p.judged #>> '{engagements,0,postUrn}' limit 1) as "postText"
      from shown p
      join said on said.person_urn = p.person_urn
      cross join lateral (select * from lead
        where team_id = ${teamId} and id = coalesce(p.fact_id, p.lead_id) limit 1) f
      left join lateral (select name, avatar_url from lead
        where team_id = ${teamId} and id = p.lead_id and p.fact_id <> p.lead_id limit 1) n on true
      left join company c on c.urn = f.company_urn) one on true
    order by one.icp desc nulls last, one.signal, one."detectedAt" desc, one.id desc`.execute(db)
  const { current, total, checked, enriching } = rows[0]!
  if (!current) return undefined
  const people = rows.filter((row) => row.urn !== null) as unknown as KeptPerson[]
  return { total, checked, enriching, people }
}
