/** Which enriched leads are delivered by themselves (WHK-08, WHK-09, WHK-28; G43, G53). */
import type { WebhookSettings } from './settings.ts'

/** A lead as the judgement sees it. */
type OfferedLead = {
  readonly isIcp: boolean | null
  readonly createdAt: Date
  /** The generation of the webhook that it was captured in; null where it was not noted. */
  readonly webhookGeneration: number | null
}

/**
 * True when the lead goes out now. Leads captured before the URL became this one (G158), or before autoSend was last switched on
 * (`autoSendSince`; null: it always was), are history, which only a push delivers. An owner without ICP criteria restricts nothing: its
 * leads' `isIcp` is null.
 */
export function goesOut(
  settings: WebhookSettings & { readonly autoSendSince: Date | null; readonly generation: number },
  lead: OfferedLead,
): boolean {
  if (settings.url === null || !settings.autoSend) return false
  if (settings.autoSendSince !== null && lead.createdAt < settings.autoSendSince) return false
  if (lead.webhookGeneration !== null && lead.webhookGeneration < settings.generation) return false
  return !settings.icpOnly || lead.isIcp !== false
}
