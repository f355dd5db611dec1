/**
 * `person.erased`: sent to every receiver that got something about an erased person, whatever its settings, also of untracked
 * sources. The body is kept until it arrives or is given up; the log shows only the subject, a keyed hash of the person.
 */
import type { personErased } from '@les/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { insertDeliveries, hasLease } from './deliveries.ts'

const event = 'person.erased'

/** A receiver, with the lead ids and post URNs it was sent about the person. */
export type Receiver = {
  readonly ownerId: string
  readonly url: string | null
  readonly externalKeys: readonly string[]
}

/** SQL: delivery `d` was sent or may have been: an attempt under way counts, since its outcome will not be recorded. */
const wasSent = sql<boolean>`(d.state = 'sent' or d.attempts > 0 or ${hasLease} or exists (select 1 from delivery_attempt a
  where a.team_id = d.team_id and a.delivery_id = d.id))`

/** Where a person is named: their leads and posts, other people's leads on those posts, and sources that are the person. */
export type NamedBy = {
  readonly leadIds: readonly string[]
  readonly postUrns: readonly string[]
  readonly sourceIds: readonly string[]
}

/**
 * Receivers that got anything about the person. Those with the same URL count once, under the first owner; a REST hook counts by
 * itself, because only its own secret verifies there. Keys never include leads of other people.
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

/** Queues the event for every receiver; where the URL was cleared the delivery is cancelled at once. */
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
  const wanted = drafts.map((draft) => ({ ...draft, generation: generations.get(draft.ownerId) ?? 0 }))
  await insertDeliveries(tx, teamId, wanted)
  const lost = receivers.filter(({ url }) => url === null).map(({ ownerId }) => ownerId)
  await sql`update delivery set state = 'cancelled', finished_at = ${tx.now}, body = null
    where team_id = ${teamId} and event = ${event} and subject = ${subject}
      and owner_id = any(${lost}::uuid[])`.execute(tx.db)
  if (drafts.length > lost.length) tx.enqueue('delivery', teamId)
}

type ToldReceiver = {
  readonly kind: 'webhook'
  readonly id: string
  readonly state: 'waiting' | 'delivered' | 'failed'
}

/** The receivers of erasure events, by subject hash. */
export async function listToldReceivers(
  db: Reader,
  teamId: string,
  subjectHashes: readonly string[],
): Promise<ReadonlyMap<string, readonly ToldReceiver[]>> {
  if (subjectHashes.length === 0) return new Map()
  const { rows } = await sql<{ subject: string; id: string; state: string }>`
    select subject, owner_id as id, state from delivery
    where team_id = ${teamId} and event = ${event} and subject = any(${[...subjectHashes]}::text[])
    order by owner_id`.execute(db)
  const stateOf = (state: string): ToldReceiver['state'] =>
    state === 'sent' ? 'delivered' : state === 'pending' || state === 'held' ? 'waiting' : 'failed'
  return new Map(
    [...Map.groupBy(rows, ({ subject }) => subject)].map(([subject, told]) => [
      subject,
      told.map(({ id, state }) => ({ kind: 'webhook', id, state: stateOf(state) })),
    ]),
  )
}

/** SQL: delivery `d` is a `person.erased`: only its receiver's answer ends it. */
export const tellsErased = sql<boolean>`d.event = ${sql.lit(event)}`

/** True for a `person.erased`. */
export const isTellingErased = (delivery: { readonly event: string }): boolean => delivery.event === event
