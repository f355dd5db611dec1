/** What lists of leads are filtered by, and the one condition they are read by (G37, G40..G44). Raw leads are excluded here, once. */
import { sql, type RawBuilder } from 'kysely'
import { webhookStatusNow } from './clearing.ts'
import { isShown } from './hidden.ts'
import { containsText, textFiltersOf } from './texts.ts'

/** What a list is filtered by; everything combines with AND. */
export type LeadFilter = {
  /** Null: the whole team. */
  readonly ownerId: string | null
  readonly includeInactive: boolean
  readonly includeSyncing: boolean
  readonly engagementType?: string | undefined
  readonly isIcp?: boolean | undefined
  readonly webhookStatus?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly name?: string | undefined
  readonly jobTitle?: string | undefined
  readonly company?: string | undefined
  readonly companyDomain?: string | undefined
  readonly country?: string | undefined
  readonly companyIndustry?: string | undefined
  readonly sourceKind?: 'keyword' | 'post' | 'profile' | 'all' | undefined
  /** Webhooks of the team are being cleared: what holds is told lead by lead; read where `webhookStatus` is asked for. */
  readonly clearing?: boolean | undefined
  /**
   * The sources whose leads the list hides, where they were read before it; else the statement finds them itself. Named, they let
   * the planner see that they hide next to nothing, so that it walks an index in its order instead of sorting every lead.
   */
  readonly hidden?: readonly string[] | undefined
}

/** The rows a list is made of before anything narrows it, as a condition on `lead l`. Raw leads are excluded here and nowhere else. */
export function scopeOf(teamId: string, filter: LeadFilter): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [sql`l.team_id = ${teamId}`, sql`l.enrichment <> 'raw'`]
  if (filter.ownerId !== null) parts.push(sql`l.owner_id = ${filter.ownerId}`)
  else if (!filter.includeInactive || !filter.includeSyncing) parts.push(isShown(teamId, filter))
  return sql.join(parts, sql` and `)
}

/** The rows of a list, as a condition on `lead l`. */
export const conditions = (teamId: string, filter: LeadFilter): RawBuilder<unknown> =>
  sql.join([scopeOf(teamId, filter), ...narrowing(filter), ...textFiltersOf(filter).map(containsText)], sql` and `)

/** What a filter demands beyond the scope of the list and its substrings; nothing when it is unfiltered. */
export function narrowing(filter: LeadFilter): RawBuilder<unknown>[] {
  const kinds = kindsOf(filter)
  const parts: RawBuilder<unknown>[] = []
  if (filter.engagementType !== undefined) parts.push(sql`l.engagement_type = ${filter.engagementType}`)
  if (filter.isIcp !== undefined) parts.push(sql`l.is_icp = ${filter.isIcp}`)
  if (filter.webhookStatus !== undefined)
    parts.push(sql`${filter.clearing ? webhookStatusNow : sql`l.webhook_status`} = ${filter.webhookStatus}`)
  if (filter.since) parts.push(sql`l.created_at >= ${filter.since}`)
  if (filter.until) parts.push(sql`l.created_at <= ${filter.until}`)
  if (kinds) parts.push(kinds.length === 1 ? sql`l.source_kind = ${kinds[0]}` : sql`l.source_kind = any(${kinds})`)
  return parts
}

/** The kinds of `lead.source_kind` that a filter finds; null for all. */
function kindsOf({ sourceKind }: LeadFilter): readonly string[] | null {
  if (sourceKind === undefined || sourceKind === 'all') return null
  return sourceKind === 'profile' ? ['profile', 'company'] : [sourceKind]
}

/** True when nothing narrows a list beyond its scope: then it is as long as the kept counts say. */
export const isWhole = (filter: LeadFilter): boolean =>
  narrowing(filter).length === 0 && textFiltersOf(filter).length === 0
