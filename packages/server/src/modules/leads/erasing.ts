/** Deletes leads for good, with texts no other lead has, and removes authors' handles from post addresses. */
import { sql } from 'kysely'
import { countAffected, queryAll, queryColumn } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { goneHash } from './retention.ts'

/** A deleted lead, for counters and deliveries. */
export type DeletedLead = {
  readonly id: string
  readonly ownerId: string
  readonly sourceId: string | null
  readonly personUrn: string
  readonly enrichment: 'pending' | 'processing' | 'completed' | 'failed' | 'skipped' | 'raw'
}

/** All leads of these people, raw ones included, in id order. */
export const listLeadsOfPeople = (db: Reader, teamId: string, urns: readonly string[]) =>
  queryAll<{ id: string; sourceId: string | null; personUrn: string }>(db)`
    select id, source_id as "sourceId", person_urn as "personUrn" from lead
    where team_id = ${teamId} and person_urn = any(${[...urns]}::text[]) order by id`

/** Deletes leads, locked in id order. The caller locks their sources and moves the counters (`countDeleted` of `sources`). */
export async function deleteLeads(tx: Tx, teamId: string, ids: readonly string[]): Promise<DeletedLead[]> {
  if (ids.length === 0) return []
  await sql`select 1 from lead where team_id = ${teamId} and id = any(${[...ids]}::uuid[])
    order by id for update`.execute(tx.db)
  const { rows } = await sql<DeletedLead & Texts>`
    delete from lead where team_id = ${teamId} and id = any(${[...ids]}::uuid[])
    returning id, owner_id as "ownerId", source_id as "sourceId", person_urn as "personUrn", enrichment,
      name_key::text as name, job_title_key::text as job_title, company_name_key::text as company_name,
      company_domain_key::text as company_domain, country_key::text as country,
      company_industry_key::text as company_industry`.execute(tx.db)
  await deleteTexts(tx, teamId, rows)
  return rows
}

const textColumns = ['name', 'job_title', 'company_name', 'company_domain', 'country', 'company_industry'] as const

type Texts = { readonly [Column in (typeof textColumns)[number]]: string | null }

async function deleteTexts(tx: Tx, teamId: string, gone: readonly Texts[]): Promise<void> {
  for (const column of textColumns) {
    const keys = [...new Set(gone.flatMap((texts) => texts[column] ?? []))].sort()
    if (keys.length === 0) continue
    const key = sql.raw(`l.${column}_key`)
    // `<> 'raw'` as in the partial indexes that serve this; raw leads keep no texts.
    await sql`
      delete from lead_text t using unnest(${keys}::bigint[]) as given (key)
      where t.team_id = ${teamId} and t.field = ${column} and t.key = given.key
        and not exists (select 1 from lead l
          where l.team_id = ${teamId} and ${key} = given.key and l.enrichment <> 'raw')`.execute(tx.db)
  }
}

/** Replaces the addresses of posts, which contain the author's handle, by ones made of the URN; answers the changed leads. */
export async function namePostsByUrn(tx: Tx, teamId: string, postUrns: readonly string[]): Promise<string[]> {
  if (postUrns.length === 0) return []
  const ids = await queryColumn<string>(tx.db)`
    select id from lead where team_id = ${teamId} and post_urn = any(${[...postUrns]}::text[])
      and post_url <> 'https://www.linkedin.com/feed/update/' || post_urn order by id for no key update`
  if (ids.length > 0)
    await sql`update lead set post_url = 'https://www.linkedin.com/feed/update/' || post_urn
      where team_id = ${teamId} and id = any(${ids}::uuid[])`.execute(tx.db)
  return ids
}

/** Forgets reactions of people whose leads were deleted by age, recomputing their hashes from posts; answers how many. */
export const forgetDeletedLeads = (tx: Tx, teamId: string, urns: readonly string[]) =>
  countAffected(tx.db)`
    delete from lead_gone where team_id = ${teamId} and key_hash in (
      select g.key_hash from lead_gone g cross join unnest(${[...urns]}::text[]) as given (urn)
      where g.team_id = ${teamId}
        and g.key_hash = ${goneHash(sql`'reaction:' || g.post_urn || ':' || given.urn`)})`
