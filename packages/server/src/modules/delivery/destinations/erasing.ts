import { sql } from 'kysely'
import { countAffected, queryAll } from '../../../platform/db/query.ts'
import type { Tx } from '../../../platform/db/unit-of-work.ts'
import type { NamedBy } from '../person-erased.ts'
import type { Kind } from './rules.ts'

/** The number of deleted deliveries, and the kinds of destination that may still hold the person. */
type ErasedFromDestinations = { readonly deliveries: number; readonly stillHeldBy: readonly Kind[] }

/** Deletes a person's deliveries and records. Records on the platform stay: adapters have no delete. */
export async function erasePersonFromDestinations(
  tx: Tx,
  teamId: string,
  { urns, leadIds, postUrns, sourceIds }: NamedBy & { readonly urns: readonly string[] },
): Promise<ErasedFromDestinations> {
  // Queueing and recording also lock the destination, so they are either finished or will find the leads gone.
  await sql`select 1 from destination where team_id = ${teamId} order by id for no key update`.execute(tx.db)
  const theirs = sql`(person_urn = any(${[...urns]}::text[]) or subject = any(${[...urns, ...leadIds]}::text[])
    or lead_id = any(${[...leadIds]}::uuid[]))`
  const wasSent = sql`(l.attempts > 0 or l.begun_at is not null or l.remote_id is not null)`
  const { rows } = await sql<{ kind: Kind }>`
    select distinct d.kind from destination d where d.team_id = ${teamId} and (
      exists (select 1 from destination_record r where r.team_id = d.team_id and r.destination_id = d.id
        and r.person_urn = any(${[...urns]}::text[]))
      or exists (select 1 from destination_delivery l where l.team_id = d.team_id and l.destination_id = d.id and ${theirs}
        and ${wasSent})
      or exists (select 1 from destination_delivery l join lead other on other.team_id = l.team_id and other.id = l.lead_id
        where l.team_id = d.team_id and l.destination_id = d.id and ${wasSent}
        and (other.source_id = any(${[...sourceIds]}::uuid[]) or other.post_urn = any(${[...postUrns]}::text[]))))
    order by d.kind`.execute(tx.db)
  const affected = await countAffected(tx.db)`
    delete from destination_delivery where team_id = ${teamId} and ${theirs}`
  await sql`delete from destination_record where team_id = ${teamId}
    and (person_urn = any(${[...urns]}::text[]) or subject = any(${[...urns, ...leadIds]}::text[]))`.execute(tx.db)
  return { deliveries: affected, stillHeldBy: rows.map(({ kind }) => kind) }
}

/** Deletes the deliveries of deleted leads, and the records of people who have no lead left. Returns how many deliveries. */
export async function deleteDestinationDeliveries(
  tx: Tx,
  teamId: string,
  { leadIds, urns }: { readonly leadIds: readonly string[]; readonly urns: readonly string[] },
): Promise<number> {
  const rows = await queryAll(tx.db)`
    select 1 from destination where team_id = ${teamId} order by id for no key update`
  if (rows.length === 0) return 0
  const affected = await countAffected(tx.db)`
    delete from destination_delivery where team_id = ${teamId} and person_urn = any(${[...urns]}::text[])
      and lead_id = any(${[...leadIds]}::uuid[])`
  await sql`delete from destination_record r where r.team_id = ${teamId} and r.person_urn = any(${[...urns]}::text[])
    and (r.subject = any(${[...leadIds]}::text[])
      or not exists (select 1 from lead l where l.team_id = r.team_id and l.person_urn = r.person_urn))`.execute(tx.db)
  return affected
}
