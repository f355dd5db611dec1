/** SQL that reads leads as lists show them (G37, G40..G44), and leads chosen for an action. */
import type { rawLead } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { plannedOnce } from '../../platform/db/prepared.ts'
import { queryAll, queryColumn } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { verdictOf, type VerdictColumns } from './exclusions/verdict.ts'
import { labelJoins, labelOfSource } from './labels.ts'
import { webhookStatusNow } from './clearing.ts'
import { companyColumns, isoText, personColumns, type LeadResource } from './present.ts'
import { resultsOf } from './results.ts'
import { chosenIds, conditions, listedLeads, readList, type LeadList, type ListInput, type Page } from './list.ts'

const columns = sql`l.id, l.name, l.engagement_type as "engagementType", l.comment_text as "commentText",
  ${isoText(sql`l.post_posted_at`)} as "postPostedAt", ${isoText(sql`l.comment_posted_at`)} as "commentPostedAt",
  l.is_icp as "isIcp", ${webhookStatusNow} as "webhookStatus", l.linkedin_url as "linkedinUrl",
  l.avatar_url as "avatarUrl", l.headline, l.job_title as "jobTitle", l.country, ${companyColumns},
  l.source_id as "sourceId", l.source_kind as "sourceKind", ${labelOfSource} as "sourceLabel",
  l.post_url as "postUrl", l.post_urn as "postUrn", l.enrichment as "enrichmentStatus",
  l.skip_reason as "skippedReason", ${isoText(sql`l.created_at`)} as "createdAt", ${personColumns}`

/**
 * SQL: a query's leads with all that lists show, newest stored first (G41). The page is materialized first, or sorting every lead
 * would look cheap to the planner.
 */
const shown = (teamId: string, leads: RawBuilder<unknown>): RawBuilder<ShownLead> => sql<ShownLead>`
  with page as materialized (${leads})
  select ${columns} from page l
  left join company c on c.urn = l.company_urn
  left join source s on s.team_id = l.team_id and s.id = l.source_id ${labelJoins}
  cross join ${resultsOf}
  cross join ${verdictOf(teamId)}
  order by l.created_at desc, l.id desc`

type ShownLead = Omit<LeadResource, 'skippedReason'> & { skippedReason?: LeadResource['skippedReason'] | null }

/** Leads as read; a lead has no `skippedReason` unless its enrichment was skipped. */
function toLeads(rows: readonly ShownLead[]): LeadResource[] {
  for (const row of rows) if (row.skippedReason === null) delete row.skippedReason
  return rows as LeadResource[]
}

/** The ids of a page, newest first, plus one more when there is more. */
export async function idsOfPage(db: Reader, list: LeadList, { limit, offset }: Page): Promise<readonly string[]> {
  const { teamId, filter } = list
  const chosen = chosenIds(list)
  if (chosen) return chosen.slice(offset, offset + limit + 1)
  return queryColumn<string>(db)`
    select l.id from lead l where ${conditions(teamId, filter)}
    order by l.created_at desc, l.id desc limit ${limit + 1} offset ${offset}`
}

export type LeadPlace = { readonly at: Date; readonly id: string }

/** The next leads of a list after a place, by its conditions (never by chosen ids). */
export async function batchOfLeads(
  db: Reader,
  { teamId, filter }: LeadList,
  { after, limit }: { after: LeadPlace | null; limit: number },
): Promise<LeadResource[]> {
  const from = after === null ? sql`true` : sql`(l.created_at, l.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await shown(
    teamId,
    sql`
    select * from lead l where ${conditions(teamId, filter)} and ${from}
    order by l.created_at desc, l.id desc limit ${limit}`,
  ).execute(db)
  return toLeads(rows)
}

/** Leads by id, newest first; raw ones are left out. */
export async function leadsById(db: Reader, teamId: string, ids: readonly string[]): Promise<LeadResource[]> {
  if (ids.length === 0) return []
  const leads = sql`
    select * from lead l where l.team_id = ${teamId} and l.enrichment <> 'raw' and l.id = any(${ids}::uuid[])`
  const { rows } = await plannedOnce(shown(teamId, leads)).execute(db)
  return toLeads(rows)
}

/** A page of raw leads, newest first, plus one more when there is more (RAW-01..RAW-07). */
export const pageOfRawLeads = (db: Reader, { teamId, filter }: LeadList, { limit, offset }: Page) =>
  queryAll<z.output<typeof rawLead>>(db)`
    with page as materialized (
      select * from lead l where l.team_id = ${teamId} and l.enrichment = 'raw' and l.id = any(array(
        select l.id from lead l where ${conditions(teamId, filter)}
        order by l.created_at desc, l.id desc limit ${limit + 1} offset ${offset})))
    select l.id, l.source_id as "sourceId", l.linkedin_url as "linkedinUrl", l.person_urn as "linkedinUrn", l.name,
      l.engagement_type as action, l.comment_text as "commentText", json_build_object('url', l.post_url,
        'urn', l.post_urn, 'postedAt', ${isoText(sql`l.post_posted_at`)}) as post,
      ${isoText(sql`l.created_at`)} as "detectedAt", ${personColumns}
    from page l cross join ${verdictOf(teamId)} cross join ${resultsOf}
    order by l.created_at desc, l.id desc`

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
export const leadsOfChosen = async (
  db: Reader,
  { teamId, chosen, max }: { teamId: string; chosen: ChosenLeads; max: number },
) =>
  queryColumn<string>(db)`
    select l.id from lead l where ${await conditionOfChosen(db, { teamId, chosen })}
    order by l.created_at desc, l.id desc limit ${max}`

/** The fields about exclusion, of a verdict that was read by itself. */
export const presentVerdict = (row: VerdictColumns) => ({
  excluded:
    row.excluded_list === null
      ? null
      : { list: row.excluded_list, entryId: row.excluded_entry, reason: row.excluded_reason },
  worksAtSource: row.works_at_source,
})
