/** Pages far down a list that a frequent substring chooses: what lies before them is skipped inside the database. */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { Page } from './deep-pages.ts'
import { containsText, isFew, matchingTexts, newestOfTexts, type TextFilter, type TextReach } from './texts.ts'

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
 * their index, which reads no lead and no more entries than the page lies deep; those of many are walked, newest first, as far
 * as that is near, and else found by their texts, again in an index alone.
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
  const ofTexts = newestOfTexts(list, most, sql`, l.person_urn`)
  const share = await shareOfNewest(db, list)
  const bound = Math.ceil((most * 1.25) / share) + 500
  // Further down it may be rarer than among the newest.
  return share >= frequentShare || bound <= mostWalked ? [walked(list, bound), ofTexts] : [ofTexts]
}

/** What so large a part of the newest leads has is in most of all texts: walking leads is sooner done than looking those up. */
const frequentShare = 0.3
/** Else so many leads at most are walked. */
const mostWalked = 150_000
/** So many of the newest leads are asked. */
const sampled = 1_000

/** Which part of the newest leads has the substring, from 0 to 1. */
async function shareOfNewest(db: Reader, list: ListWithText): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*)::integer as found from (${walked(list, sampled)}) found`.execute(db)
  return rows[0]!.found / sampled
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
 * Walks so many of the newest leads, as the index gives them; the page ends it early. The bound is what keeps the planner from
 * sorting all leads of the team instead.
 */
const walked = ({ scope, filter }: ListWithText, most: number): RawBuilder<unknown> => sql`
  select seen.id, seen.created_at, seen.person_urn from (
    select l.id, l.created_at, l.person_urn, ${sql.raw(`l.${filter.column}_folded`)} from lead l where ${scope}
    order by l.created_at desc, l.id desc limit ${most}
  ) seen where ${containsText('seen', filter)}`
