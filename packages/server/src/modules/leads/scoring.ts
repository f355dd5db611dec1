/**
 * Judges leads by criteria, set-based; the only writer of `is_icp`. Only leads whose enrichment has ended are judged: on waiting
 * and raw leads, and without criteria, `is_icp` is null (G43).
 */
import { sql, type RawBuilder } from 'kysely'
import { queryColumn, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'

/** Criteria as a condition over `l` (lead) and `c` (its company); null for no criteria. */
export type LeadCondition = RawBuilder<boolean> | null

export type LeadsOf = { readonly teamId: string; readonly ownerId: string }

/** SQL: lead `l` is judged by criteria, since its enrichment has ended. */
export const judgeable = sql`l.enrichment in ('completed', 'failed')`

export type WhichLeads = { readonly ids: readonly string[] } | { readonly companyUrn: string }

/** `WhichLeads` as a condition on the lead with this alias. */
export const ofWhich = (which: WhichLeads, alias: 'x' | 'l'): RawBuilder<unknown> =>
  'ids' in which
    ? sql`${sql.raw(alias)}.id = any(${which.ids})`
    : sql`${sql.raw(alias)}.company_urn = ${which.companyUrn}`

/** Judges the leads that belong to the owner. Requires the owner's source locked. */
export async function judgeLeads(
  tx: Tx,
  { teamId, ownerId }: LeadsOf,
  { which, condition }: { which: WhichLeads; condition: LeadCondition },
): Promise<void> {
  const verdict = condition ?? sql`null::boolean`
  await sql`
    update lead as l set is_icp = ${verdict}
    from (select x.id, x.company_urn from lead x
      where x.team_id = ${teamId} and x.owner_id = ${ownerId} and ${ofWhich(which, 'x')}) b
      left join company c on c.urn = b.company_urn
    where l.team_id = ${teamId} and l.id = b.id and ${judgeable} and l.is_icp is distinct from ${verdict}`.execute(
    tx.db,
  )
}

/** The position of a walk over an owner's leads; null at the start. */
export type LeadCursor = { readonly at: Date; readonly id: string } | null

/**
 * Judges the next `limit` leads of an owner in the order they were stored; answers how many were seen and judged, which verdicts
 * changed, and the next cursor. The condition is evaluated on the row at the moment it is written, so facts that arrive meanwhile
 * count; a row whose company changed meanwhile is skipped, having been judged by the unit that changed it.
 */
export async function judgeNext(
  tx: Tx,
  { teamId, ownerId }: LeadsOf,
  { condition, after, limit }: { condition: LeadCondition; after: LeadCursor; limit: number },
): Promise<{ seen: number; judged: number; changed: readonly string[]; cursor: LeadCursor }> {
  const verdict = condition ?? sql`null::boolean`
  const from = after === null ? sql`true` : sql`(x.created_at, x.id) > (${after.at}::timestamptz, ${after.id}::uuid)`
  const { rows } = await sql<{ seen: number; judged: number; changed: string[]; at: Date | null; id: string | null }>`
    with batch as materialized (
      select x.id, x.created_at, x.company_urn, x.enrichment in ('completed', 'failed') as ended from lead x
      where x.team_id = ${teamId} and x.owner_id = ${ownerId} and x.enrichment <> 'raw' and ${from}
      order by x.created_at, x.id limit ${limit}
    ), written as (
      update lead as l set is_icp = ${verdict} from batch b left join company c on c.urn = b.company_urn
      where l.team_id = ${teamId} and l.id = b.id and ${judgeable} and l.company_urn is not distinct from b.company_urn
        and l.is_icp is distinct from ${verdict}
      returning l.id
    )
    select array(select id from written order by id) as changed, (select count(*) from batch)::integer as seen,
      (select count(*) from batch where ended)::integer as judged, last.created_at as at, last.id from (values (1)) one
      left join (select created_at, id from batch order by created_at desc, id desc limit 1) last on true`.execute(
    tx.db,
  )
  const { seen, judged, changed, at, id } = rows[0]!
  return { seen, judged, changed, cursor: at === null || id === null ? after : { at, id } }
}

/** Counts an owner's judged leads that match and that do not, with the newest matching ids. */
export async function tryCondition(
  db: Reader,
  { teamId, ownerId }: LeadsOf,
  { condition, sample }: { condition: RawBuilder<boolean>; sample: number },
): Promise<{ matching: number; notMatching: number; sampleIds: string[] }> {
  const from = sql`from lead l left join company c on c.urn = l.company_urn
    where l.team_id = ${teamId} and l.owner_id = ${ownerId} and l.enrichment <> 'raw' and ${judgeable}`
  const { matching, total } = (await queryOne<{ matching: number; total: number }>(db)`
    select (count(*) filter (where ${condition}))::integer as matching, count(*)::integer as total ${from}`)!
  const sampleIds = await queryColumn<string>(db)`
    select l.id ${from} and ${condition} order by l.created_at desc, l.id desc limit ${sample}`
  return { matching, notMatching: total - matching, sampleIds }
}
