/**
 * The webhook state of leads whose webhook lost its URL (G134): pending and failed ones become `no_webhook`. A periodic task of
 * `delivery` writes this; until it is done, reads compute the state with `webhookStatusNow`.
 */
import { sql } from 'kysely'
import { queryExists } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'

/** SQL: lead `l` is older than the clearing of its webhook's URL, with nothing queued since. False once the task is done. */
export const isCleared = sql<boolean>`exists (select 1 from webhook w
  where w.team_id = l.team_id and w.owner_id = l.owner_id and w.clearing_unfinished
    and coalesce(l.webhook_generation, 0) < w.cancelled_below_generation
    and not exists (select 1 from delivery q
      where q.team_id = l.team_id and q.lead_id = l.id and q.owner_id = l.owner_id
        and q.generation >= w.cancelled_below_generation))`

/** SQL: the effective webhook state of lead `l`. */
export const webhookStatusNow = sql<string>`(case when l.webhook_status in ('pending', 'failed') and ${isCleared}
    then 'no_webhook' else l.webhook_status end)`

/** True while leads of some cleared webhook of the team are still to be updated. */
export const isClearing = (db: Reader, teamId: string) =>
  queryExists(db)`select 1 from webhook where team_id = ${teamId} and clearing_unfinished limit 1`

/** Writes `no_webhook` on at most `limit` pending or failed leads from before the owner's URL was cleared; answers how many. */
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
  // Locked first, in id order, so that the update judges a lead that is being pushed by what its push has written.
  await sql`select 1 from lead where team_id = ${teamId} and id = any(${ids}::uuid[])
    order by id for no key update`.execute(tx.db)
  await sql`
    update lead l set webhook_status = 'no_webhook'
    where l.team_id = ${teamId} and l.id = any(${ids}::uuid[]) and l.webhook_status in ('pending', 'failed')
      and ${isCleared}`.execute(tx.db)
  return found.length
}
