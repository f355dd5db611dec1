/** An agent's webhook on the sources it has made (specification «Engagement Agent»; G136, AGT-74, AGT-75). */
import type { FilterRow } from '@les/contract'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { clearWebhook, roomOfUnit, type Room } from './clearing.ts'
import { defaultSettings } from '../rules/settings.ts'
import { findWebhook, ownWebhook, saveWebhook } from './store.ts'
import { cancelCalledOff, releaseHeld } from '../deliveries.ts'

/** The webhook of an agent. */
type AgentHook = {
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
  if (!hook.autoSend) await cancelCalledOff(tx, { teamId, ownerIds: [sourceId] })
  if ((await releaseHeld(tx, { teamId, ownerIds: [sourceId] })) > 0) tx.enqueue('delivery', teamId)
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
