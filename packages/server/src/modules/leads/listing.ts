/** SQL that reads leads as the lists show them (specification «Leads»; G37, G40..G44). Raw leads are excluded here, once. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { farDown, idsFarDown, type Page } from './deep-pages.ts'
import { idsWithTextFarDown, type ListWithText } from './deep-texts.ts'
import { labelJoins, labelOfSource } from '../source-labels/index.ts'
import { verdictOf, withVerdicts, type OpenCriteria, type VerdictSource } from './verdicts.ts'
import { containsText, leadsWithText, newestWithText, textFiltersOf, type TextFilter, type TextReach } from './texts.ts'
import { hiddenSources, isShown } from './hidden.ts'

/** What a list is filtered by; everything combines with AND. */
export type LeadFilter = {
  /** Null: the whole team. */
  readonly ownerId: string | null
  readonly includeInactive: boolean
  readonly includeSyncing: boolean
  readonly engagementType?: string | undefined
  readonly isIcp?: boolean | undefined
  readonly webhookStatus?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly name?: string | undefined
  readonly jobTitle?: string | undefined
  readonly company?: string | undefined
  readonly companyDomain?: string | undefined
  readonly country?: string | undefined
  readonly companyIndustry?: string | undefined
  readonly sourceKind?: 'keyword' | 'post' | 'profile' | 'all' | undefined
  /** Criteria that have not reached all leads yet; read where `isIcp` is asked for. */
  readonly open: readonly OpenCriteria[]
  /**
   * The sources whose leads the list hides, where they were read before it; else the statement finds them itself. Named, they let
   * the planner see that they hide next to nothing, so that it walks an index in its order instead of sorting every lead.
   */
  readonly hidden?: readonly string[] | undefined
}

/** A lead with its company record and what its source is called. */
export type LeadRow = {
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
  created_at: Date
  /** Criteria were open when the row was read. */
  judging: boolean
}

/** What a row says of the employer of its person (LED-17). */
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

const columnsOf = (
  teamId: string,
  verdicts: VerdictSource,
) => sql`l.id, l.name, l.engagement_type, l.comment_text, l.post_posted_at, l.comment_posted_at, l.is_icp,
  l.webhook_status, l.linkedin_url, l.avatar_url, l.headline,
  l.job_title, l.country, l.company_name, l.company_domain, l.company_industry, l.company_enriched_at, c.website,
  c.linkedin_url as company_linkedin_url, c.description, c.headquarters,
  c.employee_count, c.staff_range, l.source_id, l.source_kind, ${labelOfSource} as source_label, l.post_url, l.post_urn,
  l.enrichment, l.created_at, ${verdicts.isOpen(teamId)} as judging`

/** The rows a list is made of before anything narrows it, as a condition on `lead l`. Raw leads are excluded here and nowhere else. */
export function scopeOf(teamId: string, filter: LeadFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`l.team_id = ${teamId}`, sql`l.enrichment <> 'raw'`]
  if (filter.ownerId !== null) parts.push(sql`l.owner_id = ${filter.ownerId}`)
  else if (!filter.includeInactive || !filter.includeSyncing) parts.push(isShown(teamId, filter))
  return sql.join(parts, sql` and `)
}

/** The rows of a list, as a condition on `lead l`; `kinds`: where only some of the kinds of sources that it finds are read. */
export const conditions = (teamId: string, filter: LeadFilter, kinds = kindsOf(filter)): RawBuilder<unknown> => {
  const texts = textFiltersOf(filter).map((text) => containsText('l', text))
  return sql.join([scopeOf(teamId, filter), ...narrowing(filter, kinds), ...texts], sql` and `)
}

/** What a filter demands beyond the scope of the list and its substrings; nothing when it is unfiltered. */
function narrowing(filter: LeadFilter, kinds = kindsOf(filter)): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = []
  if (filter.engagementType !== undefined) parts.push(sql`l.engagement_type = ${filter.engagementType}`)
  if (filter.isIcp !== undefined) parts.push(sql`${verdictOf(filter.open)} = ${filter.isIcp}`)
  if (filter.webhookStatus !== undefined) parts.push(sql`l.webhook_status = ${filter.webhookStatus}`)
  if (filter.since) parts.push(sql`l.created_at >= ${filter.since}`)
  if (filter.until) parts.push(sql`l.created_at <= ${filter.until}`)
  if (kinds) parts.push(kinds.length === 1 ? sql`l.source_kind = ${kinds[0]}` : sql`l.source_kind = any(${kinds})`)
  return parts
}

/** The kinds of `lead.source_kind` that a filter finds; null for all. */
function kindsOf({ sourceKind }: LeadFilter): readonly string[] | null {
  if (sourceKind === undefined || sourceKind === 'all') return null
  return sourceKind === 'profile' ? ['profile', 'company'] : [sourceKind]
}

/** The conditions that make up a list, each of rows that one index has in order: of a list by two kinds of sources one a kind. */
const branchesOf = (teamId: string, filter: LeadFilter): RawBuilder<unknown>[] =>
  kindsOf(filter)?.map((kind) => conditions(teamId, filter, [kind])) ?? [conditions(teamId, filter)]

/** Matches counted at most (G37). */
export const countLimit = 10_000

/**
 * What substrings say about a list of the whole team: all its leads, newest first, or a substring that is in more than
 * 10,000 and is the only filter.
 */
export type Chosen = { readonly ids: string[] } | { readonly frequent: TextFilter; readonly reach: TextReach }

/**
 * Chooses leads by their texts; null when no substring is asked for, or when another way is shorter: one source's
 * leads, filters that are all frequent.
 */
export async function chooseByText(db: Reader, teamId: string, filter: LeadFilter): Promise<Chosen | null> {
  const texts = textFiltersOf(filter)
  if (filter.ownerId !== null) return null
  const isSingle = texts.length === 1 && narrowing(filter).length === 0
  for (const text of texts) {
    const { ids, reach } = await leadsWithText(db, teamId, scopeOf(teamId, filter), text, countLimit)
    if (!ids) {
      if (isSingle) return { frequent: text, reach }
      continue
    }
    if (isSingle) return { ids }
    const { rows } = await sql<{
      id: string
    }>`select l.id from lead l where ${conditions(teamId, filter)} and l.id = any(${ids})
      order by l.created_at desc, l.id desc`.execute(db)
    return { ids: rows.map((row) => row.id) }
  }
  return null
}

/** A list that substrings have chosen from. */
export type ChosenList = { readonly teamId: string; readonly filter: LeadFilter; readonly chosen: Chosen }

/** The newest of the leads that substrings have chosen, `needed` when there are so many. */
export const newestChosen = async (db: Reader, list: ChosenList, needed: number): Promise<string[]> => {
  const { teamId, filter, chosen } = list
  return 'ids' in chosen
    ? chosen.ids.slice(0, needed)
    : newestWithText(db, teamId, scopeOf(teamId, filter), chosen.frequent, chosen.reach, needed)
}

/** Such a list as its pages far down are read; null when its leads are at hand. */
export const frequentTextOf = ({ teamId, filter, chosen }: ChosenList): ListWithText | null =>
  'frequent' in chosen ? { teamId, scope: scopeOf(teamId, filter), filter: chosen.frequent, reach: chosen.reach } : null

/** The leads of a page of those that substrings have chosen, one more than asked when there are more. */
async function idsOfChosen(db: Reader, list: ChosenList, page: Page & { readonly isDeep: boolean }): Promise<string[]> {
  const text = page.isDeep ? frequentTextOf(list) : null
  if (text) return idsWithTextFarDown(db, text, page)
  return (await newestChosen(db, list, page.offset + page.limit + 1)).slice(page.offset)
}

/** True when nothing narrows a list beyond its scope: then it is as long as the kept counts say. */
export const isWhole = (filter: LeadFilter): boolean =>
  narrowing(filter).length === 0 && textFiltersOf(filter).length === 0

/** SQL: how many leads an unfiltered list holds. */
function keptTotal(teamId: string, filter: LeadFilter): RawBuilder<unknown> {
  const scope =
    filter.ownerId !== null
      ? sql`owner_id = ${filter.ownerId}`
      : filter.includeInactive && filter.includeSyncing
        ? sql`true`
        : sql`owner_id not in (${hiddenSources(teamId, filter)})`
  return sql`select coalesce(sum(lead_rows), 0)::bigint from lead_count where team_id = ${teamId} and ${scope}`
}

/** SQL: the leads of a page that no substring has chosen. */
async function placesOf(
  db: Reader,
  teamId: string,
  filter: LeadFilter,
  page: { limit: number; offset: number },
  deep: number,
): Promise<RawBuilder<unknown>> {
  if (page.offset < deep)
    return sql`select l.id from lead l where ${conditions(teamId, filter)}
      order by l.created_at desc, l.id desc limit ${page.limit + 1} offset ${page.offset}`
  const total = isWhole(filter) ? keptTotal(teamId, filter) : null
  return sql`select unnest(${await idsFarDown(db, { branches: branchesOf(teamId, filter), total }, page)}::uuid[])`
}

/** A page of leads, newest stored first (G41), with one row more than asked when there is more. */
export async function pageOfLeads(
  db: Reader,
  teamId: string,
  filter: LeadFilter,
  page: { limit: number; offset: number },
  chosen: Chosen | null,
  verdicts: VerdictSource,
  deep = farDown,
): Promise<LeadRow[]> {
  const ofPage = chosen
    ? sql`any(${await idsOfChosen(db, { teamId, filter, chosen }, { ...page, isDeep: page.offset >= deep })})`
    : sql`any(array(${await placesOf(db, teamId, filter, page, deep)}))`
  const { rows } = await sql<LeadRow>`
    with page as (select * from lead l where l.team_id = ${teamId} and l.enrichment <> 'raw' and l.id = ${ofPage})
    select ${columnsOf(teamId, verdicts)} from page l
    left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
    order by l.created_at desc, l.id desc`.execute(db)
  return withVerdicts(db, teamId, rows, verdicts)
}

/** Where a batch ends. */
export type LeadPlace = { readonly at: Date; readonly id: string }

/** The leads of a list after a place, newest stored first, by what narrows it: for walking a whole list. */
export async function batchOfLeads(
  db: Reader,
  teamId: string,
  filter: LeadFilter,
  after: LeadPlace | null,
  limit: number,
  verdicts: VerdictSource,
): Promise<LeadRow[]> {
  const from = after === null ? sql`true` : sql`(l.created_at, l.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<LeadRow>`
    with page as (select * from lead l where ${conditions(teamId, filter)} and ${from}
      order by l.created_at desc, l.id desc limit ${limit})
    select ${columnsOf(teamId, verdicts)} from page l
    left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
    order by l.created_at desc, l.id desc`.execute(db)
  return withVerdicts(db, teamId, rows, verdicts)
}

/** Leads by id, for payloads; raw ones are left out. */
export async function leadsById(
  db: Reader,
  teamId: string,
  ids: readonly string[],
  verdicts: VerdictSource,
): Promise<LeadRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LeadRow>`
    select ${columnsOf(teamId, verdicts)} from lead l
    left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
    where l.team_id = ${teamId} and l.id = any(${ids}) and l.enrichment <> 'raw'`.execute(db)
  return withVerdicts(db, teamId, rows, verdicts)
}

/** How many leads `l` meet a condition, counted up to 10,000; `exact` is false when there are more (G37). */
export async function countBounded(
  db: Reader,
  condition: RawBuilder<unknown>,
): Promise<{ total: number; exact: boolean }> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::bigint as total
    from (select 1 from lead l where ${condition} limit ${countLimit + 1}) counted`.execute(db)
  const { total } = rows[0]!
  return total > countLimit ? { total: countLimit, exact: false } : { total, exact: true }
}

/** How many match: from kept counters when nothing narrows the list, else counted up to 10,000 (G37). */
export async function countLeads(
  db: Reader,
  teamId: string,
  filter: LeadFilter,
  chosen: Chosen | null,
): Promise<{ total: number; exact: boolean }> {
  if (chosen) return 'ids' in chosen ? { total: chosen.ids.length, exact: true } : { total: countLimit, exact: false }
  if (isWhole(filter)) {
    const { rows } = await sql<{ total: number }>`select (${keptTotal(teamId, filter)})::bigint as total`.execute(db)
    return { total: rows[0]!.total, exact: true }
  }
  return countBounded(db, conditions(teamId, filter))
}
