import type { FilterRow } from '@les/contract'
import type { Generated } from 'kysely'
import type { Fixed, Json, Lease } from '../../platform/db/columns.ts'

type WebhookTable = {
  team_id: Fixed<string>
  owner_id: Fixed<string>
  owner_kind: Fixed<'source' | 'agent' | 'destination' | 'hook'>
  url: string | null
  icp_only: boolean
  auto_send: boolean
  auto_send_since: Generated<Date | null>
  sync_events: boolean
  url_set_at: Date | null
  failing_since: Generated<Date | null>
  disabled_at: Generated<Date | null>
  disabled_reason: Generated<string | null>
  agent_id: Generated<string | null>
  filters: Json<FilterRow<string>[]>
  /** Incremented when automatic sending starts anew (a changed URL, or autoSend switched on). */
  generation: Generated<number>
  /** Unsent deliveries of lower generations are cancelled: the URL was cleared. */
  cancelled_below_generation: Generated<number>
  /** Those deliveries' rows are still being ended in the background. */
  clearing_unfinished: Generated<boolean>
  /** The events a REST hook takes; null: all. */
  events: Generated<string[] | null>
  /** The sealed secret of a REST hook; null: the team's. */
  secret: Generated<Buffer | null>
}

type DeliveryTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  owner_id: Fixed<string>
  event: Fixed<string>
  subject: Fixed<string>
  lead_id: Fixed<string | null>
  /** The event's source when the owner is a receiver of the whole team; else null. */
  source_id: Fixed<string | null>
  generation: Generated<number>
  state: 'pending' | 'sent' | 'failed' | 'held' | 'cancelled' | 'excluded'
  /** Null until it is serialised; never changed afterwards. */
  body: Buffer | null
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  finished_at: Generated<Date | null>
  awaits_enrichment: Generated<boolean>
  icp_only: Generated<boolean>
  /** Queued by autoSend, not by a push or a person. */
  automatic: Generated<boolean>
  /** Its lead's webhook status before it was queued. */
  lead_status: Generated<'pending' | 'sent' | 'failed' | 'no_webhook'>
  unexpected_failures: Generated<number>
}

type DeliveryAttemptTable = {
  team_id: string
  delivery_id: string
  number: number
  at: Date
  status: number | null
  outcome: string
  elapsed_ms: number
  response: string | null
}

type PushTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  owner_id: Fixed<string>
  icp_only: Fixed<boolean>
  considered: Fixed<number>
  queued: number
  excluded: Generated<number>
  created_at: Fixed<Date>
  queueing: Generated<boolean>
  looked: Generated<number>
  cursor_at: Generated<Date | null>
  cursor_id: Generated<string | null>
  lease_owner: Generated<string | null>
  lease_until_ms: Generated<number | null>
  fence: Generated<number>
  due_at: Generated<Date | null>
  unexpected_failures: Generated<number>
}

type PushLeadTable = { team_id: string; push_id: string; delivery_id: string }

declare module '../../platform/db/schema.ts' {
  interface Tables {
    webhook: WebhookTable
    delivery: DeliveryTable
    delivery_attempt: DeliveryAttemptTable
    push: PushTable
    push_lead: PushLeadTable
  }
}
