/**
 * Substring filters of lists: every distinct text that leads of a team carry, once, and an index of leads by each of them. The
 * texts are searched instead of the leads, which carry no text index any more. `hashtextextended` is what hash partitions are laid
 * out by, so it stays the same from version to version.
 */

const fields = ['name', 'job_title', 'company_name', 'company_domain', 'country', 'company_industry']

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `drop index lead_text`,
  // Texts have no limit and index keys do: leads are looked up by 64 bits of a text.
  `alter table lead
    ${fields.map((field) => `add column ${field}_key bigint generated always as (hashtextextended(lower(${field}), 0)) stored`).join(',\n    ')}`,
  ...fields.map(
    (field) =>
      `create index lead_by_${field} on lead (team_id, ${field}_key, created_at desc, id desc) include (owner_id, person_urn) where enrichment <> 'raw' and ${field}_key is not null`,
  ),
  // The single characters and the pairs in a text: what three-letter groups cannot find.
  `create function short_grams(text) returns text[] language sql immutable strict parallel safe as $$
    with chars as (select c as first, lead(c) over (order by n) as next from unnest(string_to_array($1, null)) with ordinality as t (c, n))
    select array(select first from chars union select first || next from chars where next is not null)
  $$`,
  `create table lead_text (
    team_id uuid not null references team,
    field text not null check (field in (${fields.map((field) => `'${field}'`).join(', ')})),
    key bigint not null,
    folded text not null,
    primary key (team_id, field, key)
  )`,
  ...fields.map(
    (field) => `insert into lead_text (team_id, field, key, folded)
    select distinct on (team_id, ${field}_key) team_id, '${field}', ${field}_key, ${field}_folded from lead where ${field}_key is not null and enrichment <> 'raw'`,
  ),
  `create index lead_text_long on lead_text using gin (team_id, field, folded gin_trgm_ops)`,
  `create index lead_text_short on lead_text using gin (team_id, field, short_grams(folded))`,
]
