/** The tables that the module `delivery` writes, as types. */
import type { FilterRow } from '@les/contract'
import type { Generated } from 'kysely'
import type { Fixed, Json, Lease } from '../../platform/db/columns.ts'

/** Row of `webhook`. */
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
  /** Counts the times automatic sending began anew: the URL changed, or autoSend was switched on. */
  generation: Generated<number>
  /** Deliveries of an earlier generation were cancelled when the URL was cleared. */
  cancelled_below_generation: Generated<number>
  /** Their rows are still being ended in the background. */
  clearing_unfinished: Generated<boolean>
  /** Which events a REST hook takes; null: all. */
  events: Generated<string[] | null>
  /** What a REST hook is signed by, sealed; null: the secret of the team. */
  secret: Generated<Buffer | null>
}

/** Row of `delivery`. */
type DeliveryTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  owner_id: Fixed<string>
  event: Fixed<string>
  subject: Fixed<string>
  lead_id: Fixed<string | null>
  /** The source whose event it is, where its owner is a receiver of the team as a whole; null for events of the owner itself. */
  source_id: Fixed<string | null>
  /** The generation of its webhook that it was queued in. */
  generation: Generated<number>
  state: 'pending' | 'sent' | 'failed' | 'held' | 'cancelled' | 'excluded'
  /** Null until it is serialised: once, for good. */
  body: Buffer | null
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  finished_at: Generated<Date | null>
  awaits_enrichment: Generated<boolean>
  icp_only: Generated<boolean>
  /** Queued because autoSend is on, and not by a push or a person. */
  automatic: Generated<boolean>
  /** What its lead's webhook status was before it was queued. */
  lead_status: Generated<'pending' | 'sent' | 'failed' | 'no_webhook'>
  unexpected_failures: Generated<number>
}

/** Row of `delivery_attempt`. */
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

/** Row of `push`: leads that were asked to go. */
type PushTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  owner_id: Fixed<string>
  icp_only: Fixed<boolean>
  considered: Fixed<number>
  queued: number
  /** Leads that were looked at and left out, because they are excluded. */
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

/** Row of `push_lead`: a delivery of a push. */
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
