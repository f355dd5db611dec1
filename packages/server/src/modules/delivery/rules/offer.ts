/** Which enriched leads are delivered by themselves (WHK-08, WHK-09, WHK-28; G43, G53). */
import type { WebhookSettings } from './settings.ts'

/** A lead as the judgement sees it. */
export type OfferedLead = { readonly isIcp: boolean | null; readonly createdAt: Date }

/**
 * True when the lead goes out now. `autoSendSince` is when autoSend was last switched on (null: it always was): leads captured
 * before are history, which only a push delivers. An owner without ICP criteria restricts nothing: its leads' `isIcp` is null.
 */
export function goesOut(
  settings: WebhookSettings & { readonly autoSendSince: Date | null },
  lead: OfferedLead,
): boolean {
  if (settings.url === null || !settings.autoSend) return false
  if (settings.autoSendSince !== null && lead.createdAt < settings.autoSendSince) return false
  return !settings.icpOnly || lead.isIcp !== false
}
