import type { WebhookSettings } from './settings.ts'

type OfferedLead = {
  readonly isIcp: boolean | null
  readonly createdAt: Date
  /** The webhook's generation at capture; null when it was not recorded. */
  readonly webhookGeneration: number | null
}

/**
 * True when the lead goes automatically (WHK-08, WHK-09, WHK-28; G43, G53). Leads captured before the current URL (G158) or
 * before autoSend was last switched on (`autoSendSince`; null: always on) go only by a push.
 */
export function isSentAutomatically(
  settings: WebhookSettings & { readonly autoSendSince: Date | null; readonly generation: number },
  lead: OfferedLead,
): boolean {
  if (settings.url === null || !settings.autoSend) return false
  if (settings.autoSendSince !== null && lead.createdAt < settings.autoSendSince) return false
  if (lead.webhookGeneration !== null && lead.webhookGeneration < settings.generation) return false
  return !settings.icpOnly || lead.isIcp !== false
}
