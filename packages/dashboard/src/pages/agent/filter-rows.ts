import type { EditedRow } from '../../ui/index.ts'
import type { AgentChange } from './agent.ts'

/** Filter rows as a request takes them. */
export const rowsOf = (rows: readonly EditedRow[]): NonNullable<NonNullable<AgentChange['webhook']>['filters']> =>
  rows.map((row) => ({ ...row }))
