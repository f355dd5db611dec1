import type { FilterRow } from '@les/contract'
import type { Generated } from 'kysely'
import type { Fixed, Json, Lease } from '../../../platform/db/columns.ts'
import type { DestinationKind, MappingRow } from '../../../providers/destinations/port.ts'

/** The kinds of destination; `webhook` is sent by the webhook loop, the others have an adapter. */
export type Kind = 'webhook' | DestinationKind

/** Why the service paused a destination. */
export type PausedReason = 'credentials_rejected' | 'scope_missing' | 'setup_missing' | 'quota' | 'plan'

/** The states of a delivery. */
export type DeliveryState = 'waiting' | 'delivered' | 'unchanged' | 'refused' | 'excluded' | 'unknown'

/** Why a record was not written. */
export type DeliveryError = { readonly code: string; readonly message: string; readonly field?: string }

type DestinationTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  kind: Fixed<Kind>
  name: string
  active: boolean
  paused_reason: Generated<PausedReason | null>
  settings: Json<Readonly<Record<string, unknown>>>
  credentials: Buffer | null
  credentials_hint: string | null
  filters: Json<FilterRow<string>[]>
  icp_only: boolean
  source_ids: string[] | null
  mapping: Json<MappingRow[]>
  created_at: Fixed<Date>
  last_delivered_at: Generated<Date | null>
  failing_since: Generated<Date | null>
  failures: Generated<number>
  due_at: Date
  unexpected_failures: Generated<number>
  stages_at: Date | null
  stages_after: Generated<string | null>
}

type DestinationDeliveryTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  destination_id: Fixed<string>
  subject: Fixed<string>
  person_urn: Fixed<string>
  lead_id: string
  push_id: string | null
  state: DeliveryState
  attempts: Generated<number>
  begun_at: Generated<Date | null>
  remote_id: Generated<string | null>
  remote_url: Generated<string | null>
  error: Generated<DeliveryError | null>
  due_at: Date
  at: Date
}

type DestinationRecordTable = {
  team_id: string
  destination_id: string
  subject: string
  person_urn: string
  remote_id: string
  remote_url: string | null
  company_id: string | null
  notes: string[]
  digest: Buffer
  written_at: Date
}

type DestinationDayTable = { team_id: string; destination_id: string; day: string; closes_at: Date }

declare module '../../../platform/db/schema.ts' {
  interface Tables {
    destination: DestinationTable
    destination_delivery: DestinationDeliveryTable
    destination_record: DestinationRecordTable
    destination_day: DestinationDayTable
  }
}
