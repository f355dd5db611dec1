/** An agent's webhook on the sources it has made, and pushes through them (specification «Engagement Agent»; G136, AGT-74, AGT-75). */
import type { FilterRow } from '@les/contract'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { markPushed } from '../leads/index.ts'
import { clearWebhook, keepQueued, roomOfUnit, type Room } from './clearing.ts'
import { claimDeliveries, countConsidered, lockPushable, widenHeld, type Scope } from './push-store.ts'
import { defaultSettings } from './rules/settings.ts'
import { findWebhook, ownWebhook, saveWebhook, shareWebhook } from './settings-store.ts'
import { lockSameEngagements, notYetDelivered } from './same-engagement.ts'
import { cancelCalledOff, releaseHeld } from './store.ts'

/** The webhook of an agent. */
export type AgentHook = {
  readonly url: string
  readonly autoSend: boolean
  readonly filters: readonly FilterRow<string>[]
  /** When its URL was set. */
  readonly since: Date
}

/**
 * Writes an agent's webhook to a source that it has made and whose row is locked; null takes away what the agent had
 * written there. History never goes out by this.
 */
export async function adoptWebhook(
  tx: Tx,
  {
    teamId,
    sourceId,
    agentId,
    hook,
    room = roomOfUnit(),
  }: {
    readonly teamId: string
    readonly sourceId: string
    readonly agentId: string
    readonly hook: AgentHook | null
    readonly room?: Room | undefined
  },
): Promise<void> {
  const stored = await findWebhook(tx.db, teamId, sourceId)
  if (hook === null) {
    if (stored?.origin.agentId !== agentId) return
    const owner = { teamId, ownerId: sourceId, origin: ownWebhook }
    const effects = { urlChanged: true, rearmed: false, autoSendBegan: false }
    return clearWebhook(tx, owner, { room, save: () => saveWebhook(tx, { owner, settings: defaultSettings, effects }) })
  }
  const before = stored ?? defaultSettings
  const settings = { url: hook.url, icpOnly: false, autoSend: hook.autoSend, syncEvents: before.syncEvents }
  // The URL may have been another meanwhile, while the source was not tracked and kept the first one.
  const wasAnother = stored?.urlSetAt != null && stored.urlSetAt < hook.since
  const effects = {
    urlChanged: before.url !== hook.url || wasAnother,
    rearmed: true,
    autoSendBegan: hook.autoSend && !before.autoSend,
  }
  await saveWebhook(tx, {
    owner: { teamId, ownerId: sourceId, origin: { agentId, filters: hook.filters } },
    settings,
    effects,
  })
  if (!hook.autoSend) await cancelCalledOff(tx, teamId, [sourceId])
  if ((await releaseHeld(tx, teamId, sourceId)) > 0) tx.enqueue('delivery', teamId)
}

/** The sources among those given whose webhook goes to this URL. */
export async function carriersOf(
  db: Reader,
  { teamId, sourceIds, url }: { readonly teamId: string; readonly sourceIds: readonly string[]; readonly url: string },
): Promise<Set<string>> {
  const carriers = new Set<string>()
  for (const id of sourceIds) if ((await findWebhook(db, teamId, id))?.url === url) carriers.add(id)
  return carriers
}

/**
 * Queues those of a source's leads that have nothing sent or on its way, whether they match its ICP criteria or not; nothing when its
 * URL is gone. For an agent an engagement that has gone to it by another of its sources stays as it is.
 */
export async function pushLeads(
  tx: Tx,
  {
    teamId,
    sourceId,
    leadIds,
    agentId,
  }: {
    readonly teamId: string
    readonly sourceId: string
    readonly leadIds: readonly string[]
    /** The agent that pushes; left out: the one whose webhook the source carries. */
    readonly agentId?: string
  },
): Promise<{ considered: number; queued: number }> {
  const scope: Scope = { teamId, ownerId: sourceId, leadIds }
  const considered = await countConsidered(tx.db, scope)
  await lockSameEngagements(tx, teamId, leadIds)
  const pushable = await lockPushable(tx, { scope, icpOnly: false })
  const webhook = await shareWebhook(tx, teamId, sourceId)
  if (webhook?.url == null) return { considered, queued: 0 }
  const leads = await notYetDelivered(
    tx.db,
    { teamId, agentId: agentId ?? webhook.origin.agentId, url: webhook.url },
    pushable,
  )
  await widenHeld(tx, scope)
  const claimed = await claimDeliveries(tx, {
    scope,
    leads,
    how: {
      icpOnly: false,
      endpointDisabled: webhook.disabledAt !== null,
    },
  })
  await markPushed(
    tx,
    teamId,
    claimed.map((delivery) => delivery.leadId),
  )
  await keepQueued(tx, { teamId, clearing: webhook.clearing }, claimed)
  if (claimed.length > 0) tx.enqueue('delivery', teamId)
  return { considered, queued: claimed.length }
}
