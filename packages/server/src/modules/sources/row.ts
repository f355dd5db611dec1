/** The row of a source, and how settings and schedules become its columns. */
import type { Schedule } from './rules/schedule.ts'
import { sourceSettingNames, type SourceSetting, type SourceSettings } from '@les/contract'

/** A source as the modules know it. */
export type Source = {
  readonly teamId: string
  readonly id: string
  readonly type: 'person' | 'company' | 'post' | 'keyword'
  readonly username: string
  readonly status: 'active' | 'inactive'
  readonly settings: SourceSettings
  /** Member id or company URN, once a run has learnt it. */
  readonly networkUrn: string | null
  readonly nextSyncAt: Date | null
  readonly openSyncId: string | null
  readonly lastSyncId: string | null
  /** Its first sync was made (G144). */
  readonly everCompleted: boolean
  readonly revived: boolean
  readonly counts: {
    readonly rows: number
    readonly pending: number
    readonly completed: number
    readonly failed: number
    readonly skipped: number
  }
  readonly createdAt: Date
  /** A post's address as it was submitted. */
  readonly postUrl: string | null
  readonly schedule: Schedule
  /** The account of the ledger that its captures are paid from. */
  readonly paysFrom: 'team' | 'agent_trial'
}

/** How a source is named: by kind and identifier, or by id (null: a malformed id, which names nothing). */
export type SourceName =
  | { readonly type: 'person' | 'company' | 'post'; readonly username: string }
  | { readonly id: string | null; readonly type?: 'keyword' }

/** `captureReplies` is the column `capture_replies`. */
type Column<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Column<Rest>}`
  : ''

/** The settings as their columns hold them. */
type SettingColumns = { [K in SourceSetting as Column<K>]: SourceSettings[K] }

const columnOf = (name: SourceSetting) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as keyof SettingColumns

export type Row = SettingColumns & {
  team_id: string
  id: string
  type: Source['type']
  username: string
  status: Source['status']
  network_urn: string | null
  next_sync_at: Date | null
  open_sync_id: string | null
  last_sync_id: string | null
  ever_completed: boolean
  revived: boolean
  lead_rows: number
  leads_pending: number
  leads_completed: number
  leads_failed: number
  leads_skipped: number
  created_at: Date
  post_url: string | null
  runs_completed: number
  max_runs: number | null
  end_at: Date | null
  run_once: boolean
  stopped_at: Date | null
  stopped_reason: Schedule['stoppedReason']
  pays_from: Source['paysFrom']
}

export const toSource = (row: Row): Source => ({
  teamId: row.team_id,
  id: row.id,
  type: row.type,
  username: row.username,
  status: row.status,
  settings: Object.fromEntries(sourceSettingNames.map((name) => [name, row[columnOf(name)]])) as SourceSettings,
  networkUrn: row.network_urn,
  nextSyncAt: row.next_sync_at,
  openSyncId: row.open_sync_id,
  lastSyncId: row.last_sync_id,
  everCompleted: row.ever_completed,
  revived: row.revived,
  counts: {
    rows: row.lead_rows,
    pending: row.leads_pending,
    completed: row.leads_completed,
    failed: row.leads_failed,
    skipped: row.leads_skipped,
  },
  createdAt: row.created_at,
  postUrl: row.post_url,
  schedule: {
    runsCompleted: row.runs_completed,
    maxRuns: row.max_runs,
    endAt: row.end_at,
    runOnce: row.run_once,
    stoppedAt: row.stopped_at,
    stoppedReason: row.stopped_reason,
  },
  paysFrom: row.pays_from,
})

export const settingsColumns = (settings: SourceSettings): SettingColumns =>
  Object.fromEntries(sourceSettingNames.map((name) => [columnOf(name), settings[name]])) as SettingColumns

export const scheduleColumns = (schedule: Schedule) => ({
  runs_completed: schedule.runsCompleted,
  max_runs: schedule.maxRuns,
  end_at: schedule.endAt,
  run_once: schedule.runOnce,
  stopped_at: schedule.stoppedAt,
  stopped_reason: schedule.stoppedReason,
})
