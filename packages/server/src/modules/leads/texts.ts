/**
 * Substring filters. Each distinct text of a team's leads is stored once in `lead_text`; a filter finds the matching texts, then
 * the leads that carry them, so that counting up to 10,000 never reads a wide row.
 */
import { foldAsked } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { likeText } from '../../platform/db/like-text.ts'
import { countAffected, queryOne } from '../../platform/db/query.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { countryNamed, countrySpellings } from '../../platform/rules/countries.ts'

const textColumns = {
  name: 'name',
  jobTitle: 'job_title',
  company: 'company_name',
  companyDomain: 'company_domain',
  country: 'country',
  companyIndustry: 'company_industry',
} as const

export type TextFilters = { readonly [Name in keyof typeof textColumns]?: string | undefined }

/** A folded substring that a column of `lead` must contain (G167). */
type TextFilter = { readonly column: (typeof textColumns)[keyof typeof textColumns]; readonly text: string }

/** The substring filters that are set. */
export function textFiltersOf(filter: TextFilters): TextFilter[] {
  return (Object.keys(textColumns) as (keyof typeof textColumns)[]).flatMap((name) =>
    filter[name] === undefined ? [] : [{ column: textColumns[name], text: foldAsked(filter[name]) }],
  )
}

/** All spellings of the country a filter names (`USA`, `Deutschland`), found besides the substring; empty for other filters. */
function spellingsOf({ column, text }: TextFilter): string[] {
  const code = column === 'country' ? countryNamed(text) : null
  return code === null ? [] : countrySpellings(code)
}

/** A condition on the folded text of a column of `lead l`. */
export function containsText(filter: TextFilter): RawBuilder<unknown> {
  const column = sql.raw(`l.${filter.column}_folded`)
  const contains = sql`${column} like ${likeText(filter.text)}`
  const spellings = spellingsOf(filter)
  return spellings.length === 0 ? contains : sql`(${contains} or ${column} = any(${spellings}::text[]))`
}

/** Trigrams need three letters or digits in a row; shorter texts use `short_grams`. */
const hasThreeInARow = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text)

/** SQL: the keys of texts that contain the substring, at most `limit`, and of all spellings of a named country. */
function matchingTexts(teamId: string, filter: TextFilter, limit: number | null): RawBuilder<unknown> {
  const { column, text } = filter
  const short = hasThreeInARow(text) ? sql`` : sql`and short_grams(folded) @> short_grams(${text})`
  const contains = sql`select key from lead_text
    where team_id = ${teamId} and field = ${column}
      and folded like ${likeText(text)} ${short} ${limit === null ? sql`` : sql`limit ${limit}`}`
  const spellings = spellingsOf(filter)
  // The spellings' keys are computed, so that only the index of leads is read for them.
  return spellings.length === 0
    ? contains
    : sql`(${contains}) union select hashtextextended(spelling, 0) from unnest(${spellings}::text[]) as spelling`
}

/** All leads in scope that contain the substring, newest first; null when there are more than `max`. */
export async function leadsWithText(
  db: Reader,
  asked: {
    readonly teamId: string
    readonly scope: RawBuilder<unknown>
    readonly filter: TextFilter
    readonly max: number
  },
): Promise<string[] | null> {
  const { teamId, scope, filter, max } = asked
  // With the limit on texts, the planner does not read the whole team; without it when it was reached, so that all are read.
  for (const textLimit of [max + 1, null]) {
    const { ids, texts } = (await queryOne<{ texts: number; ids: string[] | null }>(db)`
      with matching as materialized (${matchingTexts(teamId, filter, textLimit)}),
        found as materialized (
          select of_text.id, of_text.created_at from matching m cross join lateral (
            select l.id, l.created_at from lead l where ${scope} and ${sql.raw(`l.${filter.column}_key`)} = m.key
            limit ${max + 1}) of_text
          limit ${max + 1})
      select (select count(*) from matching)::integer as texts,
        case when (select count(*) from found) <= ${max}
          then array(select id from found order by created_at desc, id desc) end as ids`)!
    if (ids === null || textLimit === null || texts < textLimit) return ids
  }
  return null
}

/** The texts of a lead, by column. */
type Texts = { readonly [Column in TextFilter['column']]?: string | null }

/** SQL that stores the texts of leads being written; null when there are none. */
export function storeTextsSql(teamId: string, texts: readonly Texts[]): RawBuilder<unknown> | null {
  const kept = texts.flatMap((of) => Object.entries(of)).filter(([, text]) => text !== null)
  if (kept.length === 0) return null
  // In key order, so that two units storing the same texts do not deadlock.
  return sql`
    insert into lead_text (team_id, field, key, folded)
    select distinct on (field, key) ${teamId}::uuid, field, key, folded
    from (select t.field, text_fold(t.text) as folded, hashtextextended(text_fold(t.text), 0) as key
      from unnest(${kept.map(([column]) => column)}::text[], ${kept.map(([, text]) => text)}::text[]) as t (field,
          text)) t
    where not exists (select 1 from lead_text known
      where known.team_id = ${teamId} and known.field = t.field and known.key = t.key)
    order by field, key
    on conflict do nothing`
}

/** Stores the texts of leads, in the unit of work that writes the leads. */
export async function storeTexts(tx: Tx, teamId: string, texts: readonly Texts[]): Promise<void> {
  await storeTextsSql(teamId, texts)?.execute(tx.db)
}

/** Replaces texts of titles and companies once leads have someone's name erased from them; `named` is a PostgreSQL regex. */
export async function renewTexts(tx: Tx, teamId: string, { named }: { readonly named: string }): Promise<void> {
  let gone = 0
  for (const field of ['job_title', 'company_name']) {
    gone += await countAffected(tx.db)`
      delete from lead_text t where t.team_id = ${teamId} and t.field = ${field} and t.folded ~ ${named}
        and not exists (select 1 from lead l
          where l.team_id = ${teamId} and ${sql.raw(`l.${field}_key`)} = t.key and l.enrichment <> 'raw')`
  }
  if (gone === 0) return
  await sql`
    insert into lead_text (team_id, field, key, folded)
    select distinct l.team_id, t.field, t.key, t.folded from lead l cross join lateral (values
      ('job_title', l.job_title_key, l.job_title_folded), ('company_name', l.company_name_key, l.company_name_folded)) as t (field, key, folded)
    where l.team_id = ${teamId} and l.enrichment <> 'raw' and t.folded like '%[erased]%'
    order by t.field, t.key on conflict do nothing`.execute(tx.db)
}

/**
 * Deletes names that no lead carries. A lead's name can change when the profile is looked up, and the text of the old one stays,
 * with nothing left to say whose it was.
 */
export async function deleteUnusedNames(tx: Tx, teamId: string): Promise<void> {
  await sql`
    delete from lead_text t where t.team_id = ${teamId} and t.field = 'name'
      and not exists (select 1 from lead l
        where l.team_id = ${teamId} and l.name_key = t.key and l.enrichment <> 'raw')`.execute(tx.db)
}
