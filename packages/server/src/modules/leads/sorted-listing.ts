/** The grid of leads in the order that a person chose: the rows of `GET /leads`, sorted by the database (docs/decisions/0018). */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { SessionHandlers } from '../accounts/index.ts'
import type { Page } from './deep-pages.ts'
import { readHidden } from './hidden.ts'
import { pagingOf, readList } from './list-request.ts'
import { leadsById, nameOf } from './listing.ts'
import { openPlaces, pageByPlaces, type Passed, type Place, type Places, type Start } from './places.ts'
import { presentLead } from './present.ts'
import { bandsOf, isInBand, type Band, type Direction, type SortBy } from './rules/sort.ts'
import { listedLeads, type LeadList } from './text-choice.ts'
import { countLeads } from './totals.ts'
import type { VerdictSource } from './verdicts.ts'

const newest = sql`l.created_at desc, l.id desc`
const oldest = sql`l.created_at, l.id`
/** As the indexes have it. */
const keyOf = (column: 'name' | 'company_name') => sql`(lower(left(l.${sql.ref(column)}, 60)) collate "C")`

/** Rows, and their order. */
type Part = { readonly which: RawBuilder<unknown>; readonly order: RawBuilder<unknown> }

/** The rows of a band, and their order. */
function bandOf(band: Band): Part {
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
      // As in `filter.ts`, so that the index of verdicts is used for those who do not fit as well.
      return {
        which: band.value === null ? sql`l.is_icp is null` : sql`l.is_icp = ${band.value} and l.is_icp is not null`,
        order: newest,
      }
    case 'engagement':
      return { which: sql`l.engagement_type = ${band.value}`, order: newest }
  }
}

/** SQL: the rows of a band from a place in it on. */
function behind(band: Band, { at, id, ...place }: Place): RawBuilder<unknown> {
  const newer = sql`(l.created_at, l.id) >= (${at}::timestamptz, ${id}::uuid)`
  const older = sql`(l.created_at, l.id) <= (${at}::timestamptz, ${id}::uuid)`
  if (band.of === 'time') return band.direction === 'up' ? newer : older
  if (band.of !== 'text') return older
  const key = keyOf(band.column)
  const text = place[band.column]
  // The first half is what the index is entered by.
  return band.direction === 'up'
    ? sql`${key} >= ${text} and (${key} > ${text} or ${older})`
    : sql`${key} <= ${text} and (${key} < ${text} or ${newer})`
}

/** The ids of a page, and some that were passed on the way to it. */
type PageOfIds = { readonly ids: readonly string[]; readonly passed: readonly Passed[] }

/** The ids of a page of one band alone, and every so many before it: what lies there is skipped in the index. */
async function pageOfBand(
  db: Reader,
  { listed, part }: { readonly listed: RawBuilder<unknown>; readonly part: Part },
  { limit, offset, passedEvery }: Page & { readonly passedEvery: number | null },
): Promise<PageOfIds> {
  const { which, order } = part
  const band = sql`from lead l where ${listed} and ${which} order by ${order}`
  if (passedEvery === null) {
    const { rows } = await sql<{ id: string }>`select l.id ${band} limit ${limit + 1} offset ${offset}`.execute(db)
    return { ids: rows.map(({ id }) => id), passed: [] }
  }
  const { rows } = await sql<Passed>`
    select id, place as offset from (
      select l.id, row_number() over (order by ${order}) - 1 as place ${band} limit ${offset + limit + 1}) l
    where place >= ${offset} or place % ${passedEvery} = 0 order by place`.execute(db)
  const ofPage = rows.filter((row) => row.offset >= offset)
  return { ids: ofPage.map(({ id }) => id), passed: rows.filter((row) => row.offset < offset) }
}

/**
 * The ids of a page that the first band alone does not fill. How many rows the bands before it have is counted, no further than the page
 * lies deep, and what lies before it in its own band is skipped, so that an index is read for no more than that. One that those
 * before it leave nothing to is not read at all: leads without a name have no index, and finding that there are none takes reading
 * all the others.
 */
async function pageOverBands(
  db: Reader,
  { listed, parts }: { readonly listed: RawBuilder<unknown>; readonly parts: readonly Part[] },
  page: Page,
): Promise<string[]> {
  const wanted = page.limit + 1
  const needed = page.offset + wanted
  const sum = (terms: readonly RawBuilder<unknown>[]) => sql.join([sql`0`, ...terms], sql` + `)
  const pages = parts.map((_, place) => sql.ref(`page_${place}`))
  const counts = parts.map((_, place) => sql.ref(`count_${place}`))
  const bands = parts.flatMap(({ which, order }, place) => {
    const taken = (upTo: number) => sum(pages.slice(0, upTo).map((name) => sql`(select cardinality(ids) from ${name})`))
    const before = sum(counts.slice(0, place).map((name) => sql`(select held from ${name})`))
    const rows = (upTo: number) => sql`from lead l where ${listed} and ${which} and ${taken(upTo)} < ${wanted}
      order by ${order} limit ${needed}`
    // All bands but the first are in the order of time.
    const ids =
      place === 0
        ? sql`select l.id from lead l where ${listed} and ${which} order by ${order} limit ${wanted} offset ${page.offset}`
        : sql`select l.id from (select l.id, l.created_at ${rows(place)}) l
        order by ${order} limit ${wanted} offset greatest(0, ${page.offset} - (${before}))`
    return [
      sql`${pages[place]!} as materialized (select array(${ids}) as ids)`,
      sql`${counts[place]!} as materialized (select count(*) as held from (select ${rows(place + 1)}) counted)`,
    ]
  })
  const all = pages.map((name) => sql`(select ids from ${name})`)
  // Nobody asks how many the last one has.
  const { rows } = await sql<{ ids: string[] }>`
    with ${sql.join(bands.slice(0, -1))} select ${sql.join(all, sql` || `)} as ids`.execute(db)
  return rows[0]!.ids.slice(0, wanted)
}

/** The ids of a page in that order, one more than asked when there are more. Most pages lie in the first band. */
async function pageOfIds(
  db: Reader,
  { listed, parts }: { readonly listed: RawBuilder<unknown>; readonly parts: readonly Part[] },
  page: Page & { readonly passedEvery: number | null },
): Promise<PageOfIds> {
  const inFirst = await pageOfBand(db, { listed, part: parts[0]! }, page)
  if (inFirst.ids.length > page.limit || parts.length === 1) return inFirst
  return { ids: await pageOverBands(db, { listed, parts }, page), passed: [] }
}

/** What is remembered of the orders of the grid, from which offset on it is asked, and every how many rows of a way down. */
type Remembered = { readonly places: Places; readonly placedFrom: number; readonly passedEvery: number }

/** Nearer pages are read as soon as it takes to look whether all is as it was. */
const usual = (): Remembered => ({ places: openPlaces(), placedFrom: 1_000, passedEvery: 500 })

/** The ids of a page of the grid, one more than asked when there are more: from the beginning of the list, or from a place in it. */
async function pageOfGrid(
  db: Reader,
  list: LeadList,
  { bands, limit, offset, places, placedFrom, passedEvery }: Page & Remembered & { readonly bands: readonly Band[] },
): Promise<readonly string[]> {
  const listed = listedLeads(list)
  // Other bands are skipped in an index alone: numbering their rows would take longer than that.
  const everyRows = bands[0]!.of === 'text' ? passedEvery : null
  const whole = (every: number | null) =>
    pageOfIds(db, { listed, parts: bands.map(bandOf) }, { limit, offset, passedEvery: every })
  const readFrom = async ({ place, rest }: Start): Promise<PageOfIds> => {
    const first = bands.findIndex((band) => isInBand(band, place))
    const [part, ...others] = bands.slice(first).map(bandOf)
    const from = { ...part!, which: sql`${part!.which} and ${behind(bands[first]!, place)}` }
    const { ids, passed } = await pageOfIds(
      db,
      { listed, parts: [from, ...others] },
      { limit, offset: rest, passedEvery: everyRows },
    )
    return { ids, passed: passed.map(({ id, ...row }) => ({ id, offset: row.offset + offset - rest })) }
  }
  const filter = offset < placedFrom ? null : await nameOf(db, list)
  if (filter === null) return (await whole(null)).ids
  let passed: readonly Passed[] = []
  const rows = await pageByPlaces(
    db,
    {
      teamId: list.teamId,
      name: ['grid', bands, filter],
      furthest: offset,
      read: async (start) => {
        const page = await (start === null ? whole(everyRows) : readFrom(start))
        passed = page.passed
        return page.ids.map((id) => ({ id }))
      },
      passed: () => passed,
    },
    { limit, offset, places },
  )
  return rows.map(({ id }) => id)
}

/**
 * Makes the handler. Whom criteria that were just saved have not reached yet is sorted by the verdict before, and shown
 * with the new one.
 */
export const sortedLeadOperations = (
  verdicts: VerdictSource,
  remembered = usual(),
): SessionHandlers<'listSortedLeads'> => ({
  listSortedLeads: async ({ sort, direction, ...input }, { caller: { teamId }, db }) => {
    const asked = await readList(db, { teamId, input, verdicts })
    // A whole list, too: its hidden sources, by name, keep the indexes of the orders in use.
    const hidden = asked.filter.hidden ?? (await readHidden(db, teamId, asked.filter))
    const list = { ...asked, filter: { ...asked.filter, hidden } }
    const bands = bandsOf(sort as SortBy, direction as Direction)
    const ids = await pageOfGrid(db, list, { ...input, ...remembered, bands })
    const place = new Map(ids.map((id, at) => [id, at]))
    const rows = await leadsById(db, teamId, { ids: ids.slice(0, input.limit), verdicts })
    return {
      leads: rows.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!).map(presentLead),
      ...(await pagingOf(ids.length, input, () => countLeads(db, list))),
    }
  },
})
