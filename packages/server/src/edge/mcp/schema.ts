/** The tables that `edge/mcp` writes, as types. */
import type { Fixed } from '../../platform/db/columns.ts'

/** Row of `tool_spend_answer`: a question of an agent tool that was answered with yes. */
type ToolSpendAnswerTable = { team_id: Fixed<string>; question_id: Fixed<string>; expires_at: Fixed<Date> }

declare module '../../platform/db/schema.ts' {
  interface Tables {
    tool_spend_answer: ToolSpendAnswerTable
  }
}
