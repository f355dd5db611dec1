import { pickSettings, sourceSettingNames, type SourceSettings } from '@les/contract'
import type { Generated, Selectable } from 'kysely'
import { camelKeys, snakeKeys, type CamelKeys, type Fixed, type SnakeKeys } from '../../platform/db/columns.ts'
import type { Schedule } from './rules/schedule.ts'

type ScheduleColumns = SnakeKeys<Schedule>

type SourceTable = {
  team_id: Fixed<string>
  id: Fixed<string>
  type: Fixed<'person' | 'company' | 'post' | 'keyword'>
  username: Fixed<string>
  identity: Fixed<Buffer>
  status: 'active' | 'inactive'
  /** Member id or company URN, once known. */
  network_urn: Generated<string | null>
  next_sync_at: Date | null
  last_scheduled_at: Generated<Date | null>
  open_sync_id: Generated<string | null>
  last_sync_id: Generated<string | null>
  /** The first sync was made (G144). */
  ever_completed: Generated<boolean>
  revived: Generated<boolean>
  lead_rows: Generated<number>
  raw_rows: Generated<number>
  leads_pending: Generated<number>
  /** It was untracked, and leads that wait are left to write off. */
  has_write_off: Generated<boolean>
  leads_completed: Generated<number>
  leads_failed: Generated<number>
  leads_skipped: Generated<number>
  created_at: Fixed<Date>
  untracked_at: Generated<Date | null>
  /** A post's address as submitted. */
  post_url: Generated<string | null>
  /** The ledger account that pays for its captures. */
  pays_from: Generated<'team' | 'agent_trial'>
} & SnakeKeys<SourceSettings> & { [Name in keyof ScheduleColumns]: Generated<ScheduleColumns[Name]> }

declare module '../../platform/db/schema.ts' {
  interface Tables {
    source: SourceTable
  }
}

export type SourceRow = Selectable<SourceTable>

export type Source = CamelKeys<Omit<SourceRow, keyof ScheduleColumns | keyof SnakeKeys<SourceSettings>>> & {
  readonly settings: SourceSettings
  readonly schedule: Schedule
}

export type SourceOfTeam = Pick<Source, 'teamId' | 'id'>

/** Names a source by kind and identifier, or by id (null: a malformed id, which names nothing). */
export type SourceName =
  | { readonly type: 'person' | 'company' | 'post'; readonly username: string }
  | { readonly id: string | null; readonly type?: 'keyword' }

export function toSource(row: SourceRow): Source {
  const source = camelKeys(row)
  const { runsCompleted, maxRuns, endAt, runOnce, stoppedAt, stoppedReason } = source
  return {
    ...source,
    settings: pickSettings(source, sourceSettingNames),
    schedule: { runsCompleted, maxRuns, endAt, runOnce, stoppedAt, stoppedReason },
  }
}

export const settingsColumns = (settings: SourceSettings): SnakeKeys<SourceSettings> =>
  snakeKeys(pickSettings(settings, sourceSettingNames))

export const scheduleColumns = (schedule: Schedule): ScheduleColumns => snakeKeys(schedule)
