/** Tracked sources. */
export const sources = `
create table source (
  team_id uuid not null references team, id uuid not null,
  type text not null check (type in ('person', 'company', 'post', 'keyword')),
  username text not null, identity bytea not null,
  status text not null check (status in ('active', 'inactive')),
  mode text not null check (mode in ('engagers', 'posts_only')),
  posts_per_sync integer, credit_cap_per_sync integer, capture_replies boolean not null,
  enrich_leads boolean not null, first_sync_posts integer, first_sync_days integer, network_urn text,
  next_sync_at timestamptz, last_scheduled_at timestamptz, open_sync_id uuid, last_sync_id uuid,
  ever_completed boolean not null default false, revived boolean not null default false,
  lead_rows integer not null default 0, raw_rows integer not null default 0,
  leads_pending integer not null default 0, leads_completed integer not null default 0,
  leads_failed integer not null default 0, leads_skipped integer not null default 0,
  created_at timestamptz not null, untracked_at timestamptz, has_write_off boolean not null default false, post_url text,
  runs_completed integer not null default 0, max_runs integer, end_at timestamptz,
  run_once boolean not null default false, stopped_at timestamptz,
  stopped_reason text check (stopped_reason in ('max_runs', 'run_once', 'end_at')),
  pays_from text not null default 'team' check (pays_from in ('team', 'agent_trial')),
  primary key (team_id, id),
  constraint source_identity unique (team_id, identity),
  constraint source_counters check ((lead_rows = (((leads_pending + leads_completed) + leads_failed) + leads_skipped))
    and leads_pending >= 0 and leads_completed >= 0 and leads_failed >= 0 and leads_skipped >= 0)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index source_due on source (next_sync_at) where status = 'active' and open_sync_id is null;
create index source_ends on source (end_at) where status = 'active' and stopped_at is null and end_at is not null;
create index source_with_write_off on source (team_id, id) where has_write_off;
create index source_network_urn on source (team_id, network_urn) where network_urn is not null;

create table source_post (
  team_id uuid not null references team, source_id uuid not null, post_urn text not null, sync_id uuid not null,
  created_at timestamptz not null,
  primary key (team_id, source_id, post_urn)
);
create index source_post_of_post on source_post (team_id, post_urn);

create table source_alias (
  team_id uuid not null references team, urn text not null, source_id uuid not null,
  primary key (team_id, urn),
  constraint source_alias_of_source foreign key (team_id, source_id) references source(team_id, id)
);

create table lead_gone (
  team_id uuid not null references team, owner_id uuid not null, key_hash bytea not null,
  -- Lets an erasure find the hashes of a person.
  post_urn text,
  primary key (team_id, owner_id, key_hash)
);
`
