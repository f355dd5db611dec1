/** Reads of the `source` table that events and claims need as part of their own transaction. */
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

/** Whether a delivery may still go as far as its source is concerned: one that is tracked, or a deleted keyword search whose lead was pushed (C3). */
export async function mayStillGo(
  db: Reader,
  delivery: { readonly teamId: string; readonly ownerId: string; readonly id: string },
): Promise<boolean> {
  const { teamId, ownerId, id } = delivery
  const row = await db
    .selectFrom('source')
    .select(['status', 'type'])
    .where('team_id', '=', teamId)
    .where('id', '=', ownerId)
    .executeTakeFirst()
  if (row?.status === 'active') return true
  if (row?.type !== 'keyword') return false
  return (
    (await db
      .selectFrom('push_lead')
      .select('push_id')
      .where('team_id', '=', teamId)
      .where('delivery_id', '=', id)
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}
