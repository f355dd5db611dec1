/** Webhook configurations as resources, and leads as events (G46, G48). */
import type { leadDetected, webhook } from '@les/contract'
import type { z } from 'zod'
import type { LeadScore } from '../fit/index.ts'
import type { LeadResource } from '../leads/index.ts'
import { defaultSettings, type WebhookSettings } from './rules/settings.ts'

/** The source that an answer or an event is about. */
export type DeliverySource = {
  readonly id: string
  readonly type: 'person' | 'company' | 'post' | 'keyword'
  readonly username: string
}

/** The configuration of a source, its defaults when it never had one. */
export function presentWebhook(source: DeliverySource, stored: WebhookSettings | undefined): z.input<typeof webhook> {
  const { url, icpOnly, autoSend, syncEvents } = stored ?? defaultSettings
  return {
    sourceId: source.id,
    type: source.type,
    username: source.username,
    webhookUrl: url,
    icpOnly,
    autoSend,
    syncEvents,
  }
}

/** What an agent adds to a lead in an event (G48). */
export type AgentSays = { readonly icp: number | null; readonly signal: LeadScore['signal'] | null }

/** A delivery of a lead; `agent` is null where no agent judges the person. */
interface LeadDetected {
  readonly id: string
  readonly sentAt: Date
  readonly source: DeliverySource
  readonly lead: LeadResource
  readonly agent: AgentSays | null
}

/** The bytes of a `lead.detected`: serialised here, once; every attempt sends and signs these. */
export function leadDetectedBody({ id, sentAt, source, lead, agent }: LeadDetected): Buffer {
  const { id: sourceId, type, username } = source
  const event: z.input<typeof leadDetected> = {
    event: 'lead.detected',
    id,
    sentAt: sentAt.toISOString(),
    source: { id: sourceId, type, username },
    lead: { ...lead, ...agent },
  }
  return Buffer.from(JSON.stringify(event))
}
