/** Facts about people and posts, and vendor pages that are cached for a while. */
export const network = `
create table person (
  team_id uuid not null references team, id uuid not null, urn text not null, handle text, name text, headline text,
  linkedin_url text not null, avatar_url text, job_title text, country text, country_code text, company_urn text,
  company_name text, enriched_at timestamptz,
  primary key (team_id, urn),
  constraint person_id unique (team_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02,
  autovacuum_vacuum_cost_limit = 2000);
create index person_handle on person (team_id, handle) where handle is not null;

create table post (
  team_id uuid not null references team, urn text not null, url text not null, text text, author_kind text not null,
  author_urn text, author_name text, author_url text, author_headline text, posted_at timestamptz,
  content_type text, total_reaction_count integer, comments_count integer, first_seen_at timestamptz not null,
  primary key (team_id, urn)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index post_newest on post (team_id, first_seen_at desc, urn desc);
create index post_first_seen on post (team_id, first_seen_at, urn);

create unlogged table vendor_page (
  team_id uuid not null, kind text not null check (kind in ('posts', 'reactions', 'comments')),
  subject text not null, provider text not null, number integer not null, items jsonb not null,
  replies jsonb not null, next jsonb, total integer, fetched_at timestamptz not null,
  primary key (team_id, kind, subject, provider, number)
);
create index vendor_page_age on vendor_page (fetched_at);

create unlogged table engagement_ticket (
  team_id uuid not null, number bigint not null, until_ms bigint not null,
  primary key (team_id, number)
);
`
