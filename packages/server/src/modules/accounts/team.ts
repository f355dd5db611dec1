/** A team as the rest of the service sees it. */
import type { RateLimits } from './rules/rate.ts'
import type { TeamStatus } from './rules/team-status.ts'

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
  /** Calls of the data vendors a day of UTC; null for what the standing allows. */
  readonly vendorCallsPerDay: number | null
  readonly createdAt: Date
}

/** Columns that make a team, as SQL. */
export const teamColumns =
  't.id, t.name, t.plan, t.status, t.trial_ends_at, t.reads_limit, t.writes_limit, t.untracked_posts_limit, ' +
  't.keyword_daily_ceiling, t.lead_cap, t.capture_allowed, t.source_cap, t.vendor_calls_per_day, t.created_at'

/** A row with those columns. */
export type TeamRow = {
  readonly id: string
  readonly name: string
  readonly plan: string
  readonly status: TeamStatus
  readonly trial_ends_at: Date | null
  readonly reads_limit: number
  readonly writes_limit: number
  readonly untracked_posts_limit: number
  readonly keyword_daily_ceiling: number
  readonly lead_cap: number | null
  readonly capture_allowed: boolean
  readonly source_cap: number
  readonly vendor_calls_per_day: number | null
  readonly created_at: Date
}

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
  }
}
