/** One row per engagement, with what lists need. */

/** Texts that lists filter by. */
const textColumns = ['name', 'job_title', 'company_name', 'company_domain', 'country', 'company_industry']
const folded = (column: string) => `${column}_folded text generated always as (text_fold(${column})) stored`
const key = (column: string) =>
  `${column}_key bigint generated always as (hashtextextended(text_fold(${column}), 0)) stored`
const listedBy = (column: string) =>
  `create index lead_listed_by_${column} on lead (team_id, ${column}_key, created_at desc, id desc, owner_id)
  where enrichment <> 'raw' and ${column}_key is not null;`

export const leads = `
create table lead (
  team_id uuid not null references team, id uuid not null, owner_id uuid not null, source_id uuid,
  source_kind text not null check (source_kind in ('keyword', 'post', 'profile', 'company', 'discover')),
  sync_id uuid, person_urn text not null,
  engagement_key text collate "C" not null,
  engagement_type text not null check (engagement_type in ('Like', 'Comment', 'Author')),
  reaction text, is_reply boolean not null default false, comment_text text, comment_posted_at timestamptz,
  post_urn text, post_url text, post_posted_at timestamptz, name text, handle text, headline text,
  linkedin_url text not null, avatar_url text, job_title text, country text, company_urn text, company_name text,
  company_domain text, company_industry text, company_enriched_at timestamptz,
  enrichment text not null check (enrichment in ('pending', 'processing', 'completed', 'failed', 'skipped', 'raw')),
  skip_reason text, is_icp boolean,
  webhook_status text not null check (webhook_status in ('pending', 'sent', 'failed', 'no_webhook')),
  created_at timestamptz not null,
  -- When enrichment was first completed.
  enriched_at timestamptz,
  -- The webhook's generation at capture; leads of an earlier one are sent by push only.
  webhook_generation integer,
  ${[...textColumns.map(folded), ...textColumns.map(key)].join(',\n  ')},
  country_code text,
  primary key (team_id, id),
  constraint lead_once unique (team_id, owner_id, engagement_key)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02,
  fillfactor = 85, autovacuum_vacuum_cost_limit = 2000);
create index lead_of_owner on lead (team_id, owner_id, created_at desc, id desc) where enrichment <> 'raw';
create index lead_of_person on lead (team_id, person_urn, created_at desc, id desc);
create index lead_of_handle on lead (team_id, handle, person_urn) where handle is not null;
create index lead_of_company on lead (team_id, company_urn) where company_urn is not null;
create index lead_waiting on lead (team_id, owner_id) where enrichment in ('pending', 'processing');
create index lead_sorted_by_name on lead (team_id, lower("left"(name, 60)) collate "C", created_at desc, id desc)
  where enrichment <> 'raw';
create index lead_sorted_by_company on lead (team_id, lower("left"(company_name, 60)) collate "C", created_at desc, id desc)
  where enrichment <> 'raw';
create index lead_of_post on lead (team_id, post_urn) where post_urn is not null;
create index lead_listed on lead (team_id, created_at desc, id desc, owner_id) where enrichment <> 'raw';
create index lead_listed_by_webhook on lead (team_id, webhook_status, created_at desc, id desc, owner_id)
  where enrichment <> 'raw';
create index lead_listed_by_icp on lead (team_id, is_icp, created_at desc, id desc, owner_id)
  where enrichment <> 'raw';
create index lead_listed_by_kind on lead (team_id, source_kind, created_at desc, id desc, owner_id)
  where enrichment <> 'raw';
create index lead_listed_by_type on lead (team_id, engagement_type, created_at desc, id desc, owner_id)
  where enrichment <> 'raw';
${textColumns.map(listedBy).join('\n')}
create index lead_raw_listed on lead (team_id, created_at desc, id desc) include (owner_id, engagement_type)
  where enrichment = 'raw';

create table lead_text (
  team_id uuid not null references team,
  field text not null check (field in (${textColumns.map((column) => `'${column}'`).join(', ')})),
  key bigint not null, folded text not null,
  primary key (team_id, field, key)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index lead_text_long on lead_text using gin (team_id, field, folded gin_trgm_ops);
create index lead_text_short on lead_text using gin (team_id, field, short_grams(folded));

`
