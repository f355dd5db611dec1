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
  const keys = isFew(list.reach) ? await readKeys(db, list) : null
  if (keys?.length === 0) return []
  const read = async (found: RawBuilder<unknown>) => {
    const { rows } = await sql<{ id: string }>`
      select id from (${found}) found order by created_at desc, id desc limit ${wanted} offset ${page.offset}`.execute(
      db,
    )
    return rows.map(({ id }) => id)
  }
  if (keys && keys.length <= mostMerged) return read(merged(list, keys, page))
  const needed = page.offset + wanted
  for (const most of [needed * 2 + 500, needed * 8 + 500]) {
    const ids = await read(walked(list, most))
    if (ids.length === wanted) return ids
  }
  return read(walked(list, null))
}

/** The keys of the texts, as text: they have more digits than a number of JavaScript holds. */
async function readKeys(db: Reader, { teamId, filter }: ListWithText): Promise<readonly string[]> {
  const { rows } = await sql<{ key: string }>`
    select key::text as key from (${matchingTexts(teamId, filter, null)}) matching (key)`.execute(db)
  return rows.map(({ key }) => key)
}

function merged({ scope, filter }: ListWithText, keys: readonly string[], page: Page): RawBuilder<unknown> {
  const most = page.offset + page.limit + 1
  const branches = keys.map(
    (key) => sql`
    (select l.id, l.created_at from lead l where ${scope} and ${sql.raw(`l.${filter.column}_key`)} = ${key}::bigint
    order by l.created_at desc, l.id desc limit ${most})`,
  )
  return sql.join(branches, sql` union all `)
}

/**
 * Walks so many of the newest leads at most, as the index gives them; the page ends it early. The bound is what keeps the planner from
 * sorting all leads of the team instead.
 */
const walked = ({ scope, filter }: ListWithText, most: number | null): RawBuilder<unknown> => sql`
  select seen.id, seen.created_at from (
    select l.id, l.created_at, ${sql.raw(`l.${filter.column}_folded`)} from lead l where ${scope}
    order by l.created_at desc, l.id desc ${most === null ? sql`offset 0` : sql`limit ${most}`}
  ) seen where ${containsText('seen', filter)}`
