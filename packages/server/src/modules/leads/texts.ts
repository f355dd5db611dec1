/**
 * Substring filters (specification «Leads»). Every distinct text that leads of a team carry is kept once, in `lead_text`; a filter
 * finds the texts that contain the substring, then the leads that carry one of them: a count up to 10,000 never reads a wide row.
 */
import { foldAsked } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { countryNamed, countrySpellings } from '../../platform/rules/countries.ts'

/** The filters that look for substrings, each with the column of `lead` it looks in. */
export const textColumns = {
  name: 'name',
  jobTitle: 'job_title',
  company: 'company_name',
  companyDomain: 'company_domain',
  country: 'country',
  companyIndustry: 'company_industry',
} as const

/** A substring that a column of `lead` must contain, as texts are compared (G167). */
export type TextFilter = { readonly column: (typeof textColumns)[keyof typeof textColumns]; readonly text: string }

/** The substring filters that are set. */
export function textFiltersOf(
  filter: { readonly [Name in keyof typeof textColumns]?: string | undefined },
): TextFilter[] {
  return (Object.keys(textColumns) as (keyof typeof textColumns)[]).flatMap((name) =>
    filter[name] === undefined ? [] : [{ column: textColumns[name], text: foldAsked(filter[name]) }],
  )
}

/** Text for a LIKE that contains it literally. */
export const likeText = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/**
 * What a filter on countries finds beside its substring: every spelling of the country that it names (`USA`,
 * `Deutschland`); nothing else does.
 */
function spellingsOf({ column, text }: TextFilter): string[] {
  const code = column === 'country' ? countryNamed(text) : null
  return code === null ? [] : countrySpellings(code)
}

/** A condition on the compared form of a column of a lead or text called `alias`. */
export function containsText(alias: 'l' | 'seen', filter: TextFilter): RawBuilder<unknown> {
  const column = sql.raw(`${alias}.${filter.column}_folded`)
  const contains = sql`${column} like ${likeText(filter.text)}`
  const spellings = spellingsOf(filter)
  return spellings.length === 0 ? contains : sql`(${contains} or ${column} = any(${spellings}::text[]))`
}

/** Only three letters or digits in a row are found by three-letter groups. */
const hasThreeInARow = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text)

/** The keys of the texts that contain the substring, `limit` at most; of countries also those of the one it names. */
export function matchingTexts(teamId: string, filter: TextFilter, limit: number | null): RawBuilder<unknown> {
  const { column, text } = filter
  const short = hasThreeInARow(text) ? sql`` : sql`and short_grams(folded) @> short_grams(${text})`
  const contains = sql`select key from lead_text
    where team_id = ${teamId} and field = ${column}
      and folded like ${likeText(text)} ${short} ${limit === null ? sql`` : sql`limit ${limit}`}`
  const spellings = spellingsOf(filter)
  // Their keys are computed, so that the lead's index is all that is read for them.
  return spellings.length === 0
    ? contains
    : sql`(${contains}) union select hashtextextended(spelling, 0) from unnest(${spellings}::text[]) as spelling`
}

/**
 * Leads that carry one of the texts in `matching (key)`, `ofEach` newest ones of each text: their id, instant and `more`. The limit
 * inside is also what keeps the planner from reading the whole team for it; without `more` only the index is read.
 */
export const leadsOfTexts = (
  scope: RawBuilder<unknown>,
  { column }: TextFilter,
  { ofEach, more = sql`` }: { readonly ofEach: number | null; readonly more?: RawBuilder<unknown> | undefined },
): RawBuilder<unknown> => sql`
  select c.* from matching m cross join lateral (
    select l.id, l.created_at${more} from lead l where ${scope} and ${sql.raw(`l.${column}_key`)} = m.key
    order by l.created_at desc, l.id desc ${ofEach === null ? sql`offset 0` : sql`limit ${ofEach}`}
  ) c`

/** Leads in a scope that contain a substring. */
type LeadsWithText = { readonly teamId: string; readonly scope: RawBuilder<unknown>; readonly filter: TextFilter }

/** SQL of the newest leads of each text that contains the substring, with `more`: indexes are read, and no lead. */
export const newestOfTexts = (
  { teamId, scope, filter }: LeadsWithText,
  ofEach: number,
  more?: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`with matching as materialized (${matchingTexts(teamId, filter, null)}) ${leadsOfTexts(scope, filter, { ofEach, more })}`

/** So many texts are looked up one by one for the newest leads of each. */
const fewTexts = 200

/** How many texts contain the substring and how many leads in scope carry one, as far as it was counted. */
export type TextReach = { readonly texts: number; readonly leads: number }

/** All leads in scope that contain the substring, newest first; null when there are more than `most`. */
export async function leadsWithText(
  db: Reader,
  {
    teamId,
    scope,
    filter,
    most,
    textLimit = most + 1,
  }: {
    readonly teamId: string
    readonly scope: RawBuilder<unknown>
    readonly filter: TextFilter
    readonly most: number
    readonly textLimit?: number | null | undefined
  },
): Promise<{ ids: string[] | null; reach: TextReach }> {
  const { rows } = await sql<TextReach & { ids: string[] | null }>`
    with matching as materialized (${matchingTexts(teamId, filter, textLimit)}),
      found as materialized (${leadsOfTexts(scope, filter, { ofEach: most + 1 })} limit ${most + 1}),
      reach as (select count(*)::integer as leads from found)
    select (case when leads <= ${most} then (select count(*) from matching)
        else (select count(*) from (select 1 from matching limit ${fewTexts + 1}) m) end)::integer as texts, leads,
        case when leads <= ${most} then array(select id from found order by created_at desc, id desc) end as ids
        from reach`.execute(db)
  const { ids, ...reach } = rows[0]!
  // Texts of hidden leads alone may have taken the limit.
  return ids && textLimit !== null && reach.texts >= textLimit
    ? leadsWithText(db, { teamId, scope, filter, most, textLimit: null })
    : { ids, reach }
}

/** True when the substring is in a few texts only, as countries and job titles have them. */
export const isFew = (reach: TextReach): boolean => reach.texts <= fewTexts

/**
 * The newest leads in scope that contain the substring, newest first, `needed` of them when there are so many; for
 * substrings known to be frequent.
 */
export async function newestWithText(
  db: Reader,
  { teamId, scope, filter, reach, needed }: LeadsWithText & { readonly reach: TextReach; readonly needed: number },
): Promise<string[]> {
  // Many texts are mostly found by walking the newest leads; where those have them seldom, as few texts are.
  const looks = isFew(reach) && reach.texts * needed <= 20_000 ? [] : [needed * 10 + 500, needed * 80 + 4_000]
  for (const look of looks) {
    const { rows } = await sql<{ ids: string[]; seen: number }>`
      with seen as materialized (
        select l.id, l.created_at, ${sql.raw(`l.${filter.column}_folded`)} from lead l where ${scope}
        order by l.created_at desc, l.id desc limit ${look}
      )
      select (select count(*) from seen)::integer as seen,
        array(select seen.id from seen where ${containsText('seen', filter)}
          order by seen.created_at desc, seen.id desc limit ${needed}) as ids`.execute(db)
    const { ids, seen } = rows[0]!
    if (ids.length >= needed || seen < look) return ids
  }
  const { rows } = await sql<{ id: string }>`
    select id from (${newestOfTexts({ teamId, scope, filter }, needed)}) found
    order by created_at desc, id desc limit ${needed}`.execute(db)
  return rows.map((row) => row.id)
}

/** A text that a lead carries in one of its columns. */
type Text = { readonly column: TextFilter['column']; readonly text: string | null }

/** SQL that keeps the texts of leads that are being written, each once; null when there are none. */
export function keepingTexts(teamId: string, texts: readonly Text[]): RawBuilder<unknown> | null {
  const kept = texts.filter((each) => each.text !== null)
  if (kept.length === 0) return null
  // In the order of the key, so that two units that keep the same texts do not wait for each other in a circle.
  return sql`
    insert into lead_text (team_id, field, key, folded)
    select distinct on (field, key) ${teamId}::uuid, field, key, folded
    from (select t.field, text_fold(t.text) as folded, hashtextextended(text_fold(t.text), 0) as key
      from unnest(${kept.map((each) => each.column)}::text[], ${kept.map((each) => each.text)}::text[]) as t (field,
          text)) t
    where not exists (select 1 from lead_text known
      where known.team_id = ${teamId} and known.field = t.field and known.key = t.key)
    order by field, key
    on conflict do nothing`
}

/** Keeps the texts of leads that are being written, in the unit that writes them. */
export async function keepTexts(tx: Tx, teamId: string, texts: readonly Text[]): Promise<void> {
  await keepingTexts(teamId, texts)?.execute(tx.db)
}
