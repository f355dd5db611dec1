/** Use cases that capture and enrichment call. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { leadsById, presentLead } from '../leads/index.ts'
import { findSources } from './sources-store.ts'
import { leadDetectedBody } from './present.ts'
import { goesOut } from './rules/offer.ts'
import { findWebhook, type Webhook } from './settings-store.ts'
import { insertDeliveries, lockOfferable, type DeliveryDraft, type OfferableLead } from './store.ts'
import { releaseEnriched } from './push-store.ts'
import { saveBody, type LeasedDelivery } from './lease-store.ts'

/** The webhook state that leads captured now begin with (G53). */
export async function initialWebhookStatus(db: Reader, teamId: string, ownerId: string): Promise<'pending' | 'no_webhook'> {
  const webhook = await findWebhook(db, teamId, ownerId)
  return webhook?.url == null ? 'no_webhook' : 'pending'
}

/**
 * Queues a `lead.detected` for those of the leads that go out by themselves (specification «Events» 1; G43, G48): once per lead
 * and owner for ever; and lets those go that a push was waiting for (G52). Called in the unit of work that ends their enrichment,
 * after the facts are written and judged.
 */
export async function offerLeads(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  const offered = await lockOfferable(tx, teamId, leadIds)
  const going = await keepGoing(tx.db, teamId, offered)
  const queued = going.length === 0 ? 0 : await insertDeliveries(tx, teamId, await draftsOf(tx, teamId, going))
  const released = await releaseEnriched(tx, teamId, leadIds, going.map((lead) => lead.id))
  if (queued + released > 0) tx.enqueue('delivery')
}

async function keepGoing(db: Reader, teamId: string, leads: readonly OfferableLead[]): Promise<OfferableLead[]> {
  const webhooks = new Map<string, Webhook | undefined>()
  for (const ownerId of new Set(leads.map((lead) => lead.ownerId))) webhooks.set(ownerId, await findWebhook(db, teamId, ownerId))
  return leads.filter((lead) => {
    const webhook = webhooks.get(lead.ownerId)
    return webhook !== undefined && goesOut(webhook, lead)
  })
}

async function draftsOf(tx: Tx, teamId: string, leads: readonly OfferableLead[]): Promise<DeliveryDraft[]> {
  const resources = new Map((await leadsById(tx.db, teamId, leads.map((lead) => lead.id))).map((row) => [row.id, presentLead(row)]))
  const sources = await findSources(tx.db, teamId, leads.map((lead) => lead.sourceId))
  return leads.flatMap((lead) => {
    const [resource, source] = [resources.get(lead.id), sources.get(lead.sourceId)]
    if (!resource || !source) return []
    const id = tx.newId()
    return [{ id, ownerId: lead.ownerId, event: 'lead.detected', subject: lead.id, leadId: lead.id, body: leadDetectedBody(id, tx.now, source, resource) }]
  })
}

/** Serialises a pushed lead as it is at its first attempt; later attempts send the same bytes. */
export async function serialise(tx: Tx, leased: LeasedDelivery): Promise<Buffer> {
  const { teamId, id, leadId } = leased
  const [row] = leadId === null ? [] : await leadsById(tx.db, teamId, [leadId])
  const source = row?.source_id == null ? undefined : (await findSources(tx.db, teamId, [row.source_id])).get(row.source_id)
  if (!row || !source) throw new Error(`delivery ${id} has no lead to serialise`)
  const body = leadDetectedBody(id, tx.now, source, presentLead(row))
  await saveBody(tx, leased, body)
  return body
}
