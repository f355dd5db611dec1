/** Reads of the `source` table that events and claims need as part of their own transaction. */
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { DeliverySource } from './present.ts'

/** Sources by id, as events name them. */
export async function findSources(db: Reader, teamId: string, ids: readonly string[]): Promise<Map<string, DeliverySource>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('source').select(['id', 'type', 'username']).where('team_id', '=', teamId).where('id', 'in', [...new Set(ids)]).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether the source that owns a webhook is still tracked. */
export async function isSourceActive(db: Reader, teamId: string, sourceId: string): Promise<boolean> {
  const row = await db.selectFrom('source').select('status').where('team_id', '=', teamId).where('id', '=', sourceId).executeTakeFirst()
  return row?.status === 'active'
}
