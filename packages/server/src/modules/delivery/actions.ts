/** Use cases that capture and enrichment call. */
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { scoreAgentLeads, type LeadScore } from '../fit/index.ts'
import { leadsById, presentLead } from '../leads/index.ts'
import { keepQueued, stillGoing } from './clearing.ts'
import { findSources } from './sources-store.ts'
import { leadDetectedBody, type AgentSays } from './present.ts'
import { goesOut } from './rules/offer.ts'
import { lockSameEngagements, withoutDelivered } from './same-engagement.ts'
import { findWebhook, type Webhook } from './settings-store.ts'
import { insertDeliveries, lockOfferable, type DeliveryDraft, type OfferableLead } from './store.ts'
import { releaseEnriched } from './push-store.ts'
import { saveBodies } from './settle-store.ts'
import type { LeasedDelivery } from './lease-store.ts'

/** The webhook state and round that leads captured now begin with (G53, G158), and the clearing that they are none of. */
export async function initialWebhookStatus(
  db: Reader,
  teamId: string,
  ownerId: string,
): Promise<{ webhookStatus: 'pending' | 'no_webhook'; webhookRound: number | null; clearingId: string | null }> {
  const webhook = await findWebhook(db, teamId, ownerId)
  return webhook?.url == null
    ? { webhookStatus: 'no_webhook', webhookRound: null, clearingId: null }
    : { webhookStatus: 'pending', webhookRound: webhook.round, clearingId: webhook.clearing }
}

/**
 * Queues a `lead.detected` for those of the leads that go out by themselves (specification «Events» 1; G43, G48): once per lead
 * and owner for ever; and lets those go that a push was waiting for (G52). Called in the unit of work that ends their enrichment,
 * after the facts are written and judged.
 */
export async function offerLeads(tx: Tx, teamId: string, leadIds: readonly string[]): Promise<void> {
  await lockSameEngagements(tx, teamId, leadIds)
  const offered = await lockOfferable(tx, teamId, leadIds)
  const { going: passing, scores, webhooks } = await keepGoing(tx.db, teamId, offered)
  const isOfAgent = (lead: OfferableLead) => webhooks.get(lead.ownerId)?.origin.agentId != null
  const queue = async (leads: readonly OfferableLead[]) =>
    leads.length === 0 ? [] : insertDeliveries(tx, teamId, await draftsOf(tx, { teamId, leads, scores }))
  // A source's own webhook first: an agent whose URL is the same one has the engagement by that.
  const ofSources = passing.filter((lead) => !isOfAgent(lead))
  const queuedOfSources = await queue(ofSources)
  const ofAgents = await onceEach(tx.db, { teamId, webhooks }, passing.filter(isOfAgent))
  const queued = [...queuedOfSources, ...(await queue(ofAgents))]
  const going = [...ofSources, ...ofAgents]
  for (const [ownerId, theirs] of Map.groupBy(queued, (each) => each.ownerId))
    await keepQueued(tx, { teamId, clearing: webhooks.get(ownerId)?.clearing ?? null }, theirs)
  const released = await releaseEnriched(tx, { teamId, leadIds, going: going.map((lead) => lead.id) })
  if (queued.length + released > 0) tx.enqueue('delivery', teamId)
}

type Webhooks = ReadonlyMap<string, Webhook | undefined>

/** Of leads that go to webhooks of agents, those whose engagement has not gone there by another source of the agent. */
async function onceEach(
  db: Reader,
  { teamId, webhooks }: { readonly teamId: string; readonly webhooks: Webhooks },
  leads: readonly OfferableLead[],
): Promise<OfferableLead[]> {
  const once: OfferableLead[] = []
  for (const theirs of Map.groupBy(leads, ({ ownerId }) => webhooks.get(ownerId)!.origin.agentId!).values()) {
    const { origin, url } = webhooks.get(theirs[0]!.ownerId)!
    const to = { teamId, agentId: origin.agentId!, url: url! }
    const ids = await withoutDelivered(
      db,
      to,
      theirs.map(({ id }) => id),
    )
    once.push(...theirs.filter(({ id }) => ids.has(id)))
  }
  return once
}

/**
 * Those that go out by themselves; of an agent's webhook those that the agent lists and that pass its filters, with
 * their scores (WHK-28, G136).
 */
async function keepGoing(
  db: Reader,
  teamId: string,
  leads: readonly OfferableLead[],
): Promise<{ going: OfferableLead[]; scores: Map<string, LeadScore>; webhooks: Webhooks }> {
  const webhooks: Map<string, Webhook | undefined> = new Map()
  const going: OfferableLead[] = []
  for (const [ownerId, theirs] of Map.groupBy(leads, (lead) => lead.ownerId)) {
    const webhook = await findWebhook(db, teamId, ownerId)
    webhooks.set(ownerId, webhook)
    if (!webhook) continue
    const waiting = await stillGoing(db, { teamId, clearing: webhook.clearing }, theirs)
    going.push(...waiting.filter((lead) => goesOut(webhook, lead)))
  }
  const scores = new Map<string, LeadScore>()
  const agentOf = (lead: OfferableLead) => webhooks.get(lead.ownerId)?.origin.agentId ?? null
  for (const ownerId of new Set(going.filter((lead) => agentOf(lead) !== null).map((lead) => lead.ownerId))) {
    const { agentId, filters } = webhooks.get(ownerId)!.origin
    const ids = going.filter((lead) => lead.ownerId === ownerId).map((lead) => lead.id)
    for (const [id, score] of await scoreAgentLeads(
      db,
      { teamId, agentId: agentId! },
      { leadIds: ids, listed: true, filters },
    ))
      scores.set(id, score)
  }
  return { going: going.filter((lead) => agentOf(lead) === null || scores.has(lead.id)), scores, webhooks }
}

async function draftsOf(
  tx: Tx,
  {
    teamId,
    leads,
    scores,
  }: {
    readonly teamId: string
    readonly leads: readonly OfferableLead[]
    readonly scores: ReadonlyMap<string, LeadScore>
  },
): Promise<DeliveryDraft[]> {
  const resources = new Map(
    (
      await leadsById(
        tx.db,
        teamId,
        leads.map((lead) => lead.id),
      )
    ).map((row) => [row.id, presentLead(row)]),
  )
  const sources = await findSources(
    tx.db,
    teamId,
    leads.map((lead) => lead.sourceId),
  )
  return leads.flatMap((lead) => {
    const [resource, source] = [resources.get(lead.id), sources.get(lead.sourceId)]
    if (!resource || !source) return []
    const id = tx.newId()
    return [
      {
        id,
        ownerId: lead.ownerId,
        event: 'lead.detected',
        subject: lead.id,
        leadId: lead.id,
        automatic: true,
        body: leadDetectedBody({ id, sentAt: tx.now, source, lead: resource, agent: scores.get(lead.id) ?? null }),
      },
    ]
  })
}

/** What agents say of leads that go to webhooks of theirs; null for the leads of others. */
async function agentSays(
  db: Reader,
  teamId: string,
  leased: readonly LeasedDelivery[],
): Promise<(leadId: string) => AgentSays | null> {
  const said = new Map<string, AgentSays>()
  for (const [ownerId, theirs] of Map.groupBy(leased, (each) => each.ownerId)) {
    const agentId = (await findWebhook(db, teamId, ownerId))?.origin.agentId ?? null
    const ids = theirs.flatMap((each) => each.leadId ?? [])
    if (agentId === null || ids.length === 0) continue
    const scores = await scoreAgentLeads(db, { teamId, agentId }, { leadIds: ids, listed: false })
    for (const id of ids) said.set(id, scores.get(id) ?? { icp: null, signal: null })
  }
  return (leadId) => said.get(leadId) ?? null
}

/**
 * The bytes of deliveries of one team by id; a pushed lead is serialised as it is at its first attempt, and later
 * attempts send the same bytes.
 */
export async function serialiseMany(
  tx: Tx,
  teamId: string,
  leased: readonly LeasedDelivery[],
): Promise<Map<string, Buffer>> {
  const bodies = new Map(leased.flatMap(({ id, body }) => (body === null ? [] : [[id, body] as const])))
  const bare = leased.filter(({ body }) => body === null)
  if (bare.length === 0) return bodies
  const rows = new Map(
    (
      await leadsById(
        tx.db,
        teamId,
        bare.flatMap(({ leadId }) => leadId ?? []),
      )
    ).map((row) => [row.id, row]),
  )
  const sources = await findSources(
    tx.db,
    teamId,
    [...rows.values()].flatMap((row) => row.source_id ?? []),
  )
  const says = await agentSays(tx.db, teamId, bare)
  for (const { id, leadId } of bare) {
    const row = leadId === null ? undefined : rows.get(leadId)
    const source = row?.source_id == null ? undefined : sources.get(row.source_id)
    if (!row || !source) throw new Error(`delivery ${id} has no lead to serialise`)
    bodies.set(id, leadDetectedBody({ id, sentAt: tx.now, source, lead: presentLead(row), agent: says(row.id) }))
  }
  await saveBodies(
    tx,
    teamId,
    bare.map(({ id }) => ({ id, body: bodies.get(id)! })),
  )
  return bodies
}
