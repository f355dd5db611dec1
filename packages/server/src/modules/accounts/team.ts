/** Teams: their facts, and the SQL that reads and writes them. */
import { sql, type Insertable, type RawBuilder, type Selectable, type Updateable } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import type { RateLimits } from './rules/rate.ts'
import type { TeamStatus } from './rules/team-status.ts'
import type { TeamTable } from './schema.ts'

/** A team's facts; its secrets are not among them. */
export type Team = {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly status: TeamStatus
  readonly trialEndsAt: Date | null
  readonly limits: RateLimits & { readonly untrackedPosts: number }
  readonly keywordDailyCeiling: number
  /** Lead rows the team may hold; null for no limit. */
  readonly leadCap: number | null
  readonly captureAllowed: boolean
  /** Sources that may be tracked at once. */
  readonly sourceCap: number
  /** Calls of the data vendors a day of UTC; null for what the status allows. */
  readonly vendorCallsPerDay: number | null
  readonly createdAt: Date
  /** Since when it is closed, and when its rows go; null while it is open. */
  readonly closedAt: Date | null
  readonly endsAt: Date | null
}

const columns = [
  'id',
  'name',
  'plan',
  'status',
  'trial_ends_at',
  'reads_limit',
  'writes_limit',
  'untracked_posts_limit',
  'keyword_daily_ceiling',
  'lead_cap',
  'capture_allowed',
  'source_cap',
  'vendor_calls_per_day',
  'created_at',
  'closed_at',
  'ends_at',
] as const

/** Columns that make a team, as SQL. */
export const teamColumns = columns.map((column) => `t.${column}`).join(', ')

export type TeamRow = Pick<Selectable<TeamTable>, (typeof columns)[number]>

/** Turns a row into a team. */
export function teamOf(row: TeamRow): Team {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    status: row.status,
    trialEndsAt: row.trial_ends_at,
    limits: { reads: row.reads_limit, writes: row.writes_limit, untrackedPosts: row.untracked_posts_limit },
    keywordDailyCeiling: row.keyword_daily_ceiling,
    leadCap: row.lead_cap,
    captureAllowed: row.capture_allowed,
    sourceCap: row.source_cap,
    vendorCallsPerDay: row.vendor_calls_per_day,
    createdAt: row.created_at,
    closedAt: row.closed_at,
    endsAt: row.ends_at,
  }
}

/** A team by id; null when there is none. */
export async function findTeam(db: Reader, id: string): Promise<Team | null> {
  const row = await db.selectFrom('team').select(columns).where('id', '=', id).executeTakeFirst()
  return row ? teamOf(row) : null
}

/** Names of teams, by id; for pages of the operator. */
export async function readTeamNames(db: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('team')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** A team by id, locked until the unit ends; first in the lock order. Rows that refer to the team can still be made meanwhile. */
export async function lockTeam(tx: Tx, id: string): Promise<Team | null> {
  const row = await tx.db.selectFrom('team').select(columns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row ? teamOf(row) : null
}

/** Stores a new team. */
export async function insertTeam(tx: Tx, row: Insertable<TeamTable>): Promise<void> {
  await tx.db.insertInto('team').values(row).execute()
}

/** Changes columns of a team. */
export async function updateTeam(tx: Tx, id: string, change: Updateable<TeamTable>): Promise<void> {
  if (Object.keys(change).length > 0) await tx.db.updateTable('team').set(change).where('id', '=', id).execute()
}

/** Calls a day of a team that has no number of its own: one of a free trial, and any other. */
export const teamCallsPerDay = { trial: 5_000, other: 100_000 }

/** SQL: a row for each of these teams that there is, `team_id` and `most`, for the statement that counts calls. */
export const maxVendorCalls = (teamIds: readonly string[]): RawBuilder<{ team_id: string; most: number }> => sql<{
  team_id: string
  most: number
}>`
  select t.id as team_id, coalesce(t.vendor_calls_per_day, case t.status when 'trial' then ${teamCallsPerDay.trial}::int
      else ${teamCallsPerDay.other}::int end) as most
  from team t where t.id = any(${teamIds}::uuid[])`
