/** SQL that reads leads as the lists show them (specification «Leads»; G37, G40..G44). */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { farDown, idsFarDown, type Page } from './deep-pages.ts'
import { idsWithTextFarDown } from './deep-texts.ts'
import { labelJoins, labelOfSource } from '../source-labels/index.ts'
import { webhookStatusNow } from './clearing.ts'
import { branchesOf, conditions, isWhole, type LeadFilter } from './filter.ts'
import { readHidden } from './hidden.ts'
import { countAbove, pageByPlaces, type Places } from './places.ts'
import { frequentTextOf, newestChosen, type ChosenList, type LeadList } from './text-choice.ts'
import { keptTotal } from './totals.ts'
import { withVerdicts, type VerdictSource } from './verdicts.ts'

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
  /** Why its enrichment was skipped; null when it was not. */
  skip_reason: 'source_untracked' | null
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
  ${webhookStatusNow} as webhook_status, l.linkedin_url, l.avatar_url, l.headline,
  l.job_title, l.country, l.company_name, l.company_domain, l.company_industry, l.company_enriched_at, c.website,
  c.linkedin_url as company_linkedin_url, c.description, c.headquarters,
  c.employee_count, c.staff_range, l.source_id, l.source_kind, ${labelOfSource} as source_label, l.post_url, l.post_urn,
  l.enrichment, l.skip_reason, l.created_at, ${verdicts.isOpen(teamId)} as judging`

/** A page, and the offset from which one counts as far down. */
type DeepPage = Page & { readonly deep: number }

/** The leads of a page of those that substrings have chosen, one more than asked when there are more. */
async function idsOfChosen(db: Reader, list: ChosenList, page: DeepPage): Promise<string[]> {
  const text = page.offset >= page.deep ? frequentTextOf(list) : null
  if (text) return idsWithTextFarDown(db, text, page)
  return (await newestChosen(db, list, page.offset + page.limit + 1)).slice(page.offset)
}

/** SQL: the leads of a page that no substring has chosen. */
async function placesOf(db: Reader, { teamId, filter }: LeadList, page: DeepPage): Promise<RawBuilder<unknown>> {
  if (page.offset < page.deep)
    return sql`select l.id from lead l where ${conditions(teamId, filter)}
      order by l.created_at desc, l.id desc limit ${page.limit + 1} offset ${page.offset}`
  const total = isWhole(filter) ? keptTotal(teamId, filter) : null
  return sql`select unnest(${await idsFarDown(db, { branches: branchesOf(teamId, filter), total }, page)}::uuid[])`
}

/** Which page is asked for, and where criteria that have not reached all leads come from. */
export interface PageAsked extends Page {
  readonly verdicts: VerdictSource
  /** The offset from which a page is read as one far down; tests ask for 0. */
  readonly deep?: number
  /** What is remembered of lists; without it every page is read from the beginning. */
  readonly places?: Places | undefined
  /** A place is remembered every so many people that a page of people far down comes past; tests ask for few. */
  readonly passedEvery?: number
}

/** A page of leads, newest stored first (G41), with one row more than asked when there is more. */
export async function pageOfLeads(db: Reader, list: LeadList, asked: PageAsked): Promise<LeadRow[]> {
  const { limit, offset, verdicts, deep = farDown, places } = asked
  const name = offset < deep ? null : await nameOf(db, list)
  // Named, the sources that a list hides are told from others sooner than looked up for each lead that is skipped.
  const whole = () => readPage(db, name === null ? list : { ...list, filter: name }, { limit, offset, verdicts, deep })
  if (!places || name === null) return whole()
  const { teamId, chosen } = list
  return pageByPlaces(
    db,
    {
      teamId,
      name: ['leads', name],
      furthest: offset,
      read: (start) =>
        start === null
          ? whole()
          : readPage(
              db,
              { teamId, chosen, filter: { ...name, from: start.place } },
              { limit, offset: start.rest, verdicts, deep: Infinity },
            ),
      above: (place) => countAbove(db, conditions(teamId, name), place),
    },
    { limit, offset, places },
  )
}

/**
 * The filter of a list that places are remembered of, with all that it hides; null where they are not: its rows are at hand, are chosen by
 * verdicts or states that are not stored, or hide more sources than are named.
 */
export async function nameOf(db: Reader, { teamId, filter, chosen }: LeadList): Promise<LeadFilter | null> {
  if (filter.open.length > 0 || filter.clearing || (chosen && 'ids' in chosen)) return null
  // The paging is no part of a filter, though what asks for a list may carry it.
  const { limit: _limit, offset: _offset, ...kept } = filter as LeadFilter & Partial<Page>
  const hidden = filter.hidden ?? (await readHidden(db, teamId, filter))
  const hidesNone = filter.ownerId !== null || (filter.includeInactive && filter.includeSyncing)
  return hidden === undefined && !hidesNone ? null : { ...kept, hidden: hidden?.toSorted() }
}

/** A page of leads, read from the beginning of its list. */
async function readPage(
  db: Reader,
  { teamId, filter, chosen }: LeadList,
  { limit, offset, verdicts, deep }: DeepPage & Pick<PageAsked, 'verdicts'>,
): Promise<LeadRow[]> {
  const page = { limit, offset, deep }
  const ofPage = chosen
    ? sql`any(${await idsOfChosen(db, { teamId, filter, chosen }, page)})`
    : sql`any(array(${await placesOf(db, { teamId, filter, chosen }, page)}))`
  const { rows } = await sql<LeadRow>`
    with page as (select * from lead l where l.team_id = ${teamId} and l.enrichment <> 'raw' and l.id = ${ofPage})
    select ${columnsOf(teamId, verdicts)} from page l
    left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
    order by l.created_at desc, l.id desc`.execute(db)
  return withVerdicts(db, { teamId, rows, verdicts })
}

/** Where a batch ends. */
export type LeadPlace = { readonly at: Date; readonly id: string }

/** The leads of a list after a place, newest stored first, by what narrows it: for walking a whole list. */
export async function batchOfLeads(
  db: Reader,
  { teamId, filter }: Pick<LeadList, 'teamId' | 'filter'>,
  {
    after,
    limit,
    verdicts,
  }: { readonly after: LeadPlace | null; readonly limit: number; readonly verdicts: VerdictSource },
): Promise<LeadRow[]> {
  const from = after === null ? sql`true` : sql`(l.created_at, l.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<LeadRow>`
    with page as (select * from lead l where ${conditions(teamId, filter)} and ${from}
      order by l.created_at desc, l.id desc limit ${limit})
    select ${columnsOf(teamId, verdicts)} from page l
    left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
    order by l.created_at desc, l.id desc`.execute(db)
  return withVerdicts(db, { teamId, rows, verdicts })
}

/** Leads by id, for payloads; raw ones are left out. */
export async function leadsById(
  db: Reader,
  teamId: string,
  { ids, verdicts }: { readonly ids: readonly string[]; readonly verdicts: VerdictSource },
): Promise<LeadRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LeadRow>`
    select ${columnsOf(teamId, verdicts)} from lead l
    left join company c on c.urn = l.company_urn
    left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
    where l.team_id = ${teamId} and l.id = any(${ids}) and l.enrichment <> 'raw'`.execute(db)
  return withVerdicts(db, { teamId, rows, verdicts })
}
