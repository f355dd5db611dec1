/**
 * Receivers of a whole team: destinations of the kind `webhook` (DST-13) and REST hooks (DST-16), as `webhook` rows whose owner
 * is no source. Their deliveries name the event's source (`source_id`) and never change a lead's webhook status.
 */
import { sql } from 'kysely'
import { queryAll } from '../../../platform/db/query.ts'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { isUnsent } from '../deliveries.ts'

type Owner = { readonly teamId: string; readonly ownerId: string }

/** A receiver as queueing sees it. */
export type Receiver = {
  readonly ownerId: string
  readonly kind: 'destination' | 'hook'
  readonly generation: number
  /** When it was created; leads captured before are not sent to it. */
  readonly since: Date
}

/**
 * The receivers that take an event, paused ones included, share-locked: a concurrent deletion comes before, or finds what is
 * queued here. Lock order: lead, webhook, delivery.
 */
export const shareReceivers = (tx: Tx, teamId: string, event: string) =>
  queryAll<Receiver>(tx.db)`
    select owner_id as "ownerId", owner_kind as kind, generation, url_set_at as since from webhook
    where team_id = ${teamId} and owner_kind in ('destination', 'hook') and url is not null
      and (events is null or ${event} = any(events))
    order by owner_id for key share`

export type NewReceiver = Owner & {
  readonly kind: Receiver['kind']
  readonly url: string
  readonly events: readonly string[] | null
  readonly secret: Buffer | null
  readonly isPaused: boolean
}

/** Inserts a receiver. */
export async function insertReceiver(tx: Tx, made: NewReceiver): Promise<void> {
  const pausedAt = made.isPaused ? tx.now : null
  await sql`
    insert into webhook (team_id, owner_id, owner_kind, url, icp_only, auto_send, sync_events, url_set_at, disabled_at,
      disabled_reason, events, secret, filters)
    values (${made.teamId}, ${made.ownerId}, ${made.kind}, ${made.url}, false, true, true, ${tx.now}, ${pausedAt},
      ${made.isPaused ? 'by_person' : null}, ${made.events}::text[], ${made.secret}, '[]')`.execute(tx.db)
}

/** Writes a destination's URL and whether it is paused; `resumed` enables it and clears its health. */
export async function changeReceiver(
  tx: Tx,
  { teamId, ownerId, url, isPaused, resumed }: NewReceiver & { readonly resumed: boolean },
): Promise<void> {
  await sql`
    update webhook set url = ${url},
      failing_since = case when ${resumed} or url is distinct from ${url} then null else failing_since end,
      disabled_at = case when ${isPaused} then coalesce(disabled_at, ${tx.now}::timestamptz)
        when not ${resumed} then disabled_at end,
      disabled_reason = case when ${isPaused} then 'by_person' when not ${resumed} then disabled_reason end
    where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
}

/** Removes a receiver: nothing that waits for it is sent. settling.ts then ends its deliveries and deletes the row. */
export async function dropReceiver(tx: Tx, { teamId, ownerId }: Owner): Promise<void> {
  await sql`
    update webhook set url = null, secret = null, cancelled_below_generation = generation + 1,
      clearing_unfinished = true
    where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
}

/** Deletes the row of a removed receiver; false when deliveries were queued meanwhile. */
export async function deleteReceiver(tx: Tx, { teamId, ownerId }: Owner): Promise<boolean> {
  // Waits for share locks; the next statement then sees what their holders queued.
  await sql`select 1 from webhook where team_id = ${teamId} and owner_id = ${ownerId} for update`.execute(tx.db)
  const rows = await queryAll(tx.db)`
    select 1 from delivery d where d.team_id = ${teamId} and d.owner_id = ${ownerId} and ${isUnsent} limit 1`
  if (rows.length > 0) return false
  await sql`delete from webhook where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
  return true
}

/** The vault place of a REST hook's secret. */
export const placeOfHookSecret = (hookId: string): string => `hook|${hookId}`

export type Hook = {
  readonly id: string
  readonly targetUrl: string
  readonly event: string
  readonly createdAt: Date
  readonly disabledAt: Date | null
  readonly failingSince: Date | null
}

/** The REST hooks of a team, oldest first. */
export const listHooks = (db: Reader, teamId: string) =>
  queryAll<Hook>(db)`
    select owner_id as id, url as "targetUrl", events[1] as event, url_set_at as "createdAt", disabled_at as "disabledAt",
      failing_since as "failingSince"
    from webhook where team_id = ${teamId} and owner_kind = 'hook' and url is not null order by owner_id`
