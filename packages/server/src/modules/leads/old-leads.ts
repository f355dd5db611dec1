import { sql } from 'kysely'
import { queryColumn, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { goneHash } from './retention.ts'

/** Old leads of a team: all, raw ones included, or only those that do not fit. */
export type OldLeads = {
  readonly teamId: string
  readonly before: Date
  readonly which: 'all' | 'unfit'
  readonly limit: number
}

/** The ids of old leads, oldest first. */
export async function listOldLeads(db: Reader, { teamId, before, which, limit }: OldLeads): Promise<string[]> {
  // One select per partial index: raw leads have their own, and are never judged unfit.
  const oldest = (of: ReturnType<typeof sql>) => sql`
    (select id, created_at from lead where team_id = ${teamId} and ${of} and created_at < ${before}
      order by created_at, id limit ${limit})`
  const looks =
    which === 'unfit'
      ? oldest(sql`enrichment <> 'raw' and is_icp = false`)
      : sql`${oldest(sql`enrichment <> 'raw'`)} union all ${oldest(sql`enrichment = 'raw'`)}`
  return queryColumn<string>(db)`
    select id from (${looks}) old order by created_at, id limit ${limit}`
}

/** Counts leads older than given (null: none is too old), people with no other leads, and the deliveries of those leads. */
export async function countOldLeads(
  db: Reader,
  of: { readonly teamId: string; readonly before: Date | null; readonly unfitBefore: Date | null },
): Promise<{ leads: number; people: number; deliveries: number }> {
  const isOld = sql`(l.created_at < ${of.before}::timestamptz
    or l.is_icp = false and l.enrichment <> 'raw' and l.created_at < ${of.unfitBefore}::timestamptz)`
  return (await queryOne<{ leads: number; people: number; deliveries: number }>(db)`
    with old as materialized (select l.id, l.person_urn from lead l where l.team_id = ${of.teamId} and ${isOld})
    select (select count(*)::integer from old) as leads,
      (select count(distinct old.person_urn)::integer from old where not exists (
        select 1 from lead l where l.team_id = ${of.teamId} and l.person_urn = old.person_urn and ${isOld} is not true)) as people,
      (select count(*)::integer from delivery d join old on d.lead_id = old.id where d.team_id = ${of.teamId}) as deliveries`)!
}

/** Notes engagements as known before their leads are deleted, so that a later sweep does not take them for new. */
export async function rememberDeletedLeads(tx: Tx, teamId: string, ids: readonly string[]): Promise<void> {
  await sql`
    with gone as materialized (
      select team_id, owner_id, ${goneHash(sql`engagement_key`)} as key_hash, post_urn from lead
      where team_id = ${teamId} and id = any(${[...ids]}::uuid[]))
    insert into lead_gone (team_id, owner_id, key_hash, post_urn)
    select team_id, owner_id, key_hash, post_urn from gone order by owner_id, key_hash on conflict do nothing`.execute(
    tx.db,
  )
}
