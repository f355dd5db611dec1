/**
 * Pages far down a list. What lies before them is skipped in an index, without reading the leads, and from whichever end of the list
 * is nearer; people stand where the newest lead of theirs does, which is kept in `engager`.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'

/** A page that begins behind so many rows is far down. */
export const farDown = 2_000

/** A page as lists ask for it: one row more than `limit`, so that they know whether there is more. */
export type Page = { readonly limit: number; readonly offset: number }

/**
 * A list of leads `l`: the conditions of its branches, which share no lead, and SQL of how many it holds where that is kept. An index has
 * each branch in order, so that more than one are merged without sorting them.
 */
export type WalkedList = {
  readonly branches: readonly RawBuilder<unknown>[]
  readonly total: RawBuilder<unknown> | null
}

/** SQL of the leads that conditions find, each condition's at most so many in an order; of one alone it is no select of its own. */
const inBranches = (branches: readonly RawBuilder<unknown>[], order: RawBuilder<unknown>, most: number) =>
  branches.length === 1
    ? sql`lead l where ${branches[0]}`
    : sql`(${sql.join(
        branches.map(
          (condition) =>
            sql`(select l.id, l.created_at from lead l where ${condition} order by ${order} limit ${most})`,
        ),
        sql` union all `,
      )}) l`

/** The leads of a page far down, in no order. */
export async function idsFarDown(db: Reader, list: WalkedList, page: Page): Promise<string[]> {
  const wanted = page.limit + 1
  if (list.total !== null) {
    const held = await readTotal(db, list.total)
    if (page.offset >= held) return []
    if (page.offset > held / 2) {
      const rest = held - page.offset
      const { rows } = await sql<{ id: string; held: number }>`
        select l.id, (${list.total})::bigint as held from ${inBranches(list.branches, sql`l.created_at, l.id`, rest)}
        order by l.created_at, l.id limit ${Math.min(wanted, rest)} offset ${Math.max(0, rest - wanted)}`.execute(db)
      // Counted from the end, a page is right only while the list is as long as it was when it was counted.
      if (rows[0]?.held === held) return rows.map(({ id }) => id)
    }
  }
  const { rows } = await sql<{ id: string }>`
    select l.id from ${inBranches(list.branches, sql`l.created_at desc, l.id desc`, page.offset + wanted)}
    order by l.created_at desc, l.id desc limit ${wanted} offset ${page.offset}`.execute(db)
  return rows.map(({ id }) => id)
}

async function readTotal(db: Reader, total: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ held: number }>`select (${total})::bigint as held`.execute(db)
  return rows[0]!.held
}

/** People whose newest lead is hidden, at most: beyond, a page is found by walking the leads. */
const mostMoved = 20_000

/**
 * The newest leads that stand for the people of a page far down an unfiltered list of a team, in no order; null when too many people
 * have their newest lead under a hidden source. `hidden`: SQL of the ids of hidden sources, null when nothing is hidden.
 */
export async function peopleFarDown(
  db: Reader,
  {
    teamId,
    hidden,
    page,
  }: { readonly teamId: string; readonly hidden: RawBuilder<unknown> | null; readonly page: Page },
): Promise<string[] | null> {
  const wanted = page.limit + 1
  const moved = hidden === null ? 0 : await countMoved(db, teamId, hidden)
  if (moved > mostMoved) return null
  if (hidden === null || moved === 0) {
    const { rows } = await sql<{ id: string }>`
      select e.lead_id as id from engager e
      where e.team_id = ${teamId} and ${hidden === null ? sql`true` : sql`e.owner_id not in (${hidden})`}
      order by e.at desc, e.lead_id desc limit ${wanted} offset ${page.offset}`.execute(db)
    return rows.map(({ id }) => id)
  }
  const { rows } = await sql<{ id: string }>`
    with hidden (id) as materialized (${hidden}),
    moved as materialized (
      select n.id, n.created_at from engager e
      cross join lateral (
        select l.id, l.created_at from lead l
        where l.team_id = e.team_id and l.person_urn = e.person_urn and l.enrichment <> 'raw'
          and l.owner_id not in (select id from hidden)
        order by l.created_at desc, l.id desc limit 1) n
      where e.team_id = ${teamId} and e.owner_id in (select id from hidden)),
    standing as materialized (
      select e.lead_id as id, e.at as created_at from engager e
      where e.team_id = ${teamId} and e.owner_id not in (select id from hidden)
      order by e.at desc, e.lead_id desc limit ${page.offset + wanted})
    select id from (select * from standing union all select * from moved) people
    order by created_at desc, id desc limit ${wanted} offset ${page.offset}`.execute(db)
  return rows.map(({ id }) => id)
}

async function countMoved(db: Reader, teamId: string, hidden: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(*)::integer as people
    from (select 1 from engager e
      where e.team_id = ${teamId} and e.owner_id in (${hidden}) limit ${mostMoved + 1}) moved`.execute(db)
  return rows[0]!.people
}
