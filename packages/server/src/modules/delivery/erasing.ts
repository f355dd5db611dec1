/** Erases a person from deliveries: deletes deliveries of their leads and posts, and empties others that name them. */
import { sql, type RawBuilder } from 'kysely'
import { queryAll, queryColumn } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { windowsOf } from '../../platform/db/windows.ts'
import { isUnsent } from './deliveries.ts'
import { tellsErased } from './person-erased.ts'

async function deleteDeliveries(tx: Tx, teamId: string, which: RawBuilder<unknown>): Promise<number> {
  const ids = await queryColumn<string>(tx.db)`
    select d.id from delivery d where d.team_id = ${teamId} and ${which} order by d.id for update`
  if (ids.length === 0) return 0
  await sql`delete from push_lead where team_id = ${teamId} and delivery_id = any(${ids}::uuid[])`.execute(tx.db)
  await sql`delete from delivery_attempt where team_id = ${teamId} and delivery_id = any(${ids}::uuid[])`.execute(tx.db)
  await sql`delete from delivery where team_id = ${teamId} and id = any(${ids}::uuid[])`.execute(tx.db)
  return ids.length
}

/** Deletes the deliveries of leads; an attempt under way ends unrecorded. Returns how many. */
export const deleteDeliveriesOfLeads = (tx: Tx, teamId: string, leadIds: readonly string[]): Promise<number> =>
  deleteDeliveries(tx, teamId, sql`d.lead_id = any(${[...leadIds]}::uuid[])`)

/** Deletes the deliveries of posts. Returns how many. */
export const deleteDeliveriesOfPosts = (tx: Tx, teamId: string, postUrns: readonly string[]): Promise<number> =>
  deleteDeliveries(tx, teamId, sql`d.event = 'post.detected' and d.subject = any(${[...postUrns]}::text[])`)

/**
 * Empties bodies and responses of deliveries of leads whose post was renamed, and of sources that are the person, except
 * `person.erased`, which is about someone else. Unsent leads get a new body when sent; other unsent events are cancelled.
 */
export async function emptyBodies(
  tx: Tx,
  teamId: string,
  { leadIds, ownerIds }: { readonly leadIds: readonly string[]; readonly ownerIds: readonly string[] },
): Promise<void> {
  const ids = await queryColumn<string>(tx.db)`
    select d.id from delivery d where d.team_id = ${teamId} and not ${tellsErased}
      and (d.lead_id = any(${[...leadIds]}::uuid[]) or d.owner_id = any(${[...ownerIds]}::uuid[])
        or d.source_id = any(${[...ownerIds]}::uuid[]))
    order by d.id for update of d`
  if (ids.length === 0) return
  await sql`update delivery set body = null where team_id = ${teamId} and id = any(${ids}::uuid[])`.execute(tx.db)
  await sql`update delivery d set state = 'cancelled', finished_at = ${tx.now}, awaits_enrichment = false
    where d.team_id = ${teamId} and d.id = any(${ids}::uuid[]) and d.lead_id is null and ${isUnsent}`.execute(tx.db)
  await emptyResponses(tx, teamId, ids)
}

async function emptyResponses(tx: Tx, teamId: string, ids: readonly string[]): Promise<void> {
  await sql`update delivery_attempt set response = null
    where team_id = ${teamId} and delivery_id = any(${[...ids]}::uuid[])`.execute(tx.db)
}

/** PostgreSQL regular expressions: `named` is a quick first test, `mention` is replaced by `written`. */
type Rewriting = { readonly named: string; readonly mention: string; readonly written: string }

/**
 * Rewrites mentions in bodies; returns how many had one. The new bytes are computed here because Citus refuses an update that
 * converts bytea to text. Responses are emptied, since they may echo the body in any escaping.
 */
export async function rewriteBodies(tx: Tx, teamId: string, { named, mention, written }: Rewriting): Promise<number> {
  const text = sql`convert_from(body, 'UTF8')`
  let count = 0
  for await (const window of windowsOf(tx, teamId, { table: 'delivery', key: 'id', size: 5_000 })) {
    // A `person.erased` tells its receiver whom to delete, so it stays as it is.
    const rows = await queryAll<{ id: string; text: string }>(tx.db)`
      select id, regexp_replace(${text}, ${mention}, ${written}, 'g') as text from delivery d
      where team_id = ${teamId} and ${window} and not ${tellsErased} and ${text} ~ ${named} and ${text} ~ ${mention}`
    if (rows.length === 0) continue
    const ids = rows.map(({ id }) => id)
    // A lead that was not accepted yet is written anew when it is sent, so that a namesake keeps their name.
    await sql`
      update delivery d
      set body = case when d.event = 'lead.detected' and d.state <> 'sent' then null else rewritten.body end
      from unnest(${ids}::uuid[], ${rows.map((row) => Buffer.from(row.text))}::bytea[]) as rewritten (id, body)
      where d.team_id = ${teamId} and d.id = rewritten.id`.execute(tx.db)
    await emptyResponses(tx, teamId, ids)
    count += rows.length
  }
  return count
}
