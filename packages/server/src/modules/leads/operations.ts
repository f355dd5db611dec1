/** Handlers of the lists of leads: enriched leads, people, raw leads, and the sortable grid (docs/decisions/0018). */
import type { Input, SessionOperationOf } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { queryColumn } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Handlers, SessionHandlers } from '../accounts/index.ts'
import { countEngagers, pageOfEngagers } from './engagers.ts'
import { countLeads, countLimit, listedLeads, pagingOf, readList, type LeadList, type Page } from './list.ts'
import { idsOfPage, leadsById, pageOfRawLeads } from './listing.ts'

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

/** Leads of one value, or all that have a value; an index gives the order within a band. */
type Band = { readonly which: RawBuilder<unknown>; readonly order: RawBuilder<unknown> }

type Sort = Pick<Input<SessionOperationOf<'listSortedLeads'>>, 'sort' | 'direction'>

/** The bands of an order, in sequence; leads without the value come last in both directions. */
function bandsOf({ sort, direction }: Sort): readonly Band[] {
  const isUp = direction === 'up'
  const turn = <T>(values: readonly T[]): readonly T[] => (isUp ? values : values.toReversed())
  switch (sort) {
    case 'captured':
      return [{ which: sql`true`, order: isUp ? oldest : newest }]
    case 'name':
    case 'company': {
      const key = keyOf(sort === 'name' ? 'name' : 'company_name')
      return [
        // Descending scans the index backwards, so the times are reversed too.
        { which: sql`${key} is not null`, order: isUp ? sql`${key}, ${newest}` : sql`${key} desc, ${oldest}` },
        { which: sql`${key} is null`, order: newest },
      ]
    }
    case 'fit':
      return [...turn([sql`= true`, sql`= false`]), sql`is null`].map((is) => ({
        which: sql`l.is_icp ${is}`,
        order: newest,
      }))
    case 'engagement':
      return turn(['Author', 'Comment', 'Like']).map((type) => ({
        which: sql`l.engagement_type = ${type}`,
        order: newest,
      }))
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
  const rows = bands.map(
    (
      { which, order },
      place,
    ) => sql`(select l.id, ${place}::integer as band, row_number() over (order by ${order}) as nth
      from lead l where ${listed} and ${which} order by ${order} limit ${max})`,
  )
  return queryColumn<string>(db)`
    select id from (${sql.join(rows, sql` union all `)}) sorted
    order by band, nth limit ${limit + 1} offset ${offset}`
}

export const sortedLeadOperations: SessionHandlers<'listSortedLeads'> = {
  listSortedLeads: async ({ sort, direction, ...input }, { caller: { teamId }, db }) => {
    const list = await readList(db, { teamId, input })
    const ids = await pageOfIds(db, list, { ...input, bands: bandsOf({ sort, direction }) })
    const place = new Map(ids.map((id, at) => [id, at]))
    const leads = await leadsById(db, teamId, ids.slice(0, input.limit))
    return {
      leads: leads.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!),
      ...(await pagingOf(ids.length, input, () => countLeads(db, list))),
    }
  },
}
