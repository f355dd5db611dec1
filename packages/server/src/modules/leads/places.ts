/**
 * Places in lists, as far as this process has read them: the row that stands at an offset. Whoever leafs through a list goes on where
 * the page before ended, whatever lies above. A place counts only while nothing of the team's leads has changed since it was read, or
 * nothing but what stands above it; `list_change` tells.
 */
import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Page } from './deep-pages.ts'
import { aboveIt } from './filter.ts'

/** A row of a list and what lists are in order by; instants are text of one length, with microseconds, which dates have none of. */
export type Place = {
  readonly id: string
  readonly at: string
  /** As the grid sorts them. */
  readonly name: string | null
  readonly company_name: string | null
  readonly is_icp: boolean | null
  readonly engagement_type: 'Author' | 'Comment' | 'Like'
}

/** Where to go on: so many rows behind a place that holds. */
export type Start = { readonly place: Place; readonly rest: number }

/** A row that reading came past, and its offset. */
export type Passed = { readonly offset: number; readonly id: string }

/** A list as it is read from its beginning (null) or from a place; each row is one of the list, in order. */
export type PlacedList<Row extends { readonly id: string }> = {
  readonly teamId: string
  /** All that the list is narrowed by: equal of equal lists, and of no others. */
  readonly name: unknown
  readonly read: (start: Start | null) => Promise<Row[]>
  /** Rows that the last read came past, with their offsets in the list: they are remembered with the page. */
  readonly passed?: () => readonly Passed[]
  /** A place so many rows above a page is of no use. */
  readonly furthest: number
  /** How many rows stand above a place: for lists in the order of time, whose places are counted anew when rows above have changed. */
  readonly above?: (place: Place) => Promise<number>
}

type Kept = { readonly offset: number; readonly place: Place }
type KnownList = { readonly server: string; readonly seen: string; readonly kept: readonly Kept[] }
/** A list as it is found to be; `counted`: the place from whose count the others were moved. */
type Brought = KnownList & { readonly counted: Place | null }

/** The places that a process remembers. */
export type Places = Map<string, KnownList>

/** Remembers nothing yet. */
export const openPlaces = (): Places => new Map()

/** Lists that are remembered, those read last; and places of each. */
const mostLists = 500
const mostPlaces = 250
/** To learn how far places have moved, so many rows are counted at most. */
const mostCounted = 10_000

const instant = (at: RawBuilder<unknown>) => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** What is so at one instant: which server answers, what it sees, the oldest change it sees that an earlier look did not. */
type Look = {
  readonly server: string
  readonly seen: string
  readonly since: string | null
  readonly places: readonly Place[]
}

/**
 * Looks whether leads of a team have changed, and reads the places of some of them. What a look did not see had not ended when it was
 * taken: its number is that of the oldest transaction then under way, or a later one. (A standby does not know which of those were
 * under way, so no more than this is asked.)
 */
async function look(
  db: Reader,
  teamId: string,
  { earlier, ids }: { readonly earlier: string | null; readonly ids: readonly string[] },
): Promise<Look> {
  const { rows } = await sql<Look>`
    select concat_ws(' ', current_database(), pg_postmaster_start_time(), pg_is_in_recovery()) as server,
      pg_current_snapshot()::text as seen,
      (select ${instant(sql`min(c.since)`)} from list_change c
        where c.team_id = ${teamId} and c.mark >= pg_snapshot_xmin(${earlier}::pg_snapshot)::text::bigint) as since,
      coalesce((select jsonb_agg(jsonb_build_object('id', l.id, 'at', ${instant(sql`l.created_at`)},
          'name', lower(left(l.name, 60)), 'company_name', lower(left(l.company_name, 60)),
          'is_icp', l.is_icp, 'engagement_type', l.engagement_type)) from lead l
        where l.team_id = ${teamId} and l.id = any(${[...ids]}::uuid[])), '[]') as places`.execute(db)
  return rows[0]!
}

/** How many of the leads `l` that a condition chooses stand above a place. */
export async function countAbove(db: Reader, condition: RawBuilder<unknown>, place: Place): Promise<number> {
  const { rows } = await sql<{ above: number }>`
    select count(*)::integer as above from lead l where ${condition} and ${aboveIt(place)}`.execute(db)
  return rows[0]!.above
}

/** The list as it is now: its places, those that what has changed since leaves; without any where it is not known. */
async function bring(
  known: KnownList | undefined,
  now: Look,
  list: Pick<PlacedList<Place>, 'above'>,
): Promise<Brought> {
  const fresh = { server: now.server, seen: now.seen, kept: [], counted: null }
  if (known?.server !== now.server) return fresh
  const { since } = now
  if (since === null) return { ...fresh, kept: known.kept }
  const below = known.kept.filter(({ place }) => place.at < since).toSorted((a, b) => a.offset - b.offset)
  const first = below[0]
  if (first === undefined || !list.above || first.offset > mostCounted) return fresh
  const moved = (await list.above(first.place)) - first.offset
  return { ...fresh, kept: below.map(({ offset, place }) => ({ offset: offset + moved, place })), counted: first.place }
}

/** The nearest place at an offset or above it. */
function nearest({ kept }: Brought, offset: number, furthest: number): Start | null {
  let best: Kept | null = null
  for (const each of kept) if (each.offset <= offset && each.offset > (best?.offset ?? -1)) best = each
  return best && offset - best.offset <= furthest ? { place: best.place, rest: offset - best.offset } : null
}

/** What is known of a list with places that were found; its first stays, as the cheapest to count anew from. */
function withFound(known: KnownList, found: readonly Kept[]): KnownList {
  const offsets = new Set(found.map(({ offset }) => offset))
  const [first, ...others] = [...known.kept.filter(({ offset }) => !offsets.has(offset)), ...found]
  return { ...known, kept: first ? [first, ...others.slice(1 - mostPlaces)] : [] }
}

/** Remembers a list; the ones read longest ago are forgotten. */
function remember(places: Places, name: string, known: KnownList): void {
  places.delete(name)
  places.set(name, known)
  for (const oldest of places.keys()) {
    if (places.size <= mostLists) break
    places.delete(oldest)
  }
}

/**
 * A page of a list far down, from the nearest place that is known, with one row more than asked when there is more; exactly what reading
 * from the beginning gives, at an instant of the call. What changes while it is read is either above all that was counted from, and
 * moves nothing below it, or the page is read from the beginning.
 */
export async function pageByPlaces<Row extends { readonly id: string }>(
  db: Reader,
  list: PlacedList<Row>,
  { limit, offset, places }: Page & { readonly places: Places },
): Promise<Row[]> {
  const name = createHash('sha256')
    .update(JSON.stringify([list.teamId, list.name]))
    .digest('base64')
  const known = places.get(name)
  const before = await look(db, list.teamId, { earlier: known?.seen ?? null, ids: [] })
  const brought = await bring(known, before, list)
  const start = nearest(brought, offset, list.furthest)
  const rows = await list.read(start)
  const ends = [offset, offset + limit].flatMap((at) =>
    rows[at - offset] ? [{ offset: at, id: rows[at - offset]!.id }] : [],
  )
  const passed = [...(list.passed?.() ?? []), ...ends].slice(-mostPlaces)
  const after = await look(db, list.teamId, { earlier: before.seen, ids: idsOf(passed) })
  if (after.server === before.server && after.since === null) {
    const byId = new Map(after.places.map((place) => [place.id, place]))
    const found = passed.flatMap(({ offset: at, id }) => (byId.has(id) ? [{ offset: at, place: byId.get(id)! }] : []))
    remember(places, name, withFound({ server: after.server, seen: after.seen, kept: brought.kept }, found))
    return rows
  }
  if (start === null) return rows
  const highest = brought.counted ?? start.place
  const isAbove = after.server === before.server && list.above && after.since !== null && highest.at < after.since
  return isAbove ? rows : list.read(null)
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
