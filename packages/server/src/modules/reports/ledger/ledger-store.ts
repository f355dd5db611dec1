/** SQL of the ledger's lines: changes of the balance, and free lines, in one list. */
import { sql, type RawBuilder } from 'kysely'
import { queryAll, queryValue } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { linesOfFree, type DisputeState } from '../../credits/index.ts'
import type { KeptLine } from './rules/reasons.ts'

type LedgerFilter = {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly sourceId?: string | undefined
  readonly syncId?: string | undefined
  readonly leadId?: string | undefined
  readonly kind?: 'charge' | 'free' | 'grant' | 'lapse' | 'refund' | undefined
}

export type LedgerLine = KeptLine & {
  readonly id: string
  readonly at: Date
  readonly count: number
  readonly sourceId: string | null
  readonly syncId: string | null
  readonly leadId: string | null
  readonly personUrl: string | null
  readonly personName: string | null
  readonly disputeId: string | null
  readonly disputeState: DisputeState | null
}

// `kind <> 'charge'` is redundant, but makes the planner use the partial index of such lines.
const ofKind: Readonly<Record<'charge' | 'grant' | 'lapse' | 'refund', RawBuilder<unknown>>> = {
  charge: sql`r.kind = 'charge'`,
  grant: sql`r.kind <> 'charge' and (r.kind in ('grant', 'topup') or r.kind = 'adjust' and r.amount >= 0)`,
  lapse: sql`r.kind <> 'charge' and (r.kind = 'lapse' or r.kind = 'adjust' and r.amount < 0)`,
  refund: sql`r.kind <> 'charge' and r.kind = 'refund'`,
}

/** SQL: conditions on a row `r` of either table. */
function conditions(teamId: string, { from, to, sourceId, syncId }: LedgerFilter): RawBuilder<unknown>[] {
  const parts = [sql`r.team_id = ${teamId}`]
  if (from) parts.push(sql`r.created_at >= ${from}`)
  if (to) parts.push(sql`r.created_at <= ${to}`)
  if (sourceId !== undefined) parts.push(sql`r.source_id = ${sourceId}`)
  // The source is added because its lines have an index.
  if (syncId !== undefined)
    parts.push(
      sql`r.sync_id = ${syncId} and r.source_id = (select source_id from sync where team_id = ${teamId} and id = ${syncId})`,
    )
  return parts
}

/** SQL: the lead's person's rows of the same owner. */
const rowsOfLead = (teamId: string, leadId: string) => sql`
  select l.id, l.person_urn, l.owner_id, l.source_id from lead asked
  join lead l on l.team_id = asked.team_id and l.person_urn = asked.person_urn and l.owner_id = asked.owner_id
  where asked.team_id = ${teamId} and asked.id = ${leadId}`

/** SQL: entry `r` is a charge for the person of a lead, or its refund; keys of charges contain the person or lead. */
const isEntryOfLead = (teamId: string, leadId: string) => sql`r.key in (
    with keys as (
      select unnest(array['source:' || owner_id || ':person:' || person_urn, 'discover:' || owner_id || ':person:' || person_urn,
        'enrich:' || coalesce(source_id::text, 'discover') || ':' || id]) as key
      from (${rowsOfLead(teamId, leadId)}) l)
    select key from keys
    union all select 'refund:' || e.id from keys join credit_entry e on e.team_id = ${teamId} and e.key = keys.key)`

const isEngagementOfLead = (teamId: string, leadId: string | undefined, engagement: RawBuilder<unknown>) =>
  leadId === undefined ? sql`true` : sql`${engagement} in (select id from (${rowsOfLead(teamId, leadId)}) l)`

/** SQL: conditions for entries of the team's own account; null when only free lines are asked for. */
function entriesOf(teamId: string, filter: LedgerFilter): RawBuilder<unknown> | null {
  if (filter.kind === 'free') return null
  const kind = filter.kind === undefined ? [] : [ofKind[filter.kind]]
  const about = filter.leadId === undefined ? [] : [isEntryOfLead(teamId, filter.leadId)]
  return sql.join([...conditions(teamId, filter), sql`r.account = 'team'`, ...kind, ...about], sql` and `)
}

/** SQL: conditions for free lines; null when only others are asked for. */
function freeOf(teamId: string, filter: LedgerFilter): RawBuilder<unknown> | null {
  if (filter.kind !== undefined && filter.kind !== 'free') return null
  // Merged lines have no engagements, so they match no lead.
  const about =
    filter.leadId === undefined
      ? []
      : [sql`r.engagements && array(select id from (${rowsOfLead(teamId, filter.leadId)}) l)`]
  return sql.join([...conditions(teamId, filter), ...about], sql` and `)
}

/** Counts lines. */
export async function countLines(db: Reader, teamId: string, filter: LedgerFilter): Promise<number> {
  const [entries, free] = [entriesOf(teamId, filter), freeOf(teamId, filter)]
  return (await queryValue<number>(db)`
    select ((${entries === null ? sql`0` : sql`(select count(*) from credit_entry r where ${entries})`})
      + (${
        free === null
          ? sql`0`
          : filter.leadId === undefined
            ? sql`select coalesce(sum(case when r.engagements is null then 1 else r.count end), 0)
                from free_line r where ${free}`
            : sql`select count(*) from free_line r cross join lateral unnest(r.engagements) as engagement
                where ${free} and ${isEngagementOfLead(teamId, filter.leadId, sql`engagement`)}`
      }))::bigint as total`)!
}

/** A page of lines, newest first: ids are ordered by time. */
export async function listLines(
  db: Reader,
  teamId: string,
  { limit, offset, ...filter }: LedgerFilter & { readonly limit: number; readonly offset: number },
): Promise<LedgerLine[]> {
  const [entries, free] = [entriesOf(teamId, filter), freeOf(teamId, filter)]
  const most = limit + offset
  const lines = [
    ...(entries === null
      ? []
      : [
          sql`(select r.id, r.created_at, r.kind, r.amount, r.key, r.category, 1 as count, r.source_id, r.sync_id,
            null::uuid as engagement from credit_entry r where ${entries} order by r.id desc limit ${most})`,
        ]),
    ...(free === null
      ? []
      : [
          sql`(select line.id, f.created_at, 'free' as kind, 0 as amount, '' as key, f.reason as category,
            case when f.engagements is null then f.count else 1 end as count, f.source_id, f.sync_id,
            f.engagements[nth] as engagement
            from (select * from free_line r where ${free} order by r.id desc limit ${most}) f
            cross join lateral ${linesOfFree}
            where ${isEngagementOfLead(teamId, filter.leadId, sql`f.engagements[nth]`)}
            order by line.id desc limit ${most})`,
        ]),
  ]
  return queryAll<LedgerLine>(db)`
    with page as materialized (
      select * from (${sql.join(lines, sql` union all `)}) listed order by id desc limit ${limit} offset ${offset}
    ), about as (
      select page.*, coalesce(refunded.key, page.key) as fact, coalesce(refunded.id, page.id) as entry_id,
        coalesce(refunded.source_id, page.source_id) as owner_id
      from page left join credit_entry refunded on refunded.team_id = ${teamId}
        and refunded.id = case page.kind when 'refund' then substr(page.key, 8)::uuid end
    ), named as (
      select about.*, case when fact like 'discover:%' then split_part(fact, ':', 2)::uuid else owner_id end as lead_owner,
        case when fact like 'enrich:%' then split_part(fact, ':', 3)::uuid else engagement end as lead_id,
        case when fact like '%:person:%' then substr(fact, position(':person:' in fact) + 8) end as person_urn
      from about
    )
    select n.id, n.created_at as at, n.kind, n.amount, n.key, n.category, n.count, n.source_id as "sourceId",
      n.sync_id as "syncId", l.id as "leadId", coalesce(l.linkedin_url, p.linkedin_url) as "personUrl",
      coalesce(l.name, p.name) as "personName", d.id as "disputeId", d.state as "disputeState"
    from named n
    left join lateral (
      select id, person_urn, linkedin_url, name from lead
      where n.lead_id is not null and team_id = ${teamId} and id = n.lead_id
      union all
      (select id, person_urn, linkedin_url, name from lead
      where n.lead_id is null and team_id = ${teamId} and person_urn = n.person_urn and owner_id = n.lead_owner
      order by created_at, id limit 1)) l on true
    left join person p on p.team_id = ${teamId} and p.urn = coalesce(l.person_urn, n.person_urn)
    left join dispute d on d.team_id = ${teamId} and d.entry_id = n.entry_id
    order by n.id desc`
}
