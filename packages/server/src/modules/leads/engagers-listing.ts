/** SQL that reads leads as people (G38, G133): the filters choose lead rows, the newest chosen row of a person stands for them. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { farDown, peopleFarDown, type Page } from './deep-pages.ts'
import { newestWithTextFarDown } from './deep-texts.ts'
import { aboveIt, branchesOf, conditions, isWhole, type LeadFilter } from './filter.ts'
import { hiddenSources } from './hidden.ts'
import { nameOf, type CompanyColumns, type LeadRow, type PageAsked } from './listing.ts'
import { pageByPlaces, type Passed, type Start } from './places.ts'
import { frequentTextOf, newestChosen, type LeadList } from './text-choice.ts'
import { verdictOf, type OpenCriteria, type VerdictSource } from './verdicts.ts'

/** A person with what the filters chose of them; company fields are of their newest chosen row. */
export type EngagerRow = Pick<
  LeadRow,
  'id' | 'name' | 'linkedin_url' | 'avatar_url' | 'job_title' | 'country' | 'is_icp'
> &
  CompanyColumns & {
    engagement_count: number
    engagement_types: LeadRow['engagement_type'][]
    last_engaged_at: Date
    source_ids: string[]
    /** Criteria were open when the row was read. */
    judging: boolean
  }

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

/** The people of a list who are on a page. */
type PeopleOfPage = {
  readonly teamId: string
  readonly filter: LeadFilter
  readonly ids: readonly string[]
  readonly verdicts: VerdictSource
}

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
type EngagersPage = {
  readonly rows: EngagerRow[]
  readonly people: number | null
  readonly passed?: readonly Passed[]
}

/** A page of people, last engaged first, with one more than asked when there is more; and how many there are, when that came out. */
export async function pageOfEngagers(db: Reader, list: LeadList, asked: PageAsked): Promise<EngagersPage> {
  const { limit, offset, deep = farDown, verdicts, places } = asked
  const filter = places && offset >= deep ? await nameOf(db, list) : null
  if (!places || filter === null) return readPage(db, list, asked)
  let read: Pick<EngagersPage, 'people' | 'passed'> = { people: null }
  const rows = await pageByPlaces(
    db,
    {
      teamId: list.teamId,
      name: ['people', filter],
      furthest: mostLookedUp,
      read: async (start) => {
        if (start !== null) return readPageFrom(db, { ...list, filter }, { ...start, limit, verdicts })
        const found = await readPage(db, list, asked)
        read = found
        return found.rows
      },
      passed: () => read.passed ?? [],
    },
    { limit, offset, places },
  )
  return { rows, people: read.people }
}

/**
 * The people from a place on: those who stand there have no chosen row above it. Looks at as many rows below it as it takes: far down most
 * are of people who stand further up.
 */
async function readPageFrom(
  db: Reader,
  { teamId, filter, chosen }: LeadList,
  { place, rest, limit, verdicts }: Start & Pick<PageAsked, 'limit' | 'verdicts'>,
): Promise<EngagerRow[]> {
  const below = { teamId, chosen, filter: { ...filter, from: place } }
  const standing = sql`not exists (select 1 from lead l
    where ${conditions(teamId, filter)} and l.person_urn = people.person_urn and ${aboveIt(place)} offset 0)`
  for (let rows = (rest + limit) * 4 + 50; ; rows *= 5) {
    const look = { limit, offset: rest, rows, isDeep: false }
    const [among] = await chosenRows(db, below, look)
    const found = await lookAtNewest(db, below, { ...look, among: among!, standing })
    if (found.scanned < rows || found.ids.length > limit)
      return engagersById(db, { teamId, filter, ids: found.ids, verdicts })
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
    const hidden = filter.includeInactive && filter.includeSyncing ? null : hiddenSources(teamId, filter)
    const ids = await peopleFarDown(db, { teamId, hidden, page })
    if (ids !== null) return { rows: await engagersById(db, { teamId, filter, ids, verdicts }), people: null }
  }
  const needed = page.offset + page.limit + 1
  // Far down a row too many costs more than a second look: there the first one is nearly as short as it can be.
  const isDeep = page.offset >= deep
  for (let rows = Math.ceil(needed * (isDeep ? 1.25 : 3)) + 50; ; ) {
    const found = await lookAtRows(db, list, { ...page, rows, isDeep, ...(isDeep && places ? { passedEvery } : {}) })
    const wasAll = found.scanned < rows
    if (wasAll || found.people >= needed)
      return {
        rows: await engagersById(db, { teamId, filter, ids: found.ids, verdicts }),
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

async function engagersById(db: Reader, page: PeopleOfPage): Promise<EngagerRow[]> {
  if (page.ids.length === 0) return []
  const rows = await readEngagers(db, page, [])
  if (!rows.some((row) => row.judging)) return rows
  return readEngagers(db, page, await page.verdicts.read(db, page.teamId))
}

async function readEngagers(
  db: Reader,
  { teamId, filter, ids, verdicts }: PeopleOfPage,
  open: readonly OpenCriteria[],
): Promise<EngagerRow[]> {
  const { rows } = await sql<EngagerRow>`
    select p.id, p.name, p.linkedin_url, p.avatar_url, p.job_title, p.country, p.company_name, p.company_domain,
      p.company_industry, p.company_enriched_at,
      c.website, c.linkedin_url as company_linkedin_url, c.description, c.headquarters, c.employee_count, c.staff_range,
      of_person.is_icp, of_person.engagement_count, of_person.engagement_types, p.created_at as last_engaged_at,
      of_person.source_ids, ${verdicts.isOpen(teamId)} as judging
    from lead p
    cross join lateral (
      select count(*)::integer as engagement_count, bool_or(${verdictOf(open)}) as is_icp,
        array_agg(distinct l.engagement_type order by l.engagement_type) as engagement_types,
        coalesce(array_agg(distinct l.source_id order by l.source_id) filter (where l.source_id is not null),
            '{}') as source_ids
      from lead l where l.person_urn = p.person_urn and ${conditions(teamId, filter)}
    ) of_person
    left join company c on c.urn = p.company_urn
    where p.team_id = ${teamId} and p.id = any(${ids})
    order by p.created_at desc, p.id desc`.execute(db)
  // Rows that went between the two looks have nothing left to be counted.
  return rows.filter((row) => row.engagement_count > 0)
}
