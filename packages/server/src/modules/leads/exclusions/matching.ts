/**
 * The way back from entries to leads: which rows they meet, by the indexes that leads have. What a row's own facts meet is verified
 * against the facts of its person, and all rows of that person are meant, as in `verdict.ts`.
 */
import { sql, type RawBuilder } from 'kysely'
import { countryCode, countrySpellings } from '../../../platform/rules/countries.ts'
import type { Reader } from '../../../platform/db/unit-of-work.ts'
import { leadsOfAnswered } from '../results.ts'

/** Entries as SQL, a query of rows (kind, key), and the keys of the countries among them. */
export type Entries = { readonly rows: RawBuilder<unknown>; readonly countries: readonly string[] }

/** Entries by kind and key, such as those that are just being added. */
export const namedEntries = (entries: readonly { readonly kind: string; readonly key: string }[]): Entries => ({
  rows: sql`select * from unnest(${entries.map(({ kind }) => kind)}::text[], ${entries.map(({ key }) => key)}::text[])
    as e (kind, key)`,
  countries: entries.flatMap(({ kind, key }) => (kind === 'country' ? [key] : [])),
})

/** All entries of a team. */
export async function entriesOf(db: Reader, teamId: string): Promise<Entries> {
  const { rows } = await sql<{ key: string }>`
    select key from exclusion where team_id = ${teamId} and kind = 'country'`.execute(db)
  return {
    rows: sql`select kind, key from exclusion where team_id = ${teamId}`,
    countries: rows.map(({ key }) => key),
  }
}

/** SQL: every spelling of countries, with their code. */
function spellingsOf(countries: readonly string[]): RawBuilder<unknown> {
  const pairs = countries.flatMap((key) => {
    const code = countryCode(key)
    return code === null ? [] : countrySpellings(code).map((spelling) => ({ code, spelling }))
  })
  return sql`unnest(${pairs.map(({ code }) => code)}::text[], ${pairs.map(({ spelling }) => spelling)}::text[]) as c (code, spelling)`
}

/** SQL: the texts of a field in which an entry's longest word stands, found by groups of its letters. */
const textsWith = (teamId: string, field: 'job_title' | 'company_domain', part: RawBuilder<unknown>) => sql`(
      select key, folded from lead_text where team_id = ${teamId} and field = ${sql.lit(field)}
        and length(${part}) > 2 and folded like '%' || replace(${part}, '_', '\\_') || '%'
      union all select key, folded from lead_text where team_id = ${teamId} and field = ${sql.lit(field)}
        and length(${part}) <= 2 and short_grams(folded) @> short_grams(${part}))`

/**
 * SQL: lead rows that entries meet, as rows (id, person_urn). `isCurrent`: what is met is also what is known of the person now; without
 * it the answer is read off indexes, however many rows there are.
 */
function metBy(teamId: string, { rows, countries }: Entries, isCurrent: boolean): RawBuilder<unknown> {
  const current = (condition: RawBuilder<unknown>) =>
    isCurrent
      ? sql`and not exists (select 1 from person k where k.team_id = ${teamId} and k.urn = l.person_urn
          and k.enriched_at is not null and not ${condition})`
      : sql``
  const leadsWith = (condition: RawBuilder<unknown>) =>
    sql`cross join lateral (select id, person_urn, job_title, company_urn, country_code from lead
      where team_id = ${teamId} and enrichment <> 'raw' and ${condition} offset 0) l`
  const sameCompany = current(sql`k.company_urn is not distinct from l.company_urn`)
  return sql`
    with e as materialized (${rows})
    select l.id, l.person_urn from e cross join lateral (
      select e.key as urn union select urn from person where team_id = ${teamId} and handle = e.key
      union select person_urn from (select person_urn from lead where team_id = ${teamId} and handle = e.key limit 100) named
      union select same.urn from person p join person same on same.team_id = p.team_id and same.handle = p.handle
        where p.team_id = ${teamId} and p.urn = e.key) p
    ${leadsWith(sql`person_urn = p.urn`)} where e.kind = 'person'
    union all select l.id, l.person_urn from e cross join lateral (
      select 'urn:li:company:' || e.key as urn union select urn from company where slug = e.key) c
    ${leadsWith(sql`company_urn = c.urn`)} where e.kind = 'company' ${sameCompany}
    union all select l.id, l.person_urn from e
    cross join lateral ${textsWith(teamId, 'company_domain', sql`e.key`)} t
    ${leadsWith(sql`company_domain_key = t.key`)}
    where e.kind = 'domain' and (t.folded = e.key or t.folded like '%.' || replace(e.key, '_', '\\_')) ${sameCompany}
    union all select l.id, l.person_urn from e
    cross join lateral (select word from unnest(title_words(e.key)) as word order by length(word) desc limit 1) longest
    cross join lateral ${textsWith(teamId, 'job_title', sql`longest.word`)} t
    ${leadsWith(sql`job_title_key = t.key`)}
    where e.kind = 'title' and ' ' || array_to_string(title_words(t.folded), ' ') || ' ' like '% ' || e.key || ' %'
      ${current(sql`k.job_title is not distinct from l.job_title`)}
    union all select l.id, l.person_urn from ${spellingsOf(countries)}
    ${leadsWith(sql`country_key = hashtextextended(c.spelling, 0)`)}
    where true ${current(sql`k.country_code is not distinct from l.country_code`)}`
}

/** Rows of a lead's table that are looked at one by one at most; of more, how many there are is counted by their own facts. */
const maxVerified = 10_000

/** SQL: all rows of the people whom entries meet, as rows (id, created_at). */
const rowsOfPeople = (teamId: string, entries: Entries): RawBuilder<unknown> => sql`
  with met as materialized (select distinct person_urn from (${metBy(teamId, entries, true)}) m)
  select l.id, l.created_at from met cross join lateral (select id, created_at from lead
    where team_id = ${teamId} and person_urn = met.person_urn and enrichment <> 'raw' offset 0) l`

async function areMany(db: Reader, teamId: string, entries: Entries): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select 1 from (${metBy(teamId, entries, false)}) m limit ${maxVerified + 1}) few`.execute(
    db,
  )
  return rows[0]!.count > maxVerified
}

/** How many lead rows entries meet, and the newest of them, at most `sample`. */
export async function matchLeads(
  db: Reader,
  { teamId, entries, sample }: { readonly teamId: string; readonly entries: Entries; readonly sample: number },
): Promise<{ matching: number; sampleIds: string[] }> {
  const met = (await areMany(db, teamId, entries))
    ? sql`select l.id, l.created_at from (select distinct id from (${metBy(teamId, entries, false)}) m) m
        join lead l on l.team_id = ${teamId} and l.id = m.id`
    : rowsOfPeople(teamId, entries)
  const { rows } = await sql<{ matching: number; ids: string[] }>`
    with met as materialized (${met})
    select (select count(*) from met)::integer as matching,
      array(select id from met order by created_at desc, id desc limit ${sample}) as ids`.execute(db)
  return { matching: rows[0]!.matching, sampleIds: rows[0]!.ids }
}

/**
 * Rows that may be excluded, of whom a list shows the excluded ones: all rows of people whom entries meet, those that work at their
 * source, and all rows of people who have replied; null when there are more than 10,000.
 */
export async function mayBeExcluded(db: Reader, teamId: string): Promise<string[] | null> {
  const entries = await entriesOf(db, teamId)
  if (await areMany(db, teamId, entries)) return null
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id from (${rowsOfPeople(teamId, entries)}) met
      union select id from (${worksAtSource(teamId)}) works
      union select id from (${leadsOfAnswered(teamId)}) answered
    ) found limit ${maxVerified + 1}`.execute(db)
  return rows.length > maxVerified ? null : rows.map(({ id }) => id)
}

/** SQL: rows whose facts are those of who works at their source, where that excludes. */
const worksAtSource = (teamId: string) => sql`
  select l.id from exclusion_settings x
  join source s on s.team_id = x.team_id and s.type in ('person', 'company')
  cross join lateral (select case s.type when 'company' then s.network_urn
    else coalesce((select company_urn from person where team_id = x.team_id and urn = s.network_urn limit 1),
      (select company_urn from person where team_id = x.team_id and handle = s.username
        order by enriched_at desc nulls last limit 1)) end as urn) t
  cross join lateral (select case when t.urn is not null then (select domain from company where urn = t.urn limit 1)
    else (select domain from company where slug = s.username order by fetched_at desc limit 1) end as domain) at
  cross join lateral (
    select id from lead where team_id = x.team_id and owner_id = s.id and enrichment <> 'raw'
      and (company_urn = t.urn or company_domain = at.domain) limit ${maxVerified + 1}) l
  where x.team_id = ${teamId} and x.works_at_source`
