/** SQL of an agent's sources, the people they captured and their engagements; set-based, never one statement per person. */
import { createHash } from 'node:crypto'
import type { companyFields } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { companyColumns, isoText, labelLookups, labelOfSource, type LeadResource } from '../../leads/index.ts'
import { plannedOnce } from '../../../platform/db/prepared.ts'
import { queryAll, queryOne } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import type { FitFacts } from '../rules/agent-fit.ts'
import type { CapturedEngagement } from '../rules/agent-people.ts'
import { rulesVersion } from '../rules/version.ts'

export type AgentOf = { readonly teamId: string; readonly agentId: string }

/** A source of an agent; `topic` is the one its search looks for. */
export type AgentSource = {
  readonly id: string
  readonly type: 'person' | 'company' | 'post' | 'keyword'
  readonly label: string
  readonly active: boolean
  readonly topic: string | null
  readonly made: boolean
  /** It belongs to the agent's last start. */
  readonly launched: boolean
  /** A run has ended since that start. */
  readonly synced: boolean
  readonly waiting: boolean
}

/** An agent's profile, the sources of its leads, and the progress of its last start. */
export type AgentView = {
  readonly id: string
  readonly profile: {
    readonly titles: string[]
    readonly industries: string[]
    readonly companySizes: string[]
    readonly countries: string[]
    readonly topics: string[]
  }
  readonly launchedAt: Date | null
  readonly discoverRun: string | null
  readonly peopleAdded: boolean
  readonly sources: readonly AgentSource[]
}

/**
 * Reads an agent's view; without an id, that of the team's oldest agent; undefined when there is none. Searches the agent did not
 * create count only while they belong to its last start.
 */
export async function findAgentView(
  db: Reader,
  { teamId, agentId }: { teamId: string; agentId: string | undefined },
): Promise<AgentView | undefined> {
  const named = agentId === undefined ? sql`true` : sql`a.id = ${agentId}`
  // One row for all sources: the profile is larger than everything read about a source, and would be repeated.
  const { rows } = await plannedOnce(sql<AgentView>`
    select a.id, a.profile, a.launched_at as "launchedAt", a.discover_run as "discoverRun",
      a.people_added as "peopleAdded", (select coalesce(json_agg(one), '[]') from (
        select s.id, s.type, ${labelOfSource} as label, s.status = 'active' as active, x.topic, x.made,
          x.launch = a.launch as launched,
          coalesce(s.open_sync_id is null and y.finished_at >= a.launched_at, false) as synced,
          s.leads_pending > 0 as waiting
        from agent_source x
        join source s on s.team_id = x.team_id and s.id = x.source_id
        ${labelLookups}
        left join lateral (select finished_at from sync where team_id = s.team_id and id = s.last_sync_id limit 1) y on true
        where x.team_id = a.team_id and x.agent_id = a.id and (x.made or x.launch = a.launch)
        order by x.added_at, s.id) one) as sources
    from agent a where a.team_id = ${teamId} and ${named}
    order by a.created_at, a.id limit 1`).execute(db)
  return rows[0]
}

export const digestOf = (judgedBy: unknown): string =>
  createHash('sha256').update(JSON.stringify(judgedBy)).digest('base64url').slice(0, 22)

/**
 * A short digest of what people are judged by: the rules' version, the judging parts of the profile, and the sources in order
 * with their topics. Stored with judgements, so that one made by anything else is never shown.
 */
export function viewDigest({ profile, sources }: AgentView): string {
  const { titles, industries, companySizes, countries, topics } = profile
  const judged = [rulesVersion, titles, industries, companySizes, countries, topics]
  const read = sources.map(({ id, topic }) => [id, topic])
  return digestOf([judged, read])
}

/** Which people to read: the newest captured, those of some leads, or these. */
export type WhichPeople = 'newest' | { readonly leadIds: readonly string[] } | { readonly urns: readonly string[] }

/** The most people read, and the most of their lead rows. */
export const newestPeople = 5_000
const newestRows = 20_000

/** A person as captured; `engagements` has one entry per lead row, the newest first. */
export type PersonRow = FitFacts & {
  readonly urn: string
  readonly id: string
  readonly factId: string | null
  readonly ended: boolean
  readonly waiting: boolean
  readonly engagements: readonly CapturedEngagement[]
  readonly detectedAt: Date
  readonly companyUrn: string | null
}

const wanted = sql`l.id, l.person_urn, l.engagement_key, l.post_urn, l.enrichment, l.created_at`

function rowsOf(teamId: string, sourceIds: readonly string[], which: WhichPeople): RawBuilder<unknown> {
  const sources = sql`unnest(${sourceIds}::uuid[]) with ordinality as s(id, number)`
  if (which === 'newest')
    return sql`
      select l.*, s.number from ${sources} cross join lateral (
        select ${wanted} from lead l where l.team_id = ${teamId} and l.owner_id = s.id and l.enrichment <> 'raw'
        order by l.created_at desc, l.id desc limit ${newestRows}) l
      order by l.created_at desc, l.id desc limit ${newestRows}`
  const named =
    'urns' in which
      ? sql`select distinct person_urn from unnest(${which.urns}::text[]) as asked(person_urn)`
      : sql`
      select distinct asked.person_urn from unnest(${which.leadIds}::uuid[]) as named(id)
      cross join lateral (select person_urn from lead where team_id = ${teamId} and id = named.id limit 1) asked`
  return sql`
    select ${wanted}, s.number from (${named}) people
    join lead l on l.team_id = ${teamId} and l.person_urn = people.person_urn and l.enrichment <> 'raw'
    join ${sources} on s.id = l.owner_id`
}

/** Reads people with their facts and engagements, the newest first. */
export async function listPeople(
  db: Reader,
  { teamId, sourceIds, people }: { teamId: string; sourceIds: readonly string[]; people: WhichPeople },
): Promise<PersonRow[]> {
  if (sourceIds.length === 0) return []
  return queryAll<PersonRow>(db)`
    with captured as materialized (${rowsOf(teamId, sourceIds, people)}),
    people as materialized (
      select person_urn, max(created_at) as detected_at, (array_agg(id order by created_at desc, id desc))[1] as id,
        (array_agg(id order by created_at desc, id desc) filter (where enrichment = 'completed'))[1] as fact_id,
        bool_or(enrichment in ('completed', 'failed', 'skipped')) as ended,
        bool_or(enrichment in ('pending', 'processing')) as waiting,
        json_agg(json_build_object('leadId', id, 'source', number, 'postUrn', post_urn, 'key', engagement_key)
          order by created_at desc, id desc) as engagements
      from captured group by person_urn collate "C", person_urn
      order by max(created_at) desc, (array_agg(id order by created_at desc, id desc))[1] desc limit ${newestPeople})
    select p.person_urn as urn, p.id, p.fact_id as "factId", p.ended, p.waiting, p.engagements,
      p.detected_at as "detectedAt", f.job_title as "jobTitle", f.country,
      f.company_urn as "companyUrn", f.company_industry as industry, c.staff_range as "staffRange",
      c.employee_count as "employeeCount"
    from people p
    left join lead f on f.team_id = ${teamId} and f.id = p.fact_id
    left join company c on c.urn = f.company_urn
    order by p.detected_at desc, p.id desc`
}

/** Counts the people captured by sources, and those waiting for enrichment. */
export async function countPeople(
  db: Reader,
  teamId: string,
  sourceIds: readonly string[],
): Promise<{ checked: number; enriching: number }> {
  if (sourceIds.length === 0) return { checked: 0, enriching: 0 }
  return (await queryOne<{ checked: number; enriching: number }>(db)`
    select (select count(distinct person_urn) from lead
      where team_id = ${teamId} and owner_id = any(${sourceIds}::uuid[]) and enrichment <> 'raw')::integer as checked,
      (select count(distinct person_urn) from lead
        where team_id = ${teamId} and owner_id = any(${sourceIds}::uuid[])
          and enrichment in ('pending', 'processing'))::integer as enriching`)!
}

/** The owner of each lead, by lead id; raw leads are left out. */
export async function ownersOf(db: Reader, teamId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; ownerId: string }>`
    select l.id, l.owner_id as "ownerId" from unnest(${ids}::uuid[]) as asked(id)
    cross join lateral (select id, owner_id from lead
      where team_id = ${teamId} and id = asked.id and enrichment <> 'raw' limit 1) l`.execute(db)
  return new Map(rows.map((row) => [row.id, row.ownerId]))
}

export type SaidDetail = Pick<LeadResource, 'engagementType' | 'commentText' | 'postUrl' | 'createdAt'> & {
  readonly reaction: string | null
  readonly isReply: boolean
}

export type FactDetail = Pick<
  LeadResource,
  'name' | 'linkedinUrl' | 'avatarUrl' | 'jobTitle' | 'country' | keyof typeof companyFields
>

export type LeadDetail = SaidDetail & FactDetail & { readonly id: string }

const saidFields = sql`l.id, l.engagement_type as "engagementType", l.reaction, l.is_reply as "isReply",
  l.comment_text as "commentText", l.post_url as "postUrl", ${isoText(sql`l.created_at`)} as "createdAt"`

/** Reads lead rows by id. */
export async function listDetails(
  db: Reader,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, LeadDetail>> {
  if (ids.length === 0) return new Map()
  const { rows } = await plannedOnce(sql<LeadDetail>`
    select ${saidFields}, l.name, l.linkedin_url as "linkedinUrl", l.avatar_url as "avatarUrl",
      l.job_title as "jobTitle", l.country, ${companyColumns}
    from unnest(${ids}::uuid[]) as asked(id)
    cross join lateral (select * from lead where team_id = ${teamId} and id = asked.id limit 1) l
    left join company c on c.urn = l.company_urn`).execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Reads the engagement part of lead rows by id. */
export async function listSaid(db: Reader, teamId: string, ids: readonly string[]): Promise<Map<string, SaidDetail>> {
  if (ids.length === 0) return new Map()
  const { rows } = await plannedOnce(sql<SaidDetail & { id: string }>`
    select ${saidFields}
    from unnest(${ids}::uuid[]) as asked(id)
    cross join lateral (select * from lead where team_id = ${teamId} and id = asked.id limit 1) l`).execute(db)
  return new Map(rows.map(({ id, ...said }) => [id, said]))
}
