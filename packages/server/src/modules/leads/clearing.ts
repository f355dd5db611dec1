/**
 * Owners whose webhook lost its URL while thousands waited for it (G134). What waited is given up in the background:
 * first the owner's leads lose their state in the order they were stored, then `delivery` cancels what is to be delivered. Until both are
 * done nothing of it waits any more, whatever its row says: what holds is `isCleared`. What is queued meanwhile, for a URL that was set
 * again, is kept: whoever queues a delivery or captures a lead while a clearing is under way names it (`keepFromClearing`).
 */
import { sql, type RawBuilder } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { sampleTeamId } from '../../platform/sample-team.ts'

/** How far a clearing has come. */
export type Clearing = {
  readonly teamId: string
  readonly ownerId: string
  readonly id: string
  /** The last lead that was looked at; null before the first. */
  readonly leadsAt: string | null
  readonly leadsId: string | null
  readonly leadsDone: boolean
  /** The last delivery that was looked at; null before the first. */
  readonly deliveryId: string | null
}

/** SQL: the lead `l` or delivery `d` waited for a webhook when its URL was cleared, and was not queued since. It may have been sent. */
export const isCleared = (row: 'l' | 'd'): RawBuilder<boolean> => {
  const of = sql.raw(row)
  return sql<boolean>`exists (select 1 from webhook_clearing g where g.team_id = ${of}.team_id and g.owner_id = ${of}.owner_id
    and not exists (select 1 from webhook_kept k
      where k.team_id = g.team_id and k.clearing_id = g.id and k.row_id = ${of}.id))`
}

/** SQL: the webhook state of the lead `l` that holds. */
export const webhookStatusNow = sql<string>`(case when l.webhook_status in ('pending', 'failed') and ${isCleared('l')}
    then 'no_webhook' else l.webhook_status end)`

/** True when something of a team is being cleared. */
export async function isClearing(db: Reader, teamId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from webhook_clearing where team_id = ${teamId} limit 1`.execute(db)
  return rows.length > 0
}

/** Clearings under way, of other teams than these. */
export async function listClearings(
  db: Reader,
  limit: number,
  without: readonly string[],
): Promise<{ teamId: string; ownerId: string }[]> {
  const { rows } = await sql<{ teamId: string; ownerId: string }>`
    select team_id as "teamId", owner_id as "ownerId" from webhook_clearing
    where team_id <> all(${[...without]}::uuid[]) order by team_id, owner_id limit ${limit}`.execute(db)
  return rows
}

/** SQL: true when there is one. */
export const clearingsDue = sql<boolean>`exists (select 1 from webhook_clearing where team_id <> ${sampleTeamId}::uuid)`

/** Reads the clearing of an owner and locks it; before its leads, by the order of locks. */
export async function lockClearing(tx: Tx, teamId: string, ownerId: string): Promise<Clearing | undefined> {
  const { rows } = await sql<Clearing>`
    select team_id as "teamId", owner_id as "ownerId", id, leads_at::text as "leadsAt", leads_id as "leadsId",
      leads_done as "leadsDone", delivery_id as "deliveryId" from webhook_clearing
    where team_id = ${teamId} and owner_id = ${ownerId} for update`.execute(tx.db)
  return rows[0]
}

/** Begins a clearing, or begins one anew: what was queued since the one before waits no more either. Answers its id. */
export async function openClearing(tx: Tx, teamId: string, ownerId: string): Promise<string> {
  const id = tx.newId()
  await sql`
    insert into webhook_clearing (team_id, owner_id, id) values (${teamId}, ${ownerId}, ${id})
    on conflict (team_id, owner_id) do update set id = excluded.id, leads_at = null, leads_id = null, leads_done = false,
      delivery_id = null`.execute(tx.db)
  return id
}

/** Ends a clearing that is locked: all that waited is given up. */
export async function closeClearing(tx: Tx, { teamId, ownerId }: Clearing): Promise<void> {
  await sql`delete from webhook_clearing where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
}

/** Keeps deliveries and leads, by their ids, from a clearing under way: they were queued since. */
export async function keepFromClearing(
  tx: Tx,
  {
    teamId,
    clearingId,
    ids,
  }: { readonly teamId: string; readonly clearingId: string; readonly ids: readonly string[] },
): Promise<void> {
  if (ids.length > 0)
    await sql`insert into webhook_kept (team_id, clearing_id, row_id)
      select ${teamId}::uuid, ${clearingId}::uuid, id from unnest(${[...new Set(ids)].sort()}::uuid[]) as queued (id)
      on conflict do nothing`.execute(tx.db)
}

/** Those of some deliveries or leads that are kept from a clearing. */
export async function listKept(
  db: Reader,
  {
    teamId,
    clearingId,
    ids,
  }: { readonly teamId: string; readonly clearingId: string; readonly ids: readonly string[] },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select row_id as id from webhook_kept
    where team_id = ${teamId} and clearing_id = ${clearingId} and row_id = any(${[...ids]}::uuid[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Marks an owner's leads that were waiting for delivery as having no webhook: its URL was cleared (G134). None when there are more than
 * `most`, since a lead is written to each of its many indexes; answers how many there are, or that it is more.
 */
export async function clearPendingWebhook(
  tx: Tx,
  { teamId, ownerId }: { readonly teamId: string; readonly ownerId: string },
  most: number,
): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    with found as materialized (
      select id from lead where team_id = ${teamId} and owner_id = ${ownerId} and webhook_status in ('pending', 'failed')
      limit ${most + 1}),
    locked as materialized (
      select id from lead where team_id = ${teamId} and id = any(array(select id from found))
        and (select count(*) from found) <= ${most} and webhook_status in ('pending', 'failed') order by id for no key update),
    cleared as (
      update lead set webhook_status = 'no_webhook' where team_id = ${teamId} and id = any(array(select id from locked)))
    select count(*)::integer as found from found`.execute(tx.db)
  return rows[0]!.found
}

type Looked = {
  readonly looked: number
  readonly at: string | null
  readonly id: string | null
  readonly ids: string[]
}

/**
 * Does the same to the next leads of a clearing that is locked, at most so many looked at, without those that are kept from it. A lead
 * that is just being offered or pushed is waited for.
 */
export async function clearNextLeads(tx: Tx, clearing: Clearing, limit: number): Promise<void> {
  const { teamId, ownerId, leadsAt, leadsId } = clearing
  const behind = leadsAt === null ? sql`true` : sql`(l.created_at, l.id) > (${leadsAt}::timestamptz, ${leadsId}::uuid)`
  const { rows } = await sql<Looked>`
    with next as materialized (
      select l.id, l.created_at, l.webhook_status from lead l
      where l.team_id = ${teamId} and l.owner_id = ${ownerId} and l.enrichment <> 'raw' and ${behind}
      order by l.created_at, l.id limit ${limit}),
    last as (select created_at, id from next order by created_at desc, id desc limit 1)
    select (select count(*) from next)::integer as looked, (select created_at::text from last) as at, (select id from last) as id,
      coalesce((select array_agg(id) from next where webhook_status in ('pending', 'failed')), '{}') as ids`.execute(
    tx.db,
  )
  const { looked, at, id, ids } = rows[0]!
  if (ids.length > 0) {
    // Locked first: what its pusher keeps is seen by the statement that comes after.
    await sql`select 1 from lead where team_id = ${teamId} and id = any(${ids}::uuid[])
      order by id for no key update`.execute(tx.db)
    await sql`
      update lead l set webhook_status = 'no_webhook' where l.team_id = ${teamId} and l.id = any(${ids}::uuid[])
        and l.webhook_status in ('pending', 'failed') and ${isCleared('l')}`.execute(tx.db)
  }
  await sql`
    update webhook_clearing set leads_at = coalesce(${at}::timestamptz, leads_at), leads_id = coalesce(${id}::uuid, leads_id),
      leads_done = ${looked < limit} where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
}

/** Notes how far a clearing that is locked has come with deliveries. */
export async function noteClearedDeliveries(tx: Tx, { teamId, ownerId }: Clearing, last: string): Promise<void> {
  await sql`update webhook_clearing set delivery_id = ${last}
    where team_id = ${teamId} and owner_id = ${ownerId}`.execute(tx.db)
}

/** Forgets, some at once, what was kept from clearings that are over; answers how many. */
export async function forgetKept(tx: Tx, limit: number): Promise<number> {
  const result = await sql`
    delete from webhook_kept where ctid in (
      select k.ctid from webhook_kept k
      where not exists (select 1 from webhook_clearing g where g.team_id = k.team_id and g.id = k.clearing_id)
      limit ${limit} for update skip locked)`.execute(tx.db)
  return Number(result.numAffectedRows ?? 0)
}
