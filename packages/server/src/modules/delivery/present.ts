/** Webhook settings as resources, and leads as events (G46, G48). */
import type { leadDetected, webhook } from '@les/contract'
import type { z } from 'zod'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { LeadScore } from '../fit/index.ts'
import { leadsById } from '../leads/index.ts'
import { defaultSettings, type WebhookSettings } from './rules/settings.ts'
import { queryAll } from '../../platform/db/query.ts'

export type DeliverySource = {
  readonly id: string
  readonly type: 'person' | 'company' | 'post' | 'keyword'
  readonly username: string
}

/** The webhook resource of a source; defaults when nothing is stored. */
export function presentWebhook(source: DeliverySource, stored: WebhookSettings | undefined): z.input<typeof webhook> {
  const { url: webhookUrl, ...settings } = stored ?? defaultSettings
  return { ...settings, sourceId: source.id, type: source.type, username: source.username, webhookUrl }
}

/** The fields an agent adds to a lead in an event (G48). */
export type AgentSays = { readonly icp: number | null; readonly signal: LeadScore['signal'] | null }

/** A `lead.detected` to serialise; `agent` is null when no agent judges the person. */
type LeadEvent = { readonly id: string; readonly leadId: string; readonly agent: AgentSays | null }

/** Serialises `lead.detected` events, once: every attempt sends these bytes. Absent where lead or source is gone. */
export async function leadDetectedBodies(
  tx: Tx,
  teamId: string,
  events: readonly LeadEvent[],
): Promise<ReadonlyMap<string, Buffer>> {
  const leadIds = [...new Set(events.map(({ leadId }) => leadId))]
  const leads = new Map((await leadsById(tx.db, teamId, leadIds)).map((row) => [row.id, row]))
  const sourceIds = [...leads.values()].flatMap((row) => row.sourceId ?? [])
  const sources = await findSources(tx.db, teamId, sourceIds)
  const bodies = new Map<string, Buffer>()
  for (const { id, leadId, agent } of events) {
    const row = leads.get(leadId)
    const source = sources.get(row?.sourceId ?? '')
    if (!row || !source) continue
    const event: z.input<typeof leadDetected> = {
      event: 'lead.detected',
      id,
      sentAt: tx.now.toISOString(),
      source: { id: source.id, type: source.type, username: source.username },
      lead: { ...row, ...agent },
    }
    bodies.set(id, Buffer.from(JSON.stringify(event)))
  }
  return bodies
}

/** Sources by id, as events show them. */
export async function findSources(
  db: Reader,
  teamId: string,
  ids: readonly string[],
): Promise<Map<string, DeliverySource>> {
  if (ids.length === 0) return new Map()
  const rows = await queryAll<DeliverySource>(db)`
    select id, type, username from source where team_id = ${teamId} and id = any(${[...new Set(ids)]}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}
