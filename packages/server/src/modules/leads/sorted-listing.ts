/** The grid of leads in the order that a person chose: the rows of `GET /leads`, sorted by the database (docs/decisions/0059). */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { SessionHandlers } from '../accounts/index.ts'
import { readHidden } from './hidden.ts'
import { pagingOf, readList } from './list-request.ts'
import { leadsById } from './listing.ts'
import { presentLead } from './present.ts'
import { bandsOf, type Band, type Direction, type SortBy } from './rules/sort.ts'
import { listedLeads } from './text-choice.ts'
import { countLeads } from './totals.ts'
import type { VerdictSource } from './verdicts.ts'

const newest = sql`l.created_at desc, l.id desc`
const oldest = sql`l.created_at, l.id`
/** As the indexes have it. */
const keyOf = (column: 'name' | 'company_name') => sql`(lower(left(l.${sql.ref(column)}, 60)) collate "C")`

/** The rows of a band, and their order. */
function bandOf(band: Band): { readonly which: RawBuilder<unknown>; readonly order: RawBuilder<unknown> } {
  switch (band.of) {
    case 'time':
      return { which: sql`true`, order: band.direction === 'up' ? oldest : newest }
    case 'text':
      return {
        which: sql`l.${sql.ref(band.column)} is not null`,
        // Downwards is the index from its end, so that times turn round with it.
        order:
          band.direction === 'up' ? sql`${keyOf(band.column)}, ${newest}` : sql`${keyOf(band.column)} desc, ${oldest}`,
      }
    case 'without':
      return { which: sql`l.${sql.ref(band.column)} is null`, order: newest }
    case 'fit':
      return { which: band.value === null ? sql`l.is_icp is null` : sql`l.is_icp = ${band.value}`, order: newest }
    case 'engagement':
      return { which: sql`l.engagement_type = ${band.value}`, order: newest }
  }
}

/** The ids of a page of one band alone: what lies before it is skipped in the index. */
async function pageOfBand(
  db: Reader,
  { listed, band }: { readonly listed: RawBuilder<unknown>; readonly band: Band },
  page: { readonly limit: number; readonly offset: number },
): Promise<string[]> {
  const { which, order } = bandOf(band)
  const { rows } = await sql<{ id: string }>`
    select l.id from lead l where ${listed} and ${which}
    order by ${order} limit ${page.limit + 1} offset ${page.offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The ids of a page in that order, one more than asked when there are more. Each band gives at most what the page needs, by its index;
 * one that those before it leave nothing to is not read at all: leads without a name have no index, and finding that there are none
 * takes reading all the others. Most pages lie in the first band.
 */
async function pageOfIds(
  db: Reader,
  {
    listed,
    bands,
    page,
  }: {
    readonly listed: RawBuilder<unknown>
    readonly bands: readonly Band[]
    readonly page: { readonly limit: number; readonly offset: number }
  },
): Promise<string[]> {
  const inFirst = await pageOfBand(db, { listed, band: bands[0]! }, page)
  if (inFirst.length > page.limit || bands.length === 1) return inFirst
  const needed = page.offset + page.limit + 1
  const names = bands.map((_, place) => sql.ref(`band_${place}`))
  const parts = bands.map((band, place) => {
    const { which, order } = bandOf(band)
    const before = names.slice(0, place).map((name) => sql`(select count(*) from ${name})`)
    const isNeeded = place === 0 ? sql`true` : sql`${sql.join(before, sql` + `)} < ${needed}`
    return sql`${names[place]} as materialized (
      select l.id, ${sql.lit(place)} as band, row_number() over (order by ${order}) as nth from lead l
      where ${listed} and ${which} and ${isNeeded} order by ${order} limit ${needed})`
  })
  const all = names.map((name) => sql`select * from ${name}`)
  const { rows } = await sql<{ id: string }>`
    with ${sql.join(parts)} select id from (${sql.join(all, sql` union all `)}) sorted
    order by band, nth limit ${page.limit + 1} offset ${page.offset}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Makes the handler. Whom criteria that were just saved have not reached yet is sorted by the verdict before, and shown
 * with the new one.
 */
export const sortedLeadOperations = (verdicts: VerdictSource): SessionHandlers<'listSortedLeads'> => ({
  listSortedLeads: async ({ sort, direction, ...input }, { caller: { teamId }, db }) => {
    const asked = await readList(db, { teamId, input, verdicts })
    // A whole list, too: its hidden sources, by name, keep the indexes of the orders in use.
    const hidden = asked.filter.hidden ?? (await readHidden(db, teamId, asked.filter))
    const list = { ...asked, filter: { ...asked.filter, hidden } }
    const listed = listedLeads(list)
    const ids = await pageOfIds(db, { listed, bands: bandsOf(sort as SortBy, direction as Direction), page: input })
    const place = new Map(ids.map((id, at) => [id, at]))
    const rows = await leadsById(db, teamId, { ids: ids.slice(0, input.limit), verdicts })
    return {
      leads: rows.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!).map(presentLead),
      ...(await pagingOf(ids.length, input, () => countLeads(db, list))),
    }
  },
})
