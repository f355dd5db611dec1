/**
 * Judging leads by criteria, set-based: `is_icp` is written here and nowhere else. The criteria come as an SQL condition over the
 * lead `l` and its company record `c`; null means that there are none, and then nobody is judged (G43).
 *
 * Judged are leads whose enrichment has ended; while it waits, and on raw leads, `is_icp` stays null.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'

/** A condition over `l` (lead) and `c` (company); null for no criteria. */
export type LeadCondition = RawBuilder<boolean> | null

export type LeadsOf = { readonly teamId: string; readonly ownerId: string }

/** Leads `l` that criteria judge: those whose enrichment has ended. */
export const judgeable = sql`l.enrichment in ('completed', 'failed')`

/** Which leads: by id, or all of one company. */
export type WhichLeads = { readonly ids: readonly string[] } | { readonly companyUrn: string }

/** The same as a condition on a `lead` named by an alias. */
export const ofWhich = (which: WhichLeads, alias: 'x' | 'l'): RawBuilder<unknown> =>
  'ids' in which
    ? sql`${sql.raw(alias)}.id = any(${which.ids})`
    : sql`${sql.raw(alias)}.company_urn = ${which.companyUrn}`

/** Judges those of the leads that belong to the owner, whose source is locked. */
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

/** Where a walk over an owner's leads stands; null at its beginning. */
export type LeadCursor = { readonly at: Date; readonly id: string } | null

/**
 * Judges the next leads of an owner in the order they were stored, at most `limit`; answers how many it has seen and
 * judged, of which the verdict is another one now, and where to go on.
 * The condition is evaluated on the row as it is when it is written, so facts that arrive meanwhile are not judged by older ones;
 * a row that has changed its company meanwhile was judged by the unit that changed it.
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

/** How many of an owner's judged leads would match and how many would not, and the newest that would. */
export async function tryCondition(
  db: Reader,
  { teamId, ownerId }: LeadsOf,
  { condition, sample }: { condition: RawBuilder<boolean>; sample: number },
): Promise<{ matching: number; notMatching: number; sampleIds: string[] }> {
  const from = sql`from lead l left join company c on c.urn = l.company_urn
    where l.team_id = ${teamId} and l.owner_id = ${ownerId} and l.enrichment <> 'raw' and ${judgeable}`
  const { rows } = await sql<{
    matching: number
    total: number
  }>`select (count(*) filter (where ${condition}))::integer as matching, count(*)::integer as total ${from}`.execute(db)
  const { rows: found } = await sql<{
    id: string
  }>`select l.id ${from} and ${condition} order by l.created_at desc, l.id desc limit ${sample}`.execute(db)
  const { matching, total } = rows[0]!
  return { matching, notMatching: total - matching, sampleIds: found.map((row) => row.id) }
}
