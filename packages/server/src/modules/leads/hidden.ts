/**
 * SQL of the sources whose leads a list of the whole team hides: those no longer tracked, and those whose first leads are on
 * their way.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { LeadFilter } from './filter.ts'

/** What a list shows of sources that lists hide. */
type Shown = Pick<LeadFilter, 'ownerId' | 'includeInactive' | 'includeSyncing' | 'hidden'>

/** SQL: the sources whose leads an unscoped list hides. */
export const hiddenSources = (teamId: string, filter: Shown): RawBuilder<unknown> => {
  const reasons = [
    ...(filter.includeInactive ? [] : [sql`status = 'inactive'`]),
    ...(filter.includeSyncing ? [] : [sql`(status = 'active' and (open_sync_id is not null or leads_pending > 0))`]),
  ]
  return sql`select id from source where team_id = ${teamId} and (${sql.join(reasons, sql` or `)})`
}

/** So many hidden sources at most are named. */
const mostNamed = 1_000

/** The sources that a list hides; undefined when it hides none by its scope, or more than 1,000. */
export async function readHidden(db: Reader, teamId: string, filter: Shown): Promise<string[] | undefined> {
  if (filter.ownerId !== null || (filter.includeInactive && filter.includeSyncing)) return undefined
  const { rows } = await sql<{ id: string }>`${hiddenSources(teamId, filter)} limit ${mostNamed + 1}`.execute(db)
  return rows.length > mostNamed ? undefined : rows.map(({ id }) => id)
}

/** SQL: the sources that a list hides, those it names when they were read before; null when it hides none. */
export function hiddenFrom(teamId: string, filter: Shown): RawBuilder<unknown> | null {
  if (filter.includeInactive && filter.includeSyncing) return null
  if (filter.hidden === undefined) return hiddenSources(teamId, filter)
  return filter.hidden.length === 0 ? null : sql`select unnest(${filter.hidden}::uuid[])`
}

/** SQL: that a list of the whole team does not hide the source in `owner`, a column. */
export function isShown(
  teamId: string,
  filter: Shown,
  owner: RawBuilder<unknown> = sql`l.owner_id`,
): RawBuilder<unknown> {
  if (filter.hidden === undefined) return sql`${owner} not in (${hiddenSources(teamId, filter)})`
  return filter.hidden.length === 0 ? sql`true` : sql`${owner} <> all(${filter.hidden}::uuid[])`
}
