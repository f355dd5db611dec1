/** SQL that reads leads as lists show them (G37, G40..G44), and leads chosen for an action. */
import { sql, type RawBuilder } from 'kysely'
import { plannedOnce } from '../../platform/db/prepared.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { verdictColumns, verdictOf, type VerdictColumns } from './exclusions/verdict.ts'
import { labelJoins, labelOfSource } from './labels.ts'
import { webhookStatusNow } from './clearing.ts'
import { resultColumns, resultsOf, type ResultColumns } from './results.ts'
import { chosenIds, conditions, listedLeads, readList, type LeadList, type ListInput, type Page } from './list.ts'

/** A lead with its company and the label of its source. */
export type LeadRow = VerdictColumns &
  ResultColumns & {
    id: string
    name: string | null
    engagement_type: 'Like' | 'Comment' | 'Author'
    comment_text: string | null
    post_posted_at: Date | null
    comment_posted_at: Date | null
    is_icp: boolean | null
    webhook_status: 'pending' | 'sent' | 'failed' | 'no_webhook'
    linkedin_url: string
    avatar_url: string | null
    headline: string | null
    job_title: string | null
    country: string | null
    company_name: string | null
    company_domain: string | null
    company_industry: string | null
    company_enriched_at: Date | null
    website: string | null
    company_linkedin_url: string | null
    description: string | null
    headquarters: string | null
    employee_count: number | null
    staff_range: string | null
    source_id: string | null
    source_kind: 'keyword' | 'post' | 'profile' | 'company' | 'discover'
    source_label: string | null
    post_url: string | null
    post_urn: string | null
    enrichment: 'pending' | 'processing' | 'completed' | 'failed' | 'skipped'
    /** Null unless enrichment was skipped. */
    skip_reason: 'source_untracked' | null
    created_at: Date
  }

/** The columns about the person's employer (LED-17). */
export type CompanyColumns = Pick<
  LeadRow,
  | 'company_name'
  | 'company_domain'
  | 'company_industry'
  | 'company_enriched_at'
  | 'website'
  | 'company_linkedin_url'
  | 'description'
  | 'headquarters'
  | 'employee_count'
  | 'staff_range'
>

const columns = sql`l.id, l.name, l.engagement_type, l.comment_text, l.post_posted_at, l.comment_posted_at, l.is_icp,
  ${webhookStatusNow} as webhook_status, l.linkedin_url, l.avatar_url, l.headline,
  l.job_title, l.country, l.company_name, l.company_domain, l.company_industry, l.company_enriched_at, c.website,
  c.linkedin_url as company_linkedin_url, c.description, c.headquarters,
  c.employee_count, c.staff_range, l.source_id, l.source_kind, ${labelOfSource} as source_label, l.post_url, l.post_urn,
  l.enrichment, l.skip_reason, l.created_at, ${verdictColumns}, ${resultColumns}`

/**
 * SQL: a query's leads with all that lists show, newest stored first (G41). The page is materialized first, or sorting every lead
 * would look cheap to the planner.
 */
const shown = (teamId: string, leads: RawBuilder<unknown>): RawBuilder<LeadRow> => sql<LeadRow>`
  with page as materialized (${leads})
  select ${columns} from page l
  left join company c on c.urn = l.company_urn
  left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
  cross join ${resultsOf}
  cross join ${verdictOf(teamId)}
  order by l.created_at desc, l.id desc`

/** The ids of a page, newest first, plus one more when there is more. */
export async function idsOfPage(db: Reader, list: LeadList, { limit, offset }: Page): Promise<readonly string[]> {
  const { teamId, filter } = list
  const chosen = chosenIds(list)
  if (chosen) return chosen.slice(offset, offset + limit + 1)
  const { rows } = await sql<{ id: string }>`
    select l.id from lead l where ${conditions(teamId, filter)}
    order by l.created_at desc, l.id desc limit ${limit + 1} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The last row of a batch, as a cursor. */
export type LeadPlace = { readonly at: Date; readonly id: string }

/** The next leads of a list after a place, by its conditions (never by chosen ids). */
export async function batchOfLeads(
  db: Reader,
  { teamId, filter }: LeadList,
  { after, limit }: { after: LeadPlace | null; limit: number },
): Promise<LeadRow[]> {
  const from = after === null ? sql`true` : sql`(l.created_at, l.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await shown(
    teamId,
    sql`
    select * from lead l where ${conditions(teamId, filter)} and ${from}
    order by l.created_at desc, l.id desc limit ${limit}`,
  ).execute(db)
  return rows
}

/** Leads by id, newest first; raw ones are left out. */
export async function leadsById(db: Reader, teamId: string, ids: readonly string[]): Promise<LeadRow[]> {
  if (ids.length === 0) return []
  const leads = sql`
    select * from lead l where l.team_id = ${teamId} and l.enrichment <> 'raw' and l.id = any(${ids}::uuid[])`
  const { rows } = await plannedOnce(shown(teamId, leads)).execute(db)
  return rows
}

/** A raw lead. */
export type RawRow = VerdictColumns &
  ResultColumns & {
    id: string
    source_id: string | null
    linkedin_url: string
    person_urn: string
    name: string | null
    engagement_type: 'Like' | 'Comment' | 'Author'
    comment_text: string | null
    post_url: string | null
    post_urn: string | null
    post_posted_at: Date | null
    created_at: Date
  }

/** A page of raw leads, newest first, plus one more when there is more (RAW-01..RAW-07). */
export async function pageOfRawLeads(
  db: Reader,
  { teamId, filter }: LeadList,
  { limit, offset }: Page,
): Promise<RawRow[]> {
  const { rows } = await sql<RawRow>`
    with page as materialized (
      select * from lead l where l.team_id = ${teamId} and l.enrichment = 'raw' and l.id = any(array(
        select l.id from lead l where ${conditions(teamId, filter)}
        order by l.created_at desc, l.id desc limit ${limit + 1} offset ${offset})))
    select l.id, l.source_id, l.linkedin_url, l.person_urn, l.name, l.engagement_type, l.comment_text, l.post_url,
      l.post_urn, l.post_posted_at, l.created_at, ${verdictColumns}, ${resultColumns}
    from page l cross join ${verdictOf(teamId)} cross join ${resultsOf}
    order by l.created_at desc, l.id desc`.execute(db)
  return rows
}

type ChosenLeads =
  | { readonly by: 'ids'; readonly ids: readonly string[] }
  | { readonly by: 'source'; readonly sourceId: string }
  | { readonly by: 'filters'; readonly filters: ListInput }

/** The chosen leads of the team as a condition on `lead l`; refuses filters that `GET /leads` refuses. Raw leads only by id. */
export async function conditionOfChosen(
  db: Reader,
  { teamId, chosen }: { teamId: string; chosen: ChosenLeads },
): Promise<RawBuilder<unknown>> {
  if (chosen.by === 'ids') return sql`l.team_id = ${teamId} and l.id = any(${chosen.ids}::uuid[])`
  if (chosen.by === 'source')
    return sql`l.team_id = ${teamId} and l.owner_id = ${chosen.sourceId} and l.enrichment <> 'raw'`
  return listedLeads(await readList(db, { teamId, input: chosen.filters }))
}

/** The ids of chosen leads, newest first, at most `max`. */
export async function leadsOfChosen(
  db: Reader,
  { teamId, chosen, max }: { teamId: string; chosen: ChosenLeads; max: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select l.id from lead l where ${await conditionOfChosen(db, { teamId, chosen })}
    order by l.created_at desc, l.id desc limit ${max}`.execute(db)
  return rows.map(({ id }) => id)
}
