/** The table that the folder writes, as a type. */
import type { Fixed } from '../../../platform/db/columns.ts'

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

declare module '../../../platform/db/schema.ts' {
  interface Tables {
    agent_source: AgentSourceTable
  }
}
