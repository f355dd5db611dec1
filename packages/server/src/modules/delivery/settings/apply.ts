import type { FilterRow } from '@les/contract'
import type { Reader, Tx } from '../../../platform/db/unit-of-work.ts'
import { awaitOpenSync } from '../events.ts'
import { defaultSettings, type WebhookSettings } from '../rules/settings.ts'
import { cancelAutoSendOff, releaseHeld } from '../waiting.ts'
import { findWebhook, ownWebhook, saveWebhooks, type NewSettings } from './store.ts'
import { queryColumn } from '../../../platform/db/query.ts'

/** Saves settings (specification «Webhook configuration»; G46, G134); a cleared URL cancels at once, by generation. */
export async function applyWebhook(tx: Tx, saved: NewSettings): Promise<void> {
  const { teamId, ownerIds, settings, namesUrl } = saved
  await saveWebhooks(tx, saved)
  if (!settings.autoSend) await cancelAutoSendOff(tx, { teamId, ownerIds })
  if (settings.syncEvents) for (const id of ownerIds) await awaitOpenSync(tx, teamId, id)
  if (namesUrl) await releaseHeld(tx, { teamId, ownerIds })
}

/** Gives sources the same webhook, as if each were saved with every setting named (AGT-74, AGT-75). */
export const saveSameWebhook = (
  tx: Tx,
  { teamId, sourceIds, settings }: { teamId: string; sourceIds: readonly string[]; settings: WebhookSettings },
): Promise<void> => applyWebhook(tx, { teamId, ownerIds: sourceIds, origin: ownWebhook, settings, namesUrl: true })

type AgentWebhookCopy = {
  readonly teamId: string
  readonly sourceId: string
  readonly agentId: string
  readonly hook: {
    readonly url: string
    readonly autoSend: boolean
    readonly filters: readonly FilterRow<string>[]
    readonly since: Date
  } | null
}

/** Writes an agent's webhook (specification «Engagement Agent»; G136) to a source it made; null removes it. Past leads stay. */
export async function copyAgentWebhook(tx: Tx, { teamId, sourceId, agentId, hook }: AgentWebhookCopy): Promise<void> {
  const stored = await findWebhook(tx.db, teamId, sourceId)
  const owner = { teamId, ownerIds: [sourceId] }
  if (hook === null) {
    if (stored?.origin.agentId !== agentId) return
    return applyWebhook(tx, { ...owner, origin: ownWebhook, settings: defaultSettings, namesUrl: false })
  }
  await applyWebhook(tx, {
    ...owner,
    origin: { agentId, filters: hook.filters },
    settings: { url: hook.url, icpOnly: false, autoSend: hook.autoSend, syncEvents: stored?.syncEvents ?? false },
    namesUrl: true,
    // The agent's URL may have changed and changed back while the source was untracked.
    urlCountsAsChanged: stored?.urlSetAt != null && stored.urlSetAt < hook.since,
  })
}

/** The given sources whose webhook has this URL. */
export async function sourcesWithUrl(
  db: Reader,
  { teamId, sourceIds, url }: { readonly teamId: string; readonly sourceIds: readonly string[]; readonly url: string },
): Promise<Set<string>> {
  const withUrl = await queryColumn<string>(db)`
    select owner_id from webhook where team_id = ${teamId} and owner_id = any(${sourceIds}::uuid[]) and url = ${url}`
  return new Set(withUrl)
}
