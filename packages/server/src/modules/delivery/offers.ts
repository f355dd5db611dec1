import { queryAll } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { scoreAgentLeads, type LeadScore } from '../fit/index.ts'
import { isCleared, isExcluded } from '../leads/index.ts'
import { offerToDestinations } from './destinations/queue.ts'
import { insertLeadDetected } from './deliveries.ts'
import { releaseEnriched } from './push/store.ts'
import { isSentAutomatically } from './rules/offer.ts'
import { lockSameEngagements, withoutDelivered } from './same-engagement.ts'
import { findWebhook, type Webhook } from './settings/store.ts'
import { offerToReceivers } from './team-wide/offers.ts'

/** The webhook status and generation that newly captured leads start with (G53, G158). */
export async function initialWebhookStatus(
  db: Reader,
  teamId: string,
  ownerId: string,
): Promise<{ webhookStatus: 'pending' | 'no_webhook'; webhookGeneration: number | null }> {
  const webhook = await findWebhook(db, teamId, ownerId)
  return webhook?.url == null
    ? { webhookStatus: 'no_webhook', webhookGeneration: null }
    : { webhookStatus: 'pending', webhookGeneration: webhook.generation }
}

type OfferableLead = {
  readonly id: string
  readonly ownerId: string
  readonly isIcp: boolean | null
  readonly createdAt: Date
  readonly webhookGeneration: number | null
}

/** Locks, in id order, leads that may be offered. The lock settles the race with a PUT that clears the URL. */
async function lockOfferable(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<OfferableLead[]> {
  if (leadIds.length === 0) return []
  return queryAll<OfferableLead>(tx.db)`
    select l.id, l.owner_id as "ownerId", l.is_icp as "isIcp", l.created_at as "createdAt",
      l.webhook_generation as "webhookGeneration"
    from lead l join source s on s.team_id = l.team_id and s.id = l.source_id
    where l.team_id = ${teamId} and l.id = any(${leadIds}) and l.enrichment = 'completed'
      and l.webhook_status = 'pending' and s.status = 'active' and not ${isCleared} and not ${isExcluded(teamId)}
    order by l.id for no key update of l`
}

/** Offers leads to all receivers. Call in the unit of work that ends their enrichment, after facts and verdicts are written. */
export async function offerLeads(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  await offerToWebhooks(tx, teamId, leadIds)
  await offerToReceivers(tx, teamId, leadIds)
  await offerToDestinations(tx, teamId, leadIds)
}

/** Queues `lead.detected` for leads that go automatically (specification «Events» 1; G43, G48); releases held pushes (G52). */
export async function offerToWebhooks(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  await lockSameEngagements(tx, teamId, leadIds)
  const offered = await lockOfferable(tx, teamId, leadIds)
  const { leads: automatic, scores, webhooks } = await findAutomaticLeads(tx.db, teamId, offered)
  const isOfAgent = (lead: OfferableLead) => webhooks.get(lead.ownerId)?.origin.agentId != null
  const queue = (leads: readonly OfferableLead[]) =>
    insertLeadDetected(
      tx,
      teamId,
      leads.map(({ id: leadId, ownerId }) => ({
        leadId,
        ownerId,
        generation: webhooks.get(ownerId)!.generation,
        agent: scores.get(leadId) ?? null,
      })),
    )
  // Sources' own webhooks first: if an agent's webhook has the same URL, it then skips the engagement.
  const ofSources = automatic.filter((lead) => !isOfAgent(lead))
  const queuedOfSources = await queue(ofSources)
  const ofAgents = await onceEach(tx.db, { teamId, webhooks }, automatic.filter(isOfAgent))
  const queued = queuedOfSources + (await queue(ofAgents))
  const toSend = [...ofSources, ...ofAgents].map((lead) => lead.id)
  const released = await releaseEnriched(tx, { teamId, leadIds }, toSend)
  if (queued + released > 0) tx.enqueue('delivery', teamId)
}

type Webhooks = ReadonlyMap<string, Webhook | undefined>

async function onceEach(
  db: Reader,
  { teamId, webhooks }: { readonly teamId: string; readonly webhooks: Webhooks },
  leads: readonly OfferableLead[],
): Promise<OfferableLead[]> {
  const once: OfferableLead[] = []
  for (const theirs of Map.groupBy(leads, ({ ownerId }) => webhooks.get(ownerId)!.origin.agentId!).values()) {
    const { origin, url } = webhooks.get(theirs[0]!.ownerId)!
    const to = { teamId, agentId: origin.agentId!, url: url! }
    const all = theirs.map(({ id }) => id)
    const undelivered = await withoutDelivered(db, to, all)
    once.push(...theirs.filter(({ id }) => undelivered.has(id)))
  }
  return once
}

/** The leads that go automatically; for an agent's webhook those it lists that pass its filters, with scores (WHK-28, G136). */
async function findAutomaticLeads(
  db: Reader,
  teamId: string,
  leads: readonly OfferableLead[],
): Promise<{ leads: OfferableLead[]; scores: Map<string, LeadScore>; webhooks: Webhooks }> {
  const webhooks: Map<string, Webhook | undefined> = new Map()
  const automatic: OfferableLead[] = []
  for (const [ownerId, theirs] of Map.groupBy(leads, (lead) => lead.ownerId)) {
    const webhook = await findWebhook(db, teamId, ownerId)
    webhooks.set(ownerId, webhook)
    if (!webhook) continue
    automatic.push(...theirs.filter((lead) => isSentAutomatically(webhook, lead)))
  }
  const scores = new Map<string, LeadScore>()
  const agentOf = (lead: OfferableLead) => webhooks.get(lead.ownerId)?.origin.agentId ?? null
  for (const ownerId of new Set(automatic.filter((lead) => agentOf(lead) !== null).map((lead) => lead.ownerId))) {
    const { agentId, filters } = webhooks.get(ownerId)!.origin
    const ids = automatic.filter((lead) => lead.ownerId === ownerId).map((lead) => lead.id)
    for (const [id, score] of await scoreAgentLeads(
      db,
      { teamId, agentId: agentId! },
      { leadIds: ids, listed: true, filters },
    ))
      scores.set(id, score)
  }
  return { leads: automatic.filter((lead) => agentOf(lead) === null || scores.has(lead.id)), scores, webhooks }
}
