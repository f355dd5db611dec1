/** SQL that reads raw leads: the one list they are in (specification «Raw lead»; RAW-01..RAW-07). */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { farDown, idsFarDown, type Page } from './deep-pages.ts'
import { countBounded } from './totals.ts'

/** What the raw list is filtered by; everything combines with AND. */
export type RawFilter = {
  /** Null: the whole team. */
  readonly ownerId: string | null
  readonly includeInactive: boolean
  readonly action?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
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

const hidden = (teamId: string) => sql`select id from source where team_id = ${teamId} and status = 'inactive'`

function narrowing(filter: RawFilter): RawBuilder<unknown>[] {
  return [
    ...(filter.action === undefined ? [] : [sql`l.engagement_type = ${filter.action}`]),
    ...(filter.since ? [sql`l.created_at >= ${filter.since}`] : []),
    ...(filter.until ? [sql`l.created_at <= ${filter.until}`] : []),
  ]
}

function conditions(teamId: string, filter: RawFilter): RawBuilder<unknown> {
  const scope =
    filter.ownerId !== null
      ? [sql`l.owner_id = ${filter.ownerId}`]
      : filter.includeInactive
        ? []
        : [sql`l.owner_id not in (${hidden(teamId)})`]
  return sql.join([sql`l.team_id = ${teamId}`, sql`l.enrichment = 'raw'`, ...scope, ...narrowing(filter)], sql` and `)
}

/** SQL: how many raw leads an unfiltered list holds. */
function keptTotal(teamId: string, filter: RawFilter): RawBuilder<unknown> {
  const scope =
    filter.ownerId !== null
      ? sql`owner_id = ${filter.ownerId}`
      : filter.includeInactive
        ? sql`true`
        : sql`owner_id not in (${hidden(teamId)})`
  return sql`select coalesce(sum(raw_rows), 0)::bigint from lead_count where team_id = ${teamId} and ${scope}`
}

/** A page of raw leads, newest first, with one row more than asked when there is more. */
export async function pageOfRawLeads(
  db: Reader,
  { teamId, filter }: { readonly teamId: string; readonly filter: RawFilter },
  { deep = farDown, ...page }: Page & { readonly deep?: number },
): Promise<RawRow[]> {
  const condition = conditions(teamId, filter)
  const total = narrowing(filter).length === 0 ? keptTotal(teamId, filter) : null
  const places =
    page.offset < deep
      ? sql`select l.id from lead l where ${condition}
        order by l.created_at desc, l.id desc limit ${page.limit + 1} offset ${page.offset}`
      : sql`select unnest(${await idsFarDown(db, { branches: [condition], total }, page)}::uuid[])`
  const { rows } = await sql<RawRow>`
    select l.id, l.source_id, l.linkedin_url, l.person_urn, l.name, l.engagement_type, l.comment_text, l.post_url,
      l.post_urn, l.post_posted_at, l.created_at
    from lead l where l.team_id = ${teamId} and l.enrichment = 'raw' and l.id = any(array(${places}))
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
    const { rows } = await sql<{ total: number }>`select (${keptTotal(teamId, filter)})::bigint as total`.execute(db)
    return { total: rows[0]!.total, exact: true }
  }
  return countBounded(db, conditions(teamId, filter))
}
