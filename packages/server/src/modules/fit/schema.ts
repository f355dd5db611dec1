/** The tables that the module `fit` writes, as types. */
import type { FilterRow } from '@les/contract'
import type { Generated } from 'kysely'
import type { Fixed, Json } from '../../platform/db/columns.ts'

/** Row of `icp`: the criteria of an owner. */
type IcpTable = {
  team_id: Fixed<string>
  owner_id: Fixed<string>
  rules: Json<FilterRow[]>
  match_mode: 'all' | 'any'
  version: number
  saved_at: Date
}

/** Row of `icp_rescore`: how far an owner's leads are judged by the newest version of its criteria. */
type IcpRescoreTable = {
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

/** Row of `agent_ranking`: how far the people of an agent are judged by what it looks for now. */
type AgentRankingTable = {
  team_id: Fixed<string>
  agent_id: Fixed<string>
  judged_by: string | null
  wanted_by: string | null
  rules: string | null
  round: Generated<number>
  cursor_urn: string | null
  judged: Generated<number>
  asked: Generated<boolean>
  asked_at: Date
  due_at: Generated<Date | null>
  lease_owner: Generated<string | null>
  lease_until_ms: number | null
  fence: Generated<number>
  unexpected_failures: Generated<number>
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    icp: IcpTable
    icp_rescore: IcpRescoreTable
    agent_ranking: AgentRankingTable
  }
}
