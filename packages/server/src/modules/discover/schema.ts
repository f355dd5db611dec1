import type { Generated } from 'kysely'
import type { Fixed, Json, Lease } from '../../platform/db/columns.ts'
import type { Place } from './rules/run.ts'

/** A row of `discover_run`: a search for people. */
export type DiscoverRunTable = Lease & {
  team_id: Fixed<string>
  id: Fixed<string>
  /** The agent that asked for it; null when a caller did. */
  agent_id: Fixed<string | null>
  state: 'running' | 'done' | 'failed'
  phase: 'search' | 'check' | 'add' | 'over'
  keywords: Json<readonly string[]>
  countries: Json<readonly string[]>
  min_engagement: Fixed<number>
  max_influencers: Fixed<number>
  /** The progress of each keyword's search, in the order of `keywords`. */
  places: Json<readonly Place[]>
  found: Generated<number>
  qualified: Generated<number>
  country_checked: Generated<number>
  country_matched: Generated<number>
  error_code: Generated<string | null>
  error_text: Generated<string | null>
  attempts: Generated<number>
  due_at: Date
  created_at: Fixed<Date>
  started_at: Generated<Date | null>
  finished_at: Generated<Date | null>
  deleted_at: Generated<Date | null>
  unexpected_failures: Generated<number>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    discover_run: DiscoverRunTable
  }
}
