/** Finds the leads that entries match, by indexes. A match is checked against the person's facts and holds for all their rows. */
import { maxTitleWords } from '@les/contract'
import { sql, type RawBuilder } from 'kysely'
import { countryCode, countrySpellings } from '../../../platform/rules/countries.ts'
import { queryAll, queryExists, queryValue } from '../../../platform/db/query.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { leadsOfAnswered } from '../results.ts'
import { companyOfSource, isExcluded, isSecondId, personOf } from './verdict.ts'

/** Entries as SQL (a query of rows (kind, key)), the keys of their countries, and whether there are more than `few`. */
export type Entries = {
  readonly rows: RawBuilder<unknown>
  readonly countries: readonly string[]
  readonly areMany: boolean
}

/** Up to so many entries are looked up in the texts of leads one by one; for more, all texts are read once. */
const few = 30

/** Entries by kind and key, such as those being added. */
export const namedEntries = (entries: readonly { readonly kind: string; readonly key: string }[]): Entries => ({
  rows: sql`select * from unnest(${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ key }) => key)}::text[])
    as e (kind, key)`,
  countries: entries.flatMap(({ kind, key }) => (kind === 'country' ? [key] : [])),
  areMany: entries.length > few,
})

/** All entries of a team. */
export async function entriesOf(db: Reader, teamId: string): Promise<Entries> {
  const { rows } = await sql<{ key: string }>`
    select key from exclusion where team_id = ${teamId} and kind = 'country'`.execute(db)
  return {
    rows: sql`select kind, key from exclusion where team_id = ${teamId}
      union select kind, value from exclusion where team_id = ${teamId} and kind in ('person', 'company')`,
    countries: rows.map(({ key }) => key),
    areMany: true,
  }
}

/** SQL: every spelling of the countries, as rows `c` (code, spelling). */
function spellingsOf(countries: readonly string[]): RawBuilder<unknown> {
  const pairs = countries.flatMap((key) => {
    const code = countryCode(key)
    return code === null ? [] : countrySpellings(code).map((spelling) => ({ code, spelling }))
  })
  return sql`unnest(${pairs.map(({ code }) => code)}::text[], ${pairs.map(({ spelling }) => spelling)}::text[]) as c (code, spelling)`
}

/** SQL: the texts of a field that contain `part`, found by trigrams, or by shorter groups for one or two letters. */
const textsWith = (teamId: string, field: 'job_title' | 'company_domain', part: RawBuilder<unknown>) => sql`(
      select key, folded from lead_text where team_id = ${teamId} and field = ${sql.lit(field)}
        and length(${part}) > 2 and folded like '%' || replace(${part}, '_', '\\_') || '%'
      union all select key, folded from lead_text where team_id = ${teamId} and field = ${sql.lit(field)}
        and length(${part}) <= 2 and short_grams(folded) @> short_grams(${part}))`

/** SQL: domains of leads that are an entry's domain or below it, as rows `t` (key), one look-up per entry. */
const domainsWith = (
  teamId: string,
) => sql`(select distinct t.key from e cross join lateral ${textsWith(teamId, 'company_domain', sql`e.key`)} t
      where e.kind = 'domain' and (t.folded = e.key or t.folded like '%.' || replace(e.key, '_', '\\_'))) t`

/** SQL: titles of leads that contain an entry's title as whole words, as rows `t` (key), one look-up per entry. */
const titlesWith = (teamId: string) => sql`(select distinct t.key from e
      cross join lateral (select word from unnest(title_words(e.key)) as word order by length(word) desc limit 1) longest
      cross join lateral ${textsWith(teamId, 'job_title', sql`longest.word`)} t
      where e.kind = 'title' and ' ' || array_to_string(title_words(t.folded), ' ') || ' ' like '% ' || e.key || ' %') t`

/** SQL: as `domainsWith`, by reading all domains of leads once. */
const domainsByScan = (teamId: string) => sql`(select distinct t.key from lead_text t
      cross join lateral (select array_to_string(labels[first:], '.') as domain
        from string_to_array(t.folded, '.') as labels, generate_series(1, cardinality(labels) - 1) as first) d
      join e on e.kind = 'domain' and e.key = d.domain
      where t.team_id = ${teamId} and t.field = 'company_domain') t`

/** SQL: as `titlesWith`, by reading all titles of leads once. */
const titlesByScan = (teamId: string) => sql`(select distinct t.key from lead_text t
      cross join lateral (select array_to_string(words[first:last], ' ') as title
        from title_words(t.folded) as words, generate_series(1, cardinality(words)) as first,
          generate_series(first, least(first + ${sql.lit(maxTitleWords - 1)}, cardinality(words))) as last) runs
      join e on e.kind = 'title' and e.key = runs.title
      where t.team_id = ${teamId} and t.field = 'job_title' and exists (select 1 from e where kind = 'title')) t`

/**
 * SQL: lead rows that entries match, as rows (id, created_at, person_urn). `isCurrent`: only where the matching fact is also the
 * person's present one. Without it there is no `person_urn`, and indexes alone answer, which suits any number of rows.
 */
function matchingRows(teamId: string, { rows, countries, areMany }: Entries, isCurrent: boolean): RawBuilder<unknown> {
  const current = (condition: RawBuilder<unknown>) =>
    isCurrent
      ? sql`and not exists (select 1 from (${personOf(teamId)}) k where k.enriched_at is not null and not ${condition})`
      : sql``
  const leadsWith = (condition: RawBuilder<unknown>) =>
    sql`cross join lateral (select id, created_at ${facts} from lead
      where team_id = ${teamId} and enrichment <> 'raw' and ${condition} offset 0) l`
  const facts = isCurrent ? sql`, person_urn, job_title, company_urn, country_code` : sql``
  const found = isCurrent ? sql`l.id, l.created_at, l.person_urn` : sql`l.id, l.created_at`
  const [domains, titles] = areMany
    ? [domainsByScan(teamId), titlesByScan(teamId)]
    : [domainsWith(teamId), titlesWith(teamId)]
  const sameCompany = current(sql`k.company_urn is not distinct from l.company_urn`)
  return sql`
    with e as materialized (${rows})
    select ${found} from e cross join lateral (
      select e.key as urn union select urn from person where team_id = ${teamId} and handle = e.key
      union select person_urn from (select person_urn from lead where team_id = ${teamId} and handle = e.key limit 100) named
      union select same.urn from person p join person same on same.team_id = p.team_id and same.handle = p.handle
        where p.team_id = ${teamId} and p.urn = e.key) p
    ${leadsWith(sql`person_urn = p.urn`)} where e.kind = 'person'
    union all select ${found} from e cross join lateral (
      select 'urn:li:company:' || e.key as urn union select urn from company where slug = e.key) c
    ${leadsWith(sql`company_urn = c.urn`)} where e.kind = 'company' ${sameCompany}
    union all select ${found} from e cross join lateral (select urn from company
      where reverse(domain) collate "C" >= reverse(e.key) and reverse(domain) collate "C" < reverse(e.key) || '/'
        and '.' || domain like '%.' || replace(e.key, '_', '\\_')) c
    ${leadsWith(sql`company_urn = c.urn`)} where e.kind = 'domain' ${sameCompany}
    union all select ${found} from ${domains}
    ${leadsWith(sql`company_domain_key = t.key`)} where true ${sameCompany}
    union all select ${found} from ${titles}
    ${leadsWith(sql`job_title_key = t.key`)} where true ${current(sql`k.job_title is not distinct from l.job_title`)}
    union all select ${found} from ${spellingsOf(countries)}
    ${leadsWith(sql`country_key = hashtextextended(c.spelling, 0)`)}
    where true ${current(sql`k.country_code is not distinct from l.country_code`)}`
}

/** Above so many matching rows they are counted by their own facts, without a look at the person of each. */
const maxVerified = 10_000

/** SQL: all rows of the people whom entries match, as rows (id, created_at). */
const rowsOfPeople = (teamId: string, entries: Entries): RawBuilder<unknown> => sql`
  with named as materialized (select distinct person_urn from (${matchingRows(teamId, entries, true)}) m limit ${maxListed + 1}),
    met as (
      select person_urn from named
      union select other.urn from named join person own on own.team_id = ${teamId} and own.urn = named.person_urn
        join person other on other.team_id = ${teamId} and ${isSecondId})
  select l.id, l.created_at from met cross join lateral (select id, created_at from lead
    where team_id = ${teamId} and person_urn = met.person_urn and enrichment <> 'raw' offset 0) l`

async function exceedsVerifiable(db: Reader, teamId: string, entries: Entries): Promise<boolean> {
  const count = (await queryValue<number>(db)`
    select count(*)::integer as count from (select 1 from (${matchingRows(teamId, entries, false)}) m limit ${maxVerified + 1}) few`)!
  return count > maxVerified
}

/** How many lead rows the entries match, and the ids of the newest `sample` of them. */
export async function matchLeads(
  db: Reader,
  { teamId, entries, sample }: { teamId: string; entries: Entries; sample: number },
): Promise<{ matching: number; sampleIds: string[] }> {
  const met = (await exceedsVerifiable(db, teamId, entries))
    ? sql`select distinct id, created_at from (${matchingRows(teamId, entries, false)}) m`
    : rowsOfPeople(teamId, entries)
  const { rows } = await sql<{ matching: number; ids: string[] }>`
    with met as materialized (${met})
    select (select count(*) from met)::integer as matching,
      array(select id from met order by created_at desc, id desc limit ${sample}) as ids`.execute(db)
  return { matching: rows[0]!.matching, sampleIds: rows[0]!.ids }
}

/**
 * Whether anything since `since` may exclude an older lead: an entry that matches one, a result, changed settings, or a look-up of
 * the person or their employer.
 */
export async function areExcludedSince(db: Reader, teamId: string, since: Date): Promise<boolean> {
  const isChanged = await queryExists(db)`
    select 1 from exclusion_settings where team_id = ${teamId} and changed_at > ${since}
    union all select 1 from result where team_id = ${teamId} and recorded_at > ${since} and outcome in ('replied', 'won')
      and coalesce((select replied_elsewhere from exclusion_settings where team_id = ${teamId}), true) limit 1`
  if (isChanged) return true
  const added = await queryAll<{ kind: string; key: string }>(db)`
    select kind, unnest(array[key, value]) as key from exclusion where team_id = ${teamId} and created_at > ${since}`
  const isListed =
    added.length > 0 &&
    (await queryExists(db)`
      select 1 from (${rowsOfPeople(teamId, namedEntries(added))}) m where m.created_at <= ${since} limit 1`)
  return isListed || isExcludedByLookUp(db, teamId, since)
}

/** Whether somebody is excluded whose facts, or their employer's, were looked up since `since`, and were known before. */
const isExcludedByLookUp = (db: Reader, teamId: string, since: Date): Promise<boolean> =>
  queryExists(db)`
    select 1 from (
      select l.* from person p join lead l on l.team_id = p.team_id and l.person_urn = p.urn
        where p.team_id = ${teamId} and p.enriched_at > ${since}
      union all select l.* from company c join lead l on l.team_id = ${teamId} and l.company_urn = c.urn
        where c.fetched_at > ${since}) l
    where l.enriched_at <= ${since} and ${isExcluded(teamId)} limit 1`

/** `mayBeExcluded` lists at most so many rows. */
const maxListed = 20_000

/** Ids of rows that entries, `works_at_source` or results may exclude; a list judges each. Null when there are over 20,000. */
export async function mayBeExcluded(db: Reader, teamId: string): Promise<string[] | null> {
  const entries = await entriesOf(db, teamId)
  const { rows } = await sql<{ id: string }>`
    select id from (
      (select id from (${rowsOfPeople(teamId, entries)}) met limit ${maxListed + 1})
      union select id from (${worksAtSource(teamId)}) works
      union select id from (${leadsOfAnswered(teamId)}) answered
    ) found limit ${maxListed + 1}`.execute(db)
  return rows.length > maxListed ? null : rows.map(({ id }) => id)
}

/** SQL: rows of people who work at the row's source, by the facts of any of their rows; none unless the team excludes by that. */
const worksAtSource = (teamId: string) => sql`
  select l.id from exclusion_settings x
  join source s on s.team_id = x.team_id and s.type in ('person', 'company')
  cross join lateral (select ${companyOfSource(teamId)} as urn) t
  cross join lateral (select (select domain from company where urn = t.urn limit 1) as domain offset 0) at
  cross join lateral (
    (select id from lead where team_id = x.team_id and owner_id = s.id and enrichment <> 'raw'
      and (company_urn = t.urn or ((t.urn is null or company_urn is null) and company_domain = at.domain)) limit ${maxListed + 1})
    union select own.id from (select distinct person_urn from lead where team_id = x.team_id and company_urn = t.urn) works
      join lead own on own.team_id = x.team_id and own.person_urn = works.person_urn and own.owner_id = s.id and own.enrichment <> 'raw'
    limit ${maxListed + 1}) l
  where x.team_id = ${teamId} and x.works_at_source`
