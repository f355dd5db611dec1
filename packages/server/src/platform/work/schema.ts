/** The tables that `platform/work` writes, as types. */
import type { Generated } from 'kysely'

/** Row of `work_turn`. */
export type WorkTurnTable = {
  team_id: string
  kind: string
  served: number
  ready: Generated<boolean>
  due_at: Date | null
  look_ms: number | null
}

/** Row of `task_put_off`. */
export type TaskPutOffTable = { team_id: string; task: string; failures: number; until: Date }

declare module '../db/schema.ts' {
  interface Tables {
    work_turn: WorkTurnTable
    task_put_off: TaskPutOffTable
  }
}
