/** Retention: delivery rows stay for ever, since they prevent sending twice; bodies, attempts and pushes are purged. */
import { sql } from 'kysely'
import { countAffected, queryValue } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { uuidFrom } from '../../platform/random.ts'
import { batchOf, type PurgeAsked, type PurgeTeam } from '../../platform/retention.ts'

/** Empties bodies of deliveries that ended before; these can no longer be replayed (index `delivery_body_age`). */
export const purgeBodies: PurgeTeam = async (tx, { teamId, before, limit }) => {
  return batchOf(
    await countAffected(tx.db)`
    update delivery set body = null where team_id = ${teamId} and id = any(array(
      select id from delivery
      where team_id = ${teamId} and finished_at < ${before} and body is not null
        and state in ('sent', 'failed', 'cancelled', 'excluded')
      order by finished_at limit ${limit} for update skip locked))`,
    limit,
  )
}

/** Deletes old pushes that have nothing pending or held, with their `push_lead` rows. */
export const purgePushes: PurgeTeam = async (tx, asked) => {
  const oldest = await findOldPush(tx, asked)
  if (oldest === undefined) return { removed: 0, more: false }
  const leads = await sql`
    delete from push_lead where team_id = ${asked.teamId} and push_id = ${oldest} and delivery_id = any(array(
      select delivery_id from push_lead
      where team_id = ${asked.teamId} and push_id = ${oldest} limit ${asked.limit}))`.execute(tx.db)
  const removed = Number(leads.numAffectedRows ?? 0)
  if (removed >= asked.limit) return { removed, more: true }
  await sql`delete from push where team_id = ${asked.teamId} and id = ${oldest}`.execute(tx.db)
  return { removed: removed + 1, more: true }
}

// A delivery of a deleted search is sent only while a push names it, so pushes with unsent deliveries stay.
const findOldPush = (tx: Tx, { teamId, before }: PurgeAsked) =>
  queryValue<string>(tx.db)`
    select p.id from push p
    where p.team_id = ${teamId} and not p.queueing and p.id < ${uuidFrom(before.getTime(), new Uint8Array(10))}
      and not exists (select 1 from push_lead l join delivery d on d.team_id = l.team_id and d.id = l.delivery_id
        where l.team_id = p.team_id and l.push_id = p.id and d.state in ('pending', 'held'))
    order by p.id limit 1`

/** Deletes the oldest attempts before a date, at most `limit`; returns how many. */
export const purgeDeliveryLog = (tx: Tx, before: Date, limit: number) =>
  countAffected(tx.db)`
    delete from delivery_attempt a
    using (select team_id, delivery_id, number from delivery_attempt where at < ${before}
      order by at limit ${limit}) old
    where a.team_id = old.team_id and a.delivery_id = old.delivery_id and a.number = old.number`
