/** The tables that the module `scoring` writes, as types. */
import type { Generated } from 'kysely'
import type { Fixed } from '../../platform/db/columns.ts'

/** Row of `agent_ranking`: how far the people of an agent are judged by what it looks for now. */
export type AgentRankingTable = {
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
    agent_ranking: AgentRankingTable
  }
}
