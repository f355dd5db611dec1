/**
 * `person.erased`: telling every receiver to which something about a person was ever sent that the person was erased. It goes whatever
 * the webhook is set to, also of an untracked source; its bytes are kept until it has arrived or is given up. Its subject is the keyed
 * hash of the person, which is all that the log shows.
 */
import type { personErased } from '@les/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { insertDeliveries, isUnderWay } from './deliveries.ts'

const event = 'person.erased'

/** A receiver, and by which ids it was told of the person. */
export type Receiver = {
  readonly ownerId: string
  readonly url: string | null
  readonly externalKeys: readonly string[]
}

/** SQL: a request of delivery `d` was made, or is just being made: what comes of that is written down by nobody. */
const wasSent = sql<boolean>`(d.state = 'sent' or d.attempts > 0 or ${isUnderWay} or exists (select 1 from delivery_attempt a
  where a.team_id = d.team_id and a.delivery_id = d.id))`

/** What a delivery may name somebody by: leads and posts of theirs, leads of others with a post of theirs, and sources that are them. */
export type NamedBy = {
  readonly leadIds: readonly string[]
  readonly postUrns: readonly string[]
  readonly sourceIds: readonly string[]
}

/**
 * Who was told of somebody, whatever it was about; those that share an address are one receiver, named by the first of them. A REST hook is one by
 * itself: nothing but its own secret verifies there. Ids of leads of others are none that a receiver is to delete by.
 */
export async function listReceivers(
  db: Reader,
  teamId: string,
  { leadIds, postUrns, sourceIds }: NamedBy,
): Promise<Receiver[]> {
  const isTheirs = sql`(d.lead_id = any(${[...leadIds]}::uuid[])
    or (d.event = 'post.detected' and d.subject = any(${[...postUrns]}::text[])))`
  const named = sql`select d.id from delivery d where d.team_id = ${teamId} and ${isTheirs}
    union select d.id from delivery d where d.team_id = ${teamId} and d.owner_id = any(${[...sourceIds]}::uuid[])
    union select d.id from delivery d where d.team_id = ${teamId} and d.source_id = any(${[...sourceIds]}::uuid[])
    union select d.id from lead l join delivery d on d.team_id = l.team_id and d.lead_id = l.id
      where l.team_id = ${teamId} and l.post_urn = any(${[...postUrns]}::text[])`
  const { rows } = await sql<{ ownerId: string; url: string | null; isHook: boolean; key: string | null }>`
    select distinct d.owner_id as "ownerId", w.url, coalesce(w.owner_kind = 'hook', false) as "isHook",
      case when ${isTheirs} then d.subject end as key
    from (${named}) named join delivery d on d.team_id = ${teamId} and d.id = named.id
    left join webhook w on w.team_id = d.team_id and w.owner_id = d.owner_id
    where ${wasSent} and d.event <> ${event} order by "ownerId", key nulls last`.execute(db)
  return [...Map.groupBy(rows, ({ ownerId, url, isHook }) => (isHook ? ownerId : (url ?? ownerId))).values()].map(
    (same) => ({
      ownerId: same[0]!.ownerId,
      url: same[0]!.url,
      externalKeys: [...new Set(same.flatMap(({ key }) => key ?? []))],
    }),
  )
}

/** Queues the event to every receiver; one whose address was cleared cannot be told, which its delivery says. */
export async function tellErased(
  tx: Tx,
  teamId: string,
  told: { readonly subjectHash: string; readonly linkedinUrl: string | null; readonly receivers: readonly Receiver[] },
): Promise<void> {
  const { subjectHash: subject, linkedinUrl, receivers } = told
  const drafts = receivers.map(({ ownerId, externalKeys }) => {
    const id = tx.newId()
    const body: z.input<typeof personErased> = {
      event,
      id,
      sentAt: tx.now.toISOString(),
      person: { linkedinUrl, externalKeys: [...externalKeys] },
    }
    return { id, ownerId, event, subject, leadId: null, automatic: false, body: Buffer.from(JSON.stringify(body)) }
  })
  const { rows } = await sql<{ ownerId: string; generation: number }>`
    select owner_id as "ownerId", generation from webhook
    where team_id = ${teamId} and owner_id = any(${receivers.map(({ ownerId }) => ownerId)}::uuid[])`.execute(tx.db)
  const generations = new Map(rows.map((row) => [row.ownerId, row.generation]))
  await insertDeliveries(
    tx,
    teamId,
    drafts.map((draft) => ({ ...draft, generation: generations.get(draft.ownerId) ?? 0 })),
  )
  const lost = receivers.filter(({ url }) => url === null).map(({ ownerId }) => ownerId)
  await sql`update delivery set state = 'cancelled', finished_at = ${tx.now}, body = null
    where team_id = ${teamId} and event = ${event} and subject = ${subject} and owner_id = any(${lost}::uuid[])`.execute(
    tx.db,
  )
  if (drafts.length > lost.length) tx.enqueue('delivery', teamId)
}

/** Whether a receiver has been told. */
export type Told = { readonly kind: 'webhook'; readonly id: string; readonly state: 'waiting' | 'delivered' | 'failed' }

/** Who was told of erasures, by the hash of their person. */
export async function listTold(
  db: Reader,
  teamId: string,
  subjectHashes: readonly string[],
): Promise<ReadonlyMap<string, readonly Told[]>> {
  if (subjectHashes.length === 0) return new Map()
  const { rows } = await sql<{ subject: string; id: string; state: string }>`
    select subject, owner_id as id, state from delivery
    where team_id = ${teamId} and event = ${event} and subject = any(${[...subjectHashes]}::text[])
    order by owner_id`.execute(db)
  const stateOf = (state: string): Told['state'] =>
    state === 'sent' ? 'delivered' : state === 'pending' || state === 'held' ? 'waiting' : 'failed'
  return new Map(
    [...Map.groupBy(rows, ({ subject }) => subject)].map(([subject, told]) => [
      subject,
      told.map(({ id, state }) => ({ kind: 'webhook', id, state: stateOf(state) })),
    ]),
  )
}

/** SQL: delivery `d` tells of an erasure: nothing but its receiver ends it. */
export const tellsErased = sql<boolean>`d.event = ${sql.lit(event)}`

/** True of the event that tells of an erasure. */
export const isTellingErased = (delivery: { readonly event: string }): boolean => delivery.event === event
