/** Facts about companies, shared by the teams of a shard. */
export const companies = `
create table company (
  urn text primary key, found boolean not null, slug text, name text, linkedin_url text, website text, domain text,
  industry text, employee_count integer, staff_range text, headquarters text, description text,
  founded_year integer, follower_count integer, specialties jsonb not null default '[]'::jsonb, logo_url text,
  cover_url text, fetched_at timestamptz not null,
  industry_id text
);
create index company_slug on company (slug);
-- Backwards, so that the hosts below a domain stand side by side.
create index company_domain on company (reverse(domain) collate "C");

create unlogged table company_lookup (
  urn text primary key, owner uuid not null,
  until_ms bigint not null
);
`
