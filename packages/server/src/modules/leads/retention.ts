/** Retention of leads: only raw ones are purged here, since no other list shows them and nothing delivers them. */
import { sql } from 'kysely'
import { queryColumn, queryValue } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { listPersonNames } from './exclusions/values.ts'

/** SQL: the hash of an engagement's key in `lead_gone`. */
export const goneHash = (key: ReturnType<typeof sql>) => sql`substring(sha256(convert_to(${key}, 'UTF8')) for 16)`

/** The owner of the team's oldest raw lead from before `before`, if any. */
export const findOldRawOwner = (db: Reader, teamId: string, before: Date) =>
  queryValue<string>(db)`
    select owner_id as "ownerId" from lead where team_id = ${teamId} and enrichment = 'raw' and created_at < ${before}
    order by created_at, id limit 1`

/**
 * Deletes an owner's oldest raw leads and notes their engagements as known; the caller locks the owner's row. Answers how many.
 */
export async function purgeRawLeadsOf(
  tx: Tx,
  asked: { readonly teamId: string; readonly ownerId: string; readonly before: Date; readonly limit: number },
): Promise<number> {
  const { teamId, ownerId, before, limit } = asked
  return (await queryValue<number>(tx.db)`
    with old as materialized (
      select id, engagement_key, post_urn from lead
      where team_id = ${teamId} and owner_id = ${ownerId} and enrichment = 'raw' and created_at < ${before}
      order by created_at, id limit ${limit} for update
    ), noted as (
      insert into lead_gone (team_id, owner_id, key_hash, post_urn)
      select ${teamId}, ${ownerId}, ${goneHash(sql`engagement_key`)}, post_urn from old on conflict do nothing
    ), removed as (
      delete from lead using old where lead.team_id = ${teamId} and lead.id = old.id returning 1
    )
    select count(*)::integer as removed from removed`)!
}

/** The people whom some lead of the team names. */
export async function listPeopleWithLeads(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ urn: string }>`
    select asked.urn from unnest(${[...urns]}::text[]) as asked (urn)
    where exists (select 1 from lead where team_id = ${teamId} and person_urn = asked.urn)`.execute(db)
  return new Set(rows.map((row) => row.urn))
}

/** People who are excluded or have replied under one of their names. Their rows must stay: only these link the names. */
export async function listPeopleLeftOut(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const names = await listPersonNames(db, teamId, urns)
  const asked = urns.flatMap((urn) => (names.get(urn) ?? []).map((name) => ({ urn, name })))
  const leftOut = await queryColumn<string>(db)`
    select distinct asked.urn
    from unnest(${asked.map(({ urn }) => urn)}::text[], ${asked.map(({ name }) => name)}::text[]) as asked (urn, name)
    where exists (select 1 from exclusion where team_id = ${teamId} and kind = 'person' and key = asked.name)
      or exists (select 1 from exclusion where team_id = ${teamId} and kind = 'person' and value = asked.name)
      or exists (select 1 from result where team_id = ${teamId} and person_urn = asked.name and outcome in ('replied', 'won'))
      or exists (select 1 from result where team_id = ${teamId} and handle = asked.name and outcome in ('replied', 'won'))`
  return new Set(leftOut)
}

/** The posts that some lead of the team names; one pass over the table while the index `lead_of_post` is still being built. */
export async function listPostsWithLeads(db: Reader, teamId: string, urns: readonly string[]): Promise<Set<string>> {
  const named = await queryColumn<string>(db)`select distinct post_urn as urn from lead
    where team_id = ${teamId} and post_urn = any(${[...urns]}::text[])`
  return new Set(named)
}
