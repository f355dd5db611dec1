/**
 * The webhook state of leads whose webhook lost its URL (G134): those that waited, or had failed, become `no_webhook`. A periodic
 * task of `delivery` writes it; until that is done `isCleared` says for reads what holds already.
 */
import { sql } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'

/**
 * SQL: lead `l` was captured before the URL of its webhook was cleared, and nothing has queued it since. Only asked while rows of before
 * are still being ended.
 */
export const isCleared = sql<boolean>`exists (select 1 from webhook w
  where w.team_id = l.team_id and w.owner_id = l.owner_id and w.clearing_unfinished
    and coalesce(l.webhook_generation, 0) < w.cancelled_below_generation
    and not exists (select 1 from delivery q
      where q.team_id = l.team_id and q.lead_id = l.id and q.owner_id = l.owner_id
        and q.generation >= w.cancelled_below_generation))`

/** SQL: the webhook state of the lead `l` that holds. */
export const webhookStatusNow = sql<string>`(case when l.webhook_status in ('pending', 'failed') and ${isCleared}
    then 'no_webhook' else l.webhook_status end)`

/** True when rows of some cleared webhook of a team are still being ended. */
export async function isClearing(db: Reader, teamId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from webhook where team_id = ${teamId} and clearing_unfinished limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Marks leads of an owner from before its URL was cleared, which waited or had failed, as having none: at most `limit`; answers how many. */
export async function clearWebhookStatus(
  tx: Tx,
  { teamId, ownerId }: { teamId: string; ownerId: string },
  limit: number,
): Promise<number> {
  const inState = (status: string) => sql`
    (select l.id from lead l
    where l.team_id = ${teamId} and l.webhook_status = ${status} and l.owner_id = ${ownerId} and ${isCleared}
    order by l.created_at desc, l.id desc limit ${limit})`
  const { rows: found } = await sql<{ id: string }>`
    ${inState('pending')} union all ${inState('failed')} limit ${limit}`.execute(tx.db)
  if (found.length === 0) return 0
  const ids = found.map(({ id }) => id).sort()
  // Locked first, in the order of ids: a lead that is being pushed is judged by what its push has written.
  await sql`select 1 from lead where team_id = ${teamId} and id = any(${ids}::uuid[])
    order by id for no key update`.execute(tx.db)
  await sql`
    update lead l set webhook_status = 'no_webhook'
    where l.team_id = ${teamId} and l.id = any(${ids}::uuid[]) and l.webhook_status in ('pending', 'failed')
      and ${isCleared}`.execute(tx.db)
  return found.length
}
