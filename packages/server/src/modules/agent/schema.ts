/** The table that the module `agent` writes, as a type. */
import type { FilterRow } from '@les/contract'
import type { Generated } from 'kysely'
import type { Fixed, Json } from '../../platform/db/columns.ts'

/** Row of `agent`: a profile, and what its last start set up. */
export type AgentTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  status: 'draft' | 'active'
  website: string | null
  profile: Json<unknown>
  daily_credits: number | null
  plan: Json<unknown> | null
  launch: Generated<number>
  launched_at: Date | null
  discover_run: string | null
  people_added: Generated<boolean>
  pending: Json<unknown> | null
  webhook_url: string | null
  webhook_auto_send: Generated<boolean>
  webhook_filters: Json<FilterRow<string>[]>
  webhook_since: Date | null
  created_at: Fixed<Date>
  unexpected_failures: Generated<number>
  follow_due_at: Generated<Date | null>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    agent: AgentTable
  }
}
