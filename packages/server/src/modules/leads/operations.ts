/** Handlers of the lists of leads: enriched leads, people, raw leads, and the sortable grid (docs/decisions/0018). */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Handlers, SessionHandlers } from '../accounts/index.ts'
import { countEngagers, pageOfEngagers } from './engagers.ts'
import { countLeads, countLimit, listedLeads, pagingOf, readList, type LeadList, type Page } from './list.ts'
import { idsOfPage, leadsById, pageOfRawLeads } from './listing.ts'
import { bandsOf, type Band, type Direction, type SortBy } from './rules/sort.ts'

/** The handlers of the public lists. */
export const leadOperations: Handlers<'listLeads' | 'listEngagers' | 'listRawLeads'> = {
  listLeads: async (input, { caller: { teamId }, db }) => {
    const list = await readList(db, { teamId, input })
    const ids = await idsOfPage(db, list, input)
    return {
      leads: await leadsById(db, teamId, ids.slice(0, input.limit)),
      ...(await pagingOf(ids.length, input, () => countLeads(db, list))),
    }
  },
  listEngagers: async (input, { caller: { teamId }, db }) => {
    const list = await readList(db, { teamId, input })
    const { rows, found, people } = await pageOfEngagers(db, list, input)
    const count = async () =>
      people !== null && people <= countLimit ? { total: people, exact: true } : countEngagers(db, list)
    return {
      engagers: rows.slice(0, input.limit),
      ...(await pagingOf(found, input, count)),
    }
  },
  listRawLeads: async ({ action, ...input }, { caller: { teamId }, db }) => {
    const list = await readList(db, { teamId, input: { ...input, engagementType: action }, isRaw: true })
    const rows = await pageOfRawLeads(db, list, input)
    return {
      leads: rows.slice(0, input.limit),
      ...(await pagingOf(rows.length, input, () => countLeads(db, list))),
    }
  },
}

const newest = sql`l.created_at desc, l.id desc`
const oldest = sql`l.created_at, l.id`
/** The expression of the indexes `lead_sorted_by_name` and `lead_sorted_by_company`. */
const keyOf = (column: 'name' | 'company_name') => sql`(lower(left(l.${sql.ref(column)}, 60)) collate "C")`

function sqlOf(band: Band): { readonly which: RawBuilder<unknown>; readonly order: RawBuilder<unknown> } {
  switch (band.of) {
    case 'time':
      return { which: sql`true`, order: band.direction === 'up' ? oldest : newest }
    case 'text':
      return {
        which: sql`${keyOf(band.column)} is not null`,
        // Descending scans the index backwards, so the times are reversed too.
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

/** The ids of a page, plus one more when there is more; reads of each band only as many as the page could need. */
async function pageOfIds(
  db: Reader,
  list: LeadList,
  { bands, limit, offset }: Page & { readonly bands: readonly Band[] },
): Promise<string[]> {
  const listed = listedLeads(list)
  const max = offset + limit + 1
  const rows = bands.map((band, place) => {
    const { which, order } = sqlOf(band)
    return sql`(select l.id, ${place}::integer as band, row_number() over (order by ${order}) as nth
      from lead l where ${listed} and ${which} order by ${order} limit ${max})`
  })
  const { rows: page } = await sql<{ id: string }>`
    select id from (${sql.join(rows, sql` union all `)}) sorted
    order by band, nth limit ${limit + 1} offset ${offset}`.execute(db)
  return page.map(({ id }) => id)
}

/** The handler of the sortable grid. */
export const sortedLeadOperations: SessionHandlers<'listSortedLeads'> = {
  listSortedLeads: async ({ sort, direction, ...input }, { caller: { teamId }, db }) => {
    const list = await readList(db, { teamId, input })
    const bands = bandsOf(sort as SortBy, direction as Direction)
    const ids = await pageOfIds(db, list, { ...input, bands })
    const place = new Map(ids.map((id, at) => [id, at]))
    const leads = await leadsById(db, teamId, ids.slice(0, input.limit))
    return {
      leads: leads.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!),
      ...(await pagingOf(ids.length, input, () => countLeads(db, list))),
    }
  },
}
