/** Types of the tables that `credits` writes. */
import type { Fixed } from '../../platform/db/columns.ts'

/** Row of `credit_account`. */
export type CreditAccountTable = {
  team_id: Fixed<string>
  account: Fixed<'team' | 'agent_trial'>
  granted: number
  spent: number
  held: number
  allowance: number
  period_used: number
  overspent: number
  anchor_at: Date
  period_start: Date
  period_end: Date | null
}

declare module '../../platform/db/schema.ts' {
  interface Tables {
    credit_account: CreditAccountTable
  }
}
