/**
 * Reads of posts and engagement: job types, credit holds, pages of vendors kept for an hour, the queue of the engagement reads;
 * and the indexes of the lead lists' filters. `pg_trgm` and `btree_gin` are trusted extensions: the owner of a database may make them.
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements = [
  `create extension if not exists pg_trgm`,
  `create extension if not exists btree_gin`,
  // ---- jobs -----------------------------------------------------------------------------------------------------------
  `alter table job drop constraint job_type_check`,
  `alter table job add constraint job_type_check check (type in ('enrich_profile', 'enrich_company', 'profile_posts', 'company_posts', 'post_reactions', 'post_comments', 'post_company_comments'))`,
  // ---- credits --------------------------------------------------------------------------------------------------------
  `create table credit_hold (
    team_id uuid not null references team,
    id uuid not null,
    account text not null check (account in ('team', 'agent_trial')),
    amount bigint not null check (amount > 0),
    expires_at timestamptz not null,
    primary key (team_id, id)
  )`,
  `create index credit_hold_expiry on credit_hold (expires_at)`,
  // ---- posts ----------------------------------------------------------------------------------------------------------
  // Losing these in a crash only costs another vendor call.
  `create unlogged table vendor_page (
    team_id uuid not null,
    kind text not null check (kind in ('posts', 'reactions', 'comments')),
    subject text not null,
    provider text not null check (provider in ('primary', 'fallback')),
    number integer not null,
    items jsonb not null,
    replies jsonb not null,
    next jsonb,
    total integer,
    fetched_at timestamptz not null,
    primary key (team_id, kind, subject, provider, number)
  )`,
  `create index vendor_page_age on vendor_page (fetched_at)`,
  `create sequence engagement_ticket_number`,
  `create unlogged table engagement_ticket (
    team_id uuid not null,
    number bigint not null,
    until_ms bigint not null,
    primary key (team_id, number)
  )`,
  `create index source_post_of_post on source_post (team_id, post_urn)`,
  // ---- leads ----------------------------------------------------------------------------------------------------------
  `create index lead_raw_newest on lead (team_id, created_at desc, id desc) include (owner_id) where enrichment = 'raw'`,
  `create index lead_raw_of_owner on lead (team_id, owner_id, created_at desc, id desc) where enrichment = 'raw'`,
  `create index lead_by_type on lead (team_id, engagement_type, created_at desc, id desc) include (owner_id) where enrichment <> 'raw'`,
  `create index lead_by_icp on lead (team_id, is_icp, created_at desc, id desc) include (owner_id) where enrichment <> 'raw' and is_icp is not null`,
  `create index lead_by_webhook on lead (team_id, webhook_status, created_at desc, id desc) include (owner_id) where enrichment <> 'raw'`,
  `create index lead_by_kind on lead (team_id, source_kind, created_at desc, id desc) include (owner_id) where enrichment <> 'raw'`,
  `create index lead_newest_of_person on lead (team_id, person_urn, created_at desc, id desc) include (owner_id) where enrichment <> 'raw'`,
  // Lower case is kept, not made for each row that a filter looks at: that would cost more than all the rest of a count.
  `alter table lead
    add column name_folded text generated always as (lower(name)) stored,
    add column job_title_folded text generated always as (lower(job_title)) stored,
    add column company_name_folded text generated always as (lower(company_name)) stored,
    add column company_domain_folded text generated always as (lower(company_domain)) stored,
    add column country_folded text generated always as (lower(country)) stored,
    add column company_industry_folded text generated always as (lower(company_industry)) stored`,
  `create index lead_text on lead using gin (team_id, name_folded gin_trgm_ops, job_title_folded gin_trgm_ops, company_name_folded gin_trgm_ops, company_domain_folded gin_trgm_ops, country_folded gin_trgm_ops, company_industry_folded gin_trgm_ops) where enrichment <> 'raw'`,
]
