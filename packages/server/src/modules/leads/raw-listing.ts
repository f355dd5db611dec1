/** SQL that reads raw leads: the one list they are in (specification «Raw lead»; RAW-01..RAW-07). */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { isShown, readHidden } from './hidden.ts'
import type { Page } from './list-request.ts'
import { countBounded } from './totals.ts'

/** What the raw list is filtered by; everything combines with AND. */
export type RawFilter = {
  /** Null: the whole team. */
  readonly ownerId: string | null
  readonly includeInactive: boolean
  readonly action?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  /** The sources that the list hides, where they were read before it; else the statement finds them itself. */
  readonly hidden?: readonly string[] | undefined
}

/** A raw lead as stored. */
export type RawRow = {
  id: string
  source_id: string | null
  linkedin_url: string
  person_urn: string
  name: string | null
  engagement_type: 'Like' | 'Comment' | 'Author'
  comment_text: string | null
  post_url: string | null
  post_urn: string | null
  post_posted_at: Date | null
  created_at: Date
}

function narrowing(filter: RawFilter): RawBuilder<unknown>[] {
  return [
    ...(filter.action === undefined ? [] : [sql`l.engagement_type = ${filter.action}`]),
    ...(filter.since ? [sql`l.created_at >= ${filter.since}`] : []),
    ...(filter.until ? [sql`l.created_at <= ${filter.until}`] : []),
  ]
}

/** SQL: what the sources of a list are, by the column that names them. */
function scopeOf(teamId: string, filter: RawFilter, owner: RawBuilder<unknown>): RawBuilder<unknown> {
  if (filter.ownerId !== null) return sql`${owner} = ${filter.ownerId}`
  return filter.includeInactive ? sql`true` : isShown(teamId, { ...filter, includeSyncing: true }, owner)
}

const conditions = (teamId: string, filter: RawFilter): RawBuilder<unknown> =>
  sql.join(
    [
      sql`l.team_id = ${teamId}`,
      sql`l.enrichment = 'raw'`,
      scopeOf(teamId, filter, sql`l.owner_id`),
      ...narrowing(filter),
    ],
    sql` and `,
  )

/** A page of raw leads, newest first, with one row more than asked when there is more. */
export async function pageOfRawLeads(
  db: Reader,
  { teamId, filter }: { readonly teamId: string; readonly filter: RawFilter },
  { limit, offset }: Page,
): Promise<RawRow[]> {
  const hidden = await readHidden(db, teamId, { ...filter, includeSyncing: true })
  const { rows } = await sql<RawRow>`
    select l.id, l.source_id, l.linkedin_url, l.person_urn, l.name, l.engagement_type, l.comment_text, l.post_url,
      l.post_urn, l.post_posted_at, l.created_at
    from lead l where l.team_id = ${teamId} and l.enrichment = 'raw' and l.id = any(array(
      select l.id from lead l where ${conditions(teamId, { ...filter, hidden })}
      order by l.created_at desc, l.id desc limit ${limit + 1} offset ${offset}))
    order by l.created_at desc, l.id desc`.execute(db)
  return rows
}

/** How many match: from kept counters when nothing narrows the list, else counted up to 10,000 (G37). */
export async function countRawLeads(
  db: Reader,
  teamId: string,
  filter: RawFilter,
): Promise<{ total: number; exact: boolean }> {
  if (narrowing(filter).length === 0) {
    const { rows } = await sql<{ total: number }>`
      select coalesce(sum(raw_rows), 0)::bigint as total from source
      where team_id = ${teamId} and ${scopeOf(teamId, filter, sql`source.id`)}`.execute(db)
    return { total: rows[0]!.total, exact: true }
  }
  return countBounded(db, conditions(teamId, filter))
}
