/** Reads of the `source` table that events and claims need as part of their own transaction. */
import { sql } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { DeliverySource } from './present.ts'

/** Sources by id, as events name them. */
export async function findSources(
  db: Reader,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, DeliverySource>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('source')
    .select(['id', 'type', 'username'])
    .where('team_id', '=', teamId)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** A delivery of an owner, by name. */
type OwnedDelivery = { readonly teamId: string; readonly ownerId: string; readonly id: string }

/**
 * Those of some deliveries that may still go as far as their source is concerned: of one that is tracked, or of a
 * deleted keyword search whose lead was pushed (C3).
 */
export async function mayStillGoOf(db: Reader, deliveries: readonly OwnedDelivery[]): Promise<ReadonlySet<string>> {
  if (deliveries.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select d.id
    from unnest(${deliveries.map(({ teamId }) => teamId)}::uuid[], ${deliveries.map(({ ownerId }) => ownerId)}::uuid[],
        ${deliveries.map(({ id }) => id)}::uuid[]) as d (team_id, owner_id, id)
    join source s on s.team_id = d.team_id and s.id = d.owner_id
    where s.status = 'active' or (s.type = 'keyword' and exists (select 1 from push_lead p
        where p.team_id = d.team_id and p.delivery_id = d.id))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The same of one. */
export const mayStillGo = async (db: Reader, delivery: OwnedDelivery): Promise<boolean> =>
  (await mayStillGoOf(db, [delivery])).has(delivery.id)
