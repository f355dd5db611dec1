/** The tables that the module `agent` writes, as types. */
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

/** Row of `agent_source`: a source that an agent has made, or taken as it was. */
export type AgentSourceTable = {
  team_id: Fixed<string>
  agent_id: Fixed<string>
  source_id: Fixed<string>
  made: boolean
  topic: string | null
  launch: number
  stopped_at: Date | null
  added_at: Fixed<Date>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    agent: AgentTable
    agent_source: AgentSourceTable
  }
}
