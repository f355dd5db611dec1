/** The tables of exclusions, as types. */
import type { ExclusionKind } from '@les/contract'
import type { Fixed } from '../../../platform/db/columns.ts'

/** How an entry came in. */
export type ExclusionOrigin = 'api' | 'dashboard' | 'csv' | 'destination' | 'result'

/** Row of `exclusion`: who is not to be contacted. */
type ExclusionTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  kind: Fixed<ExclusionKind>
  /** The value as it is compared. */
  key: Fixed<string>
  value: Fixed<string>
  list: Fixed<string>
  reason: Fixed<string | null>
  origin: Fixed<ExclusionOrigin>
  created_by: Fixed<string>
  created_at: Fixed<Date>
}

/** Row of `exclusion_settings`. */
type ExclusionSettingsTable = { team_id: Fixed<string>; works_at_source: boolean; replied_elsewhere: boolean }

declare module '../../../platform/db/schema.ts' {
  interface Tables {
    exclusion: ExclusionTable
    exclusion_settings: ExclusionSettingsTable
  }
}
