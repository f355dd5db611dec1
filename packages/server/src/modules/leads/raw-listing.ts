/** SQL that reads raw leads: the one list they are in (specification «Raw lead»; RAW-01..RAW-07). */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { farDown, idsFarDown, type Page } from './deep-pages.ts'
import { fromOn, type Standing } from './filter.ts'
import { isShown, readHidden } from './hidden.ts'
import { countAbove, pageByPlaces, type Place, type Places, type Start } from './places.ts'
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
  /** Where the rows begin: what stands above this one is left out. */
  readonly from?: Standing | undefined
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
      ...(filter.from ? [fromOn(filter.from)] : []),
    ],
    sql` and `,
  )

/** SQL: how many raw leads an unfiltered list holds. */
const keptTotal = (teamId: string, filter: RawFilter): RawBuilder<unknown> => sql`
  select coalesce(sum(raw_rows), 0)::bigint from lead_count
  where team_id = ${teamId} and ${scopeOf(teamId, filter, sql`owner_id`)}`

/** Which page of raw leads is asked for; as `PageAsked`. */
type RawPage = Page & { readonly deep?: number; readonly places?: Places | undefined }

/** A page of raw leads, newest first, with one row more than asked when there is more. */
export async function pageOfRawLeads(
  db: Reader,
  { teamId, filter: asked }: { readonly teamId: string; readonly filter: RawFilter },
  { deep = farDown, places, limit, offset }: RawPage,
): Promise<RawRow[]> {
  if (offset < deep) return readPage(db, { teamId, filter: asked }, { limit, offset, deep })
  // Named, hidden sources cost nothing where there are none; looked up for each of 100,000 entries they were half of the way there.
  const hidden = (await readHidden(db, teamId, { ...asked, includeSyncing: true }))?.toSorted()
  const { ownerId, includeInactive, action, since, until } = asked
  const filter = { ownerId, includeInactive, action, since, until, hidden }
  const whole = () => readPage(db, { teamId, filter }, { limit, offset, deep })
  if (!places || (hidden === undefined && ownerId === null && !includeInactive)) return whole()
  const list = {
    teamId,
    name: ['raw leads', filter],
    furthest: offset,
    read: (start: Start | null) =>
      start === null
        ? whole()
        : readPage(
            db,
            { teamId, filter: { ...filter, from: start.place } },
            { limit, offset: start.rest, deep: Infinity },
          ),
    above: (place: Place) => countAbove(db, conditions(teamId, filter), place),
  }
  return pageByPlaces(db, list, { limit, offset, places })
}

/** A page of raw leads, read from the beginning of its list. */
async function readPage(
  db: Reader,
  { teamId, filter }: { readonly teamId: string; readonly filter: RawFilter },
  { deep, ...page }: Page & { readonly deep: number },
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
