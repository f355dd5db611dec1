/** The grid of leads in the order that a person chose: the rows of `GET /leads`, sorted by the database (docs/decisions/0018). */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { SessionHandlers } from '../accounts/index.ts'
import { pagingOf, readList, type Page } from './list-request.ts'
import { leadsById } from './listing.ts'
import { presentLead } from './present.ts'
import { bandsOf, type Band, type Direction, type SortBy } from './rules/sort.ts'
import { listedLeads, type LeadList } from './text-choice.ts'
import { countLeads } from './totals.ts'

const newest = sql`l.created_at desc, l.id desc`
const oldest = sql`l.created_at, l.id`
/** As the indexes `lead_sorted_by_name` and `lead_sorted_by_company` have it. */
const keyOf = (column: 'name' | 'company_name') => sql`(lower(left(l.${sql.ref(column)}, 60)) collate "C")`

/** The rows of a band, and their order. */
function sqlOf(band: Band): { readonly which: RawBuilder<unknown>; readonly order: RawBuilder<unknown> } {
  switch (band.of) {
    case 'time':
      return { which: sql`true`, order: band.direction === 'up' ? oldest : newest }
    case 'text':
      return {
        which: sql`${keyOf(band.column)} is not null`,
        // Downwards is the index from its end, so that times turn round with it.
        order:
          band.direction === 'up' ? sql`${keyOf(band.column)}, ${newest}` : sql`${keyOf(band.column)} desc, ${oldest}`,
      }
    case 'without':
      return { which: sql`${keyOf(band.column)} is null`, order: newest }
    case 'fit':
      return { which: band.value === null ? sql`l.is_icp is null` : sql`l.is_icp = ${band.value}`, order: newest }
    case 'engagement':
      return { which: sql`l.engagement_type = ${band.value}`, order: newest }
  }
}

/** The ids of a page in an order, one more than asked when there are more; of each band no more is read than the page lies deep. */
async function pageOfIds(
  db: Reader,
  list: LeadList,
  { bands, limit, offset }: Page & { readonly bands: readonly Band[] },
): Promise<string[]> {
  const listed = listedLeads(list)
  const most = offset + limit + 1
  const rows = bands.map((band, place) => {
    const { which, order } = sqlOf(band)
    return sql`(select l.id, ${place}::integer as band, row_number() over (order by ${order}) as nth
      from lead l where ${listed} and ${which} order by ${order} limit ${most})`
  })
  const { rows: page } = await sql<{ id: string }>`
    select id from (${sql.join(rows, sql` union all `)}) sorted
    order by band, nth limit ${limit + 1} offset ${offset}`.execute(db)
  return page.map(({ id }) => id)
}

/** The handler. */
export const sortedLeadOperations: SessionHandlers<'listSortedLeads'> = {
  listSortedLeads: async ({ sort, direction, ...input }, { caller: { teamId }, db }) => {
    const list = await readList(db, { teamId, input })
    const bands = bandsOf(sort as SortBy, direction as Direction)
    const ids = await pageOfIds(db, list, { ...input, bands })
    const place = new Map(ids.map((id, at) => [id, at]))
    const rows = await leadsById(db, teamId, ids.slice(0, input.limit))
    return {
      leads: rows.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!).map(presentLead),
      ...(await pagingOf(ids.length, input, () => countLeads(db, list))),
    }
  },
}
