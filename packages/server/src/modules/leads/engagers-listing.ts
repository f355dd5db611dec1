/** SQL that reads leads as people (G38, G133): the filters choose lead rows, the newest chosen row of a person stands for them. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { farDown, peopleFarDown, type Page } from './deep-pages.ts'
import { newestWithTextFarDown } from './deep-texts.ts'
import { aboveIt, branchesOf, conditions, isWhole } from './filter.ts'
import { hiddenFrom } from './hidden.ts'
import { engagersById, type FoundEngagers } from './engagers-of-page.ts'
import { nameOf, type PageAsked } from './listing.ts'
import { pageByPlaces, type Passed, type Start } from './places.ts'
import { frequentTextOf, newestChosen, type LeadList } from './text-choice.ts'

/**
 * Which people a page is of, by their newest chosen row, all people there are when the search came to the end, and some of those whom the
 * search passed, from a beginning of the list.
 */
type Found = {
  readonly ids: readonly string[]
  readonly people: number
  readonly scanned: number
  readonly passed: readonly Passed[]
}

/** So many people behind a place are looked up one by one; further down, telling all apart from the beginning is as good. */
const mostLookedUp = 1_000
/** Whoever reads from the beginning remembers a place every so many people, so that the next jump is from one that is near. */
const usualEvery = 500

/** How far a search for people looks: at so many of the newest rows. */
type Look = { readonly rows: number; readonly isDeep: boolean; readonly passedEvery?: number | undefined }

/** SQL of so many of the newest rows of each branch, as `l`: each is walked in its own index, so that merging them sorts nothing. */
const inBranches = (branches: readonly RawBuilder<unknown>[], rows: number): RawBuilder<unknown> =>
  branches.length === 1
    ? sql`lead l where ${branches[0]}`
    : sql`(${sql.join(
        branches.map(
          (condition) => sql`(select l.id, l.created_at, l.person_urn from lead l where ${condition}
            order by l.created_at desc, l.id desc limit ${rows})`,
        ),
        sql` union all `,
      )}) l`

/** SQL of the chosen rows, to be tried as `newestWithTextFarDown` says: leads or what stands for them, as `l`. */
async function chosenRows(
  db: Reader,
  { teamId, filter, chosen }: LeadList,
  look: Look,
): Promise<RawBuilder<unknown>[]> {
  if (!chosen) return [inBranches(branchesOf(teamId, filter), look.rows)]
  const list = { teamId, filter, chosen }
  const text = look.isDeep ? frequentTextOf(list) : null
  if (text) return (await newestWithTextFarDown(db, text, look.rows)).map((found) => sql`(${found}) l`)
  return [sql`lead l where l.team_id = ${teamId} and l.id = any(${await newestChosen(db, list, look.rows)})`]
}

/**
 * Looks at the newest of the chosen rows: a person stands where their newest one is. People are told apart by hashing, not by sorting
 * their URNs, and the newest row of those on the page alone is looked up.
 */
async function lookAtNewest(
  db: Reader,
  { teamId, filter }: LeadList,
  page: Page & Look & { readonly among: RawBuilder<unknown>; readonly standing?: RawBuilder<unknown> },
): Promise<Found> {
  const { limit, offset, passedEvery = null } = page
  const isShown = sql`place between ${offset} and ${offset + limit}`
  const { rows } = await sql<{ scanned: number; people: number; shown: [offset: number, id: string][] }>`
    with people as materialized (
      select person_urn, min(nth) as nth, count(*) as held from (
        select l.person_urn, row_number() over () as nth
        from (select l.person_urn from ${page.among} order by l.created_at desc, l.id desc limit ${page.rows}) l
      ) newest group by person_urn
    ), standing as (
      select person_urn, row_number() over (order by nth) - 1 as place from people where ${page.standing ?? sql`true`}
    ), shown as (
      select person_urn, place from standing
      where ${passedEvery === null ? isShown : sql`(${isShown} or place % ${passedEvery} = 0)`}
    )
    select (select coalesce(sum(held), 0) from people)::integer as scanned,
      (select count(*) from people)::integer as people,
      (select coalesce(json_agg(json_build_array(shown.place, n.id) order by shown.place), '[]')
        from shown cross join lateral (
          select l.id from lead l where ${conditions(teamId, filter)} and l.person_urn = shown.person_urn
          order by l.created_at desc, l.id desc limit 1
        ) n) as shown`.execute(db)
  const { scanned, people, shown } = rows[0]!
  const ofPage = shown.filter(([place]) => place >= offset && place <= offset + limit)
  return {
    scanned,
    people,
    ids: ofPage.map(([, id]) => id),
    passed:
      passedEvery === null
        ? []
        : shown.filter(([place]) => place % passedEvery === 0).map(([at, id]) => ({ offset: at, id })),
  }
}

/** A page of people; and how many there are, and whom its search passed, when that came out by the way. */
type EngagersPage = FoundEngagers & { readonly people: number | null; readonly passed?: readonly Passed[] }

/** A page of people, last engaged first, with one more than asked when there is more; and how many there are, when that came out. */
export async function pageOfEngagers(db: Reader, list: LeadList, asked: PageAsked): Promise<EngagersPage> {
  const { limit, offset, deep = farDown, verdicts, places } = asked
  const filter = places && offset >= deep ? await nameOf(db, list) : null
  if (!places || filter === null) return readPage(db, list, asked)
  const named = { ...list, filter }
  let read: EngagersPage = { rows: [], held: 0, people: null }
  const rows = await pageByPlaces(
    db,
    {
      teamId: list.teamId,
      name: ['people', filter],
      furthest: mostLookedUp,
      // From the beginning as well by the sources that the name says are hidden: one that was untracked since makes another list.
      read: async (start) => {
        read = await (start === null
          ? readPage(db, named, asked)
          : readPageFrom(db, named, { ...start, limit, verdicts }))
        return read.rows
      },
      passed: () => read.passed ?? [],
    },
    { limit, offset, places },
  )
  return { rows, held: read.held, people: read.people }
}

/**
 * The people from a place on: those who stand there have no chosen row above it. Looks at as many rows below it as it takes: far down most
 * are of people who stand further up.
 */
async function readPageFrom(
  db: Reader,
  { teamId, filter, chosen }: LeadList,
  { place, rest, limit, verdicts }: Start & Pick<PageAsked, 'limit' | 'verdicts'>,
): Promise<EngagersPage> {
  const below = { teamId, chosen, filter: { ...filter, from: place } }
  const standing = sql`not exists (select 1 from lead l
    where ${conditions(teamId, filter)} and l.person_urn = people.person_urn and ${aboveIt(place)} offset 0)`
  for (let rows = (rest + limit) * 4 + 50; ; rows *= 5) {
    const look = { limit, offset: rest, rows, isDeep: false }
    const [among] = await chosenRows(db, below, look)
    const found = await lookAtNewest(db, below, { ...look, among: among!, standing })
    if (found.scanned < rows || found.ids.length > limit)
      return { ...(await engagersById(db, { teamId, filter, ids: found.ids, verdicts })), people: null }
  }
}

/**
 * Reads a page from the beginning of its list. Looks at as many of the newest rows as a page usually takes, and at more while they do
 * not fill it.
 */
async function readPage(
  db: Reader,
  list: LeadList,
  { limit, offset, verdicts, deep = farDown, places, passedEvery = usualEvery }: PageAsked,
): Promise<EngagersPage> {
  const { teamId, filter } = list
  const page = { limit, offset }
  if (page.offset >= deep && filter.ownerId === null && isWhole(filter)) {
    const ids = await peopleFarDown(db, { teamId, hidden: hiddenFrom(teamId, filter), page })
    if (ids !== null) return { ...(await engagersById(db, { teamId, filter, ids, verdicts })), people: null }
  }
  const needed = page.offset + page.limit + 1
  // Far down a row too many costs more than a second look: there the first one is nearly as short as it can be.
  const isDeep = page.offset >= deep
  for (let rows = Math.ceil(needed * (isDeep ? 1.25 : 3)) + 50; ; ) {
    const found = await lookAtRows(db, list, { ...page, rows, isDeep, ...(isDeep && places ? { passedEvery } : {}) })
    const wasAll = found.scanned < rows
    if (wasAll || found.people >= needed)
      return {
        ...(await engagersById(db, { teamId, filter, ids: found.ids, verdicts })),
        people: wasAll ? found.people : null,
        passed: found.passed,
      }
    // People come back the oftener, the further down: as many rows again as there were for each, and twice that.
    rows = isDeep ? Math.ceil((rows * 2 * needed) / Math.max(found.people, 1)) : rows * 8
  }
}

/** Looks at so many of the newest chosen rows, or at all when there are fewer. */
async function lookAtRows(db: Reader, search: LeadList, page: Page & Look): Promise<Found> {
  let found: Found = { ids: [], people: 0, scanned: 0, passed: [] }
  for (const among of await chosenRows(db, search, page)) {
    found = await lookAtNewest(db, search, { ...page, among })
    if (found.scanned === page.rows) break
  }
  return found
}
