import { sql } from 'kysely'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { leadDetectedBodies, type AgentSays } from './present.ts'
import { maxServiceFaults } from './rules/endpoint.ts'
import { countAffected } from '../../platform/db/query.ts'

/** SQL: delivery `d` is pending or held; an attempt may be under way. */
export const isUnsent = sql<boolean>`d.state in ('pending', 'held')`

/** SQL: delivery `d` is leased: an attempt is under way, or its process died during one. */
export const hasLease = sql<boolean>`d.lease_owner is not null`

/** SQL: delivery `d` was queued before the URL of its webhook was cleared, so it counts as cancelled. */
export const isCancelled = sql<boolean>`(${isUnsent} and exists (select 1 from webhook g
  where g.team_id = d.team_id and g.owner_id = d.owner_id and g.cancelled_below_generation > d.generation))`

/** SQL: delivery `d` is automatic and autoSend was switched off since (G160): cancelled, but its lead may still be pushed. */
export const isAutoSendOff = sql<boolean>`(d.automatic and ${isUnsent} and exists (select 1 from webhook h
  where h.team_id = d.team_id and h.owner_id = d.owner_id and (not h.auto_send or d.created_at < h.auto_send_since)))`

/** SQL: delivery `d` is held because its endpoint is or was disabled, not for an enrichment. */
export const isHeldForEndpoint = sql<boolean>`(d.state = 'held' and not d.awaits_enrichment
  and d.unexpected_failures < ${sql.lit(maxServiceFaults)})`

/** SQL: delivery `d` is held because the service itself failed at it too often; only a person can have it sent again. */
export const hasFailedTooOften = sql<boolean>`(d.state = 'held' and not d.awaits_enrichment
  and d.unexpected_failures >= ${sql.lit(maxServiceFaults)})`

export type DeliveryDraft = {
  readonly id: string
  readonly ownerId: string
  readonly event: string
  readonly subject: string
  readonly leadId: string | null
  /** The source of the event when the owner is a receiver of the whole team. */
  readonly sourceId?: string | null
  readonly generation: number
  readonly automatic: boolean
  readonly body: Buffer
}

/** Inserts deliveries due at once, skipping those whose owner already has the event and subject. Returns how many are new. */
export async function insertDeliveries(tx: Tx, teamId: string, drafts: readonly DeliveryDraft[]): Promise<number> {
  if (drafts.length === 0) return 0
  const each = <T>(read: (draft: DeliveryDraft) => T): T[] => drafts.map(read)
  return countAffected(tx.db)`
    insert into delivery (team_id, id, owner_id, event, subject, lead_id, source_id, generation, automatic, state, body, due_at,
      created_at)
    select ${teamId}::uuid, d.id, d.owner_id, d.event, d.subject, d.lead_id, d.source_id, d.generation, d.automatic, 'pending',
      d.body, ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from unnest(${each(({ id }) => id)}::uuid[], ${each(({ ownerId }) => ownerId)}::uuid[], ${each(({ event }) => event)}::text[],
      ${each(({ subject }) => subject)}::text[], ${each(({ leadId }) => leadId)}::uuid[],
      ${each(({ sourceId = null }) => sourceId)}::uuid[], ${each(({ generation }) => generation)}::integer[],
      ${each(({ automatic }) => automatic)}::boolean[], ${each(({ body }) => body)}::bytea[])
      as d (id, owner_id, event, subject, lead_id, source_id, generation, automatic, body)
    on conflict (team_id, owner_id, event, subject) do nothing`
}

export type LeadOffer = Omit<DeliveryDraft, 'id' | 'event' | 'subject' | 'leadId' | 'automatic' | 'body'> & {
  readonly leadId: string
  readonly agent: AgentSays | null
}

/** Queues a `lead.detected` per offer, once per lead and owner for ever. Returns how many are new. */
export async function insertLeadDetected(tx: Tx, teamId: string, offers: readonly LeadOffer[]): Promise<number> {
  if (offers.length === 0) return 0
  const drafts = offers.map((offer) => ({ ...offer, id: tx.newId() }))
  const bodies = await leadDetectedBodies(tx, teamId, drafts)
  return insertDeliveries(
    tx,
    teamId,
    drafts.flatMap(({ agent: _written, ...draft }) => {
      const body = bodies.get(draft.id)
      return body ? [{ ...draft, event: 'lead.detected', subject: draft.leadId, automatic: true, body }] : []
    }),
  )
}

/** Saves the bodies of deliveries that have none yet; a body never changes once it is set. */
export async function saveBodies(tx: Tx, teamId: string, bodies: ReadonlyMap<string, Buffer>): Promise<void> {
  if (bodies.size === 0) return
  await sql`
    update delivery d set body = made.body
    from unnest(${[...bodies.keys()]}::uuid[], ${[...bodies.values()]}::bytea[]) as made (id, body)
    where d.team_id = ${teamId} and d.id = made.id and d.body is null`.execute(tx.db)
}

/** Locks the leads of deliveries, in id order. */
export async function lockLeads(
  tx: Tx,
  teamId: string,
  deliveries: readonly { readonly leadId: string | null }[],
): Promise<void> {
  const ids = deliveries.flatMap(({ leadId }) => leadId ?? [])
  if (ids.length > 0)
    await sql`select 1 from lead where team_id = ${teamId} and id = any(${ids}::uuid[])
      order by id for no key update`.execute(tx.db)
}

/** SQL: the body that an ended delivery keeps; a `person.erased` keeps none, because it names the erased person. */
export const bodyOnceOver = sql`case when event = 'person.erased' then null else body end`
