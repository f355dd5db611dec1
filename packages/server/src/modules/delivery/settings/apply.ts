/**
 * Writing a webhook to sources, whose rows are locked: as a request names it, the same to many at once, or as the agent has it that made
 * them (specification «Webhook configuration», «Engagement Agent»; G46, G134, G136, AGT-74, AGT-75).
 */
import type { FilterRow } from '@les/contract'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { awaitOpenSync } from '../events.ts'
import { defaultSettings, type WebhookSettings } from '../rules/settings.ts'
import { endCalledOff, releaseHeld } from '../waiting.ts'
import { findWebhook, ownWebhook, saveWebhooks, type NewSettings } from './store.ts'

/**
 * Writes it, with what follows for what waits. What waited for a URL that is cleared is over from then on by its generation; the clock ends
 * its rows (settling.ts).
 */
export async function applyWebhook(tx: Tx, saved: NewSettings): Promise<void> {
  const { teamId, ownerIds, settings, isNamed } = saved
  await saveWebhooks(tx, saved)
  if (!settings.autoSend) await endCalledOff(tx, { teamId, ownerIds })
  if (settings.syncEvents) for (const id of ownerIds) await awaitOpenSync(tx, teamId, id)
  if (isNamed) await releaseHeld(tx, { teamId, ownerIds })
}

/** Gives sources the same webhook, as a save of each of them that names every setting does. */
export const giveWebhook = (
  tx: Tx,
  { teamId, sourceIds, settings }: { teamId: string; sourceIds: readonly string[]; settings: WebhookSettings },
): Promise<void> =>
  applyWebhook(tx, { teamId, ownerIds: sourceIds, origin: ownWebhook, settings, isNamed: true, isAnother: false })

/** The webhook of an agent. */
type AgentHook = {
  readonly url: string
  readonly autoSend: boolean
  readonly filters: readonly FilterRow<string>[]
  /** When its URL was set. */
  readonly since: Date
}

type Adoption = {
  readonly teamId: string
  readonly sourceId: string
  readonly agentId: string
  readonly hook: AgentHook | null
}

/**
 * Writes an agent's webhook to a source that it has made; null takes away what the agent had written there. History never goes out by
 * this.
 */
export async function adoptWebhook(tx: Tx, { teamId, sourceId, agentId, hook }: Adoption): Promise<void> {
  const stored = await findWebhook(tx.db, teamId, sourceId)
  const owner = { teamId, ownerIds: [sourceId] }
  if (hook === null) {
    if (stored?.origin.agentId !== agentId) return
    return applyWebhook(tx, {
      ...owner,
      origin: ownWebhook,
      settings: defaultSettings,
      isNamed: false,
      isAnother: false,
    })
  }
  await applyWebhook(tx, {
    ...owner,
    origin: { agentId, filters: hook.filters },
    settings: { url: hook.url, icpOnly: false, autoSend: hook.autoSend, syncEvents: stored?.syncEvents ?? false },
    isNamed: true,
    // The URL may have been another meanwhile, while the source was not tracked and kept the first one.
    isAnother: stored?.urlSetAt != null && stored.urlSetAt < hook.since,
  })
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
