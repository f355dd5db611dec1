/** The tables that the module `icp` writes, as types. */
import type { FilterRow } from '@les/contract'
import type { Generated } from 'kysely'
import type { Fixed, Json } from '../../platform/db/columns.ts'

/** Row of `icp`: the criteria of an owner. */
export type IcpTable = {
  team_id: Fixed<string>
  owner_id: Fixed<string>
  rules: Json<FilterRow[]>
  match_mode: 'all' | 'any'
  version: number
  saved_at: Date
}

/** Row of `icp_rescore`: how far an owner's leads are judged by the newest version of its criteria. */
export type IcpRescoreTable = {
  team_id: Fixed<string>
  owner_id: Fixed<string>
  version: number
  cursor_at: Date | null
  cursor_id: string | null
  judged: number
  done: boolean
  lease_owner: Generated<string | null>
  lease_until_ms: number | null
  fence: Generated<number>
  started_at: Date
  due_at: Generated<Date | null>
  unexpected_failures: Generated<number>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    icp: IcpTable
    icp_rescore: IcpRescoreTable
  }
}
