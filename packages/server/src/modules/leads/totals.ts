/** How long lists of leads and of people are: from kept counters where nothing narrows them, else counted up to 10,000 (G37). */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { conditions, isWhole, type LeadFilter } from './filter.ts'
import { isShown } from './hidden.ts'
import { countLimit, listedLeads, type LeadList } from './text-choice.ts'

/** A total; `exact` is false when there are more. */
export type Total = { readonly total: number; readonly exact: boolean }

/** SQL: how many leads Discover runs have found for a team; no source counts them, and there are never many. */
export const discoverLeads = (teamId: string): RawBuilder<unknown> => sql`
  select count(*) from lead where team_id = ${teamId} and source_kind = 'discover' and enrichment <> 'raw'`

/** How many leads an unfiltered list holds: sources count theirs as they are stored. */
async function countWhole(db: Reader, teamId: string, filter: LeadFilter): Promise<number> {
  const isShownSource =
    filter.includeInactive && filter.includeSyncing ? sql`true` : isShown(teamId, filter, sql`source.id`)
  const total =
    filter.ownerId !== null
      ? sql`select lead_rows::bigint as total from source where team_id = ${teamId} and id = ${filter.ownerId}`
      : sql`select (coalesce(sum(lead_rows), 0) + (${discoverLeads(teamId)}))::bigint as total from source
          where team_id = ${teamId} and ${isShownSource}`
  const { rows } = await sql<{ total: number }>`${total}`.execute(db)
  return rows[0]?.total ?? 0
}

/** How many leads `l` meet a condition, counted up to 10,000; `exact` is false when there are more (G37). */
export async function countBounded(db: Reader, condition: RawBuilder<unknown>): Promise<Total> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::bigint as total
    from (select 1 from lead l where ${condition} limit ${countLimit + 1}) counted`.execute(db)
  const { total } = rows[0]!
  return total > countLimit ? { total: countLimit, exact: false } : { total, exact: true }
}

/** How many match: from kept counters when nothing narrows the list, else counted up to 10,000 (G37). */
export async function countLeads(db: Reader, { teamId, filter, chosen }: LeadList): Promise<Total> {
  if (chosen === 'many') return { total: countLimit, exact: false }
  if (chosen) return { total: chosen.ids.length, exact: true }
  if (isWhole(filter)) return { total: await countWhole(db, teamId, filter), exact: true }
  return countBounded(db, conditions(teamId, filter))
}

/**
 * So many rows are nearly always of more than 10,000 people, the newest ones above all: an index by person would show
 * whole people first.
 */
const usualRows = 15_000

/** How many people match, counted up to 10,000: people engage with several sources, so no counter kept by source adds up to them. */
export async function countEngagers(db: Reader, list: LeadList): Promise<Total> {
  for (const limit of [usualRows, null]) {
    const { rows } = await sql<{ scanned: number; people: number }>`
      select coalesce(sum(rows), 0)::integer as scanned, count(*)::integer as people from (
        select count(*) as rows from (
          select l.person_urn from lead l where ${listedLeads(list)}
          order by l.created_at desc, l.id desc limit ${limit}) looked
        group by person_urn) people`.execute(db)
    const { scanned, people } = rows[0]!
    if (people > countLimit) break
    if (limit === null || scanned < limit) return { total: people, exact: true }
  }
  return { total: countLimit, exact: false }
}
