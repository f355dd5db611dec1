/**
 * Countries are kept by their ISO 3166-1 alpha-2 code and shown by one name (G149): leads get the code, and what vendors had called
 * a country becomes its name, row by row in batches after the schema has changed. A place that is no country's name stays as it is.
 */
import { countrySpellings } from './0025-country-spellings.ts'

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `alter table lead add column country_code text`,
  // How far a change of rows has come that is too long for one transaction.
  `create table data_migration (
    name text primary key,
    place jsonb not null,
    finished boolean not null
  )`,
]

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Every spelling in lower case with its country's code and name. */
const spelled = Object.entries(countrySpellings)
  .flatMap(([code, spellings]) => {
    const [shown, ...others] = spellings.split('|')
    return [shown!.toLowerCase(), ...others].map((name) => `(${[name, code, shown!].map(literal).join(', ')})`)
  })
  .join(', ')

/** Changes the next rows of a table in the order of its key; answers whether it was the end. */
const countriesOf = (table: 'lead' | 'person', key: string, type: string, after: string) => (name: string) =>
  `
  with reached as (select coalesce((place->>'team')::uuid, '00000000-0000-0000-0000-000000000000') as team, coalesce(place->>'key', ${literal(after)})::${type} as key
      from data_migration where name = ${literal(name)} for update),
    batch as materialized (select r.team_id, r.${key}, lower(r.country) as spelled from reached cross join lateral (
      select team_id, ${key}, country from ${table} where (team_id, ${key}) > (reached.team, reached.key) order by team_id, ${key} limit 10000) r),
    spelling (spelled, code, shown) as (values ${spelled}),
    named as (
      update ${table} set country = spelling.shown, country_code = spelling.code from batch join spelling on spelling.spelled = batch.spelled
      where ${table}.team_id = batch.team_id and ${table}.${key} = batch.${key}
        and (${table}.country, coalesce(${table}.country_code, '')) <> (spelling.shown, spelling.code)
      returning ${table}.team_id, spelling.shown),
    texts as (
      insert into lead_text (team_id, field, key, folded)
      select distinct team_id, 'country', hashtextextended(lower(shown), 0), lower(shown) from named order by 1, 2, 3
      on conflict do nothing),
    last as (select team_id, ${key} as key from batch order by team_id desc, ${key} desc limit 1)
  update data_migration set finished = not exists (select from last),
    place = coalesce((select jsonb_build_object('team', team_id, 'key', key) from last), place)
  where name = ${literal(name)} returning finished`

/** What changes rows; each is run again and again, a transaction each time, until it answers that it has finished. */
export const batches: Readonly<Record<string, (name: string) => string>> = {
  'countries-of-leads': countriesOf('lead', 'id', 'uuid', '00000000-0000-0000-0000-000000000000'),
  'countries-of-people': countriesOf('person', 'urn', 'text', ''),
}
