/** Pages far down a list that a frequent substring chooses: what lies before them is skipped inside the database. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Page } from './deep-pages.ts'
import { containsText, isFew, matchingTexts, type TextFilter, type TextReach } from './texts.ts'

/** A list of leads `l` in a scope that one substring narrows; `reach`: how many texts have it, as the index told. */
export type ListWithText = {
  readonly teamId: string
  readonly scope: RawBuilder<unknown>
  readonly filter: TextFilter
  readonly reach: TextReach
}

/** So many texts at most are merged: each is a branch of its own in the statement. */
const mostMerged = 20

/**
 * The leads of such a page in scope, newest first, one more than `limit` when there are more. The leads of a few texts are merged from
 * their index, which reads no lead and no more entries than the page lies deep; else the leads are walked, newest first.
 */
export async function idsWithTextFarDown(db: Reader, list: ListWithText, page: Page): Promise<string[]> {
  const wanted = page.limit + 1
  let ids: string[] = []
  for (const found of await newestWithTextFarDown(db, list, page.offset + wanted)) {
    const { rows } = await sql<{ id: string }>`
      select id from (${found}) found order by created_at desc, id desc limit ${wanted} offset ${page.offset}`.execute(
      db,
    )
    ids = rows.map(({ id }) => id)
    if (ids.length === wanted) break
  }
  return ids
}

/**
 * SQL of the leads of such a list, each with its id, instant and person: statements to try one after the other while they give fewer
 * than the `most` newest; the last has them, or all there are.
 */
export async function newestWithTextFarDown(
  db: Reader,
  list: ListWithText,
  most: number,
): Promise<RawBuilder<unknown>[]> {
  const keys = isFew(list.reach) ? await readKeys(db, list) : null
  if (keys?.length === 0) return []
  if (keys && keys.length <= mostMerged) return [merged(list, keys, most)]
  const held = await readHeld(db, list.teamId)
  const bounds = [most * 2 + 500, most * 8 + 500].filter((bound) => bound < held)
  return [...bounds, null].map((bound) => walked(list, bound))
}

/** How many leads the team has, as far as that is kept: a walk over as many is one over all. */
async function readHeld(db: Reader, teamId: string): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    select coalesce(sum(lead_rows), 0)::bigint as held from lead_count where team_id = ${teamId}`.execute(db)
  return rows[0]!.held
}

/** The keys of the texts, as text: they have more digits than a number of JavaScript holds. */
async function readKeys(db: Reader, { teamId, filter }: ListWithText): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    select key::text as key from (${matchingTexts(teamId, filter, null)}) matching (key)`.execute(db)
  return rows.map(({ key }) => key)
}

function merged({ scope, filter }: ListWithText, keys: readonly string[], most: number): RawBuilder<unknown> {
  const branches = keys.map(
    (key) => sql`
    (select l.id, l.created_at, l.person_urn from lead l
      where ${scope} and ${sql.raw(`l.${filter.column}_key`)} = ${key}::bigint
    order by l.created_at desc, l.id desc limit ${most})`,
  )
  return sql.join(branches, sql` union all `)
}

/**
 * Walks so many of the newest leads at most, as the index gives them; the page ends it early. The bound is what keeps the planner from
 * sorting all leads of the team instead.
 */
const walked = ({ scope, filter }: ListWithText, most: number | null): RawBuilder<unknown> => sql`
  select seen.id, seen.created_at, seen.person_urn from (
    select l.id, l.created_at, l.person_urn, ${sql.raw(`l.${filter.column}_folded`)} from lead l where ${scope}
    order by l.created_at desc, l.id desc ${most === null ? sql`offset 0` : sql`limit ${most}`}
  ) seen where ${containsText('seen', filter)}`
