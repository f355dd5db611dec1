/** Runs: each sweeps one source; and the posts they read. */
export const capture = `
create table job (
  team_id uuid not null references team, id uuid not null,
  type text not null check (type in ('enrich_profile', 'enrich_company', 'profile_posts', 'company_posts', 'post_reactions',
    'post_comments', 'post_company_comments')),
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  payload jsonb not null, result jsonb, error jsonb, attempts integer not null default 0,
  due_at timestamptz not null, lease_owner uuid, lease_until_ms bigint, fence bigint not null default 0,
  created_at timestamptz not null, finished_at timestamptz, unexpected_failures integer not null default 0,
  primary key (team_id, id),
  constraint job_final check (status in ('completed', 'failed') = (finished_at is not null))
);
create index job_due on job (due_at) where finished_at is null;
create index job_of_team_due on job (team_id, ((type = ANY (ARRAY['profile_posts', 'company_posts']))), due_at, id)
  where finished_at is null;

create table sync (
  team_id uuid not null references team, id uuid not null, source_id uuid not null,
  trigger text not null check (trigger in ('track', 'scheduled', 'manual')),
  state text not null check (state in ('queued', 'capturing', 'captured', 'failed', 'untracked')),
  settings jsonb not null, cursor jsonb not null, posts_total integer not null default 0,
  posts_processed integer not null default 0, lead_rows integer not null default 0,
  credits_spent integer not null default 0, engagers_seen integer not null default 0,
  -- Engagements judged by a run that the team pays for, charged or free, each counted once.
  engagement_judged integer not null default 0, declared integer not null default 0,
  held_rows integer not null default 0, posts_fetched integer not null default 0,
  provider_limited boolean not null default false, stopped_by text, error_code text, error_text text,
  attempts integer not null default 0, due_at timestamptz not null, lease_owner uuid, lease_until_ms bigint,
  fence bigint not null default 0, created_at timestamptz not null, started_at timestamptz, finished_at timestamptz,
  lane text not null default 'capture' check (lane in ('keyword', 'capture')),
  posts_scanned integer not null default 0, posts_kept integer not null default 0,
  discarded_by_expression integer not null default 0, authors_captured integer not null default 0,
  company_authors integer not null default 0, page_limited boolean not null default false,
  unapplied jsonb not null default '[]'::jsonb, unexpected_failures integer not null default 0,
  waits_for text check (waits_for in ('away', 'key', 'money', 'rate', 'cap', 'ai_away', 'ai_rate')),
  price_limited boolean not null default false,
  primary key (team_id, id),
  constraint sync_of_source foreign key (team_id, source_id) references source(team_id, id),
  constraint sync_final check (state in ('captured', 'failed', 'untracked') = (finished_at is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
create unique index sync_one_open on sync (team_id, source_id) where finished_at is null;
create index sync_due on sync (due_at) where finished_at is null;
create index sync_history on sync (team_id, source_id, created_at);
create index sync_of_team_due on sync (team_id, lane, due_at, id) where finished_at is null;

create table sync_post (
  team_id uuid not null references team, sync_id uuid not null, position integer not null, post_urn text not null,
  post_url text not null, author_urn text, posted_at timestamptz, declared integer not null,
  phase text not null check (phase in ('author', 'reactions', 'comments', 'replies', 'done')),
  provider text, cursor jsonb, replies jsonb not null default '[]'::jsonb, reactions_declared integer,
  comments_declared integer, reactions_seen integer not null default 0, turns integer not null default 0,
  seen integer not null default 0, rows_taken integer not null default 0, page_rest jsonb,
  read_alone boolean not null default false,
  -- Why engagement that the post declares was not captured; null: nothing was missed so far.
  held_back_by text check (held_back_by in ('provider_limit', 'post_limit')),
  primary key (team_id, sync_id, "position"),
  constraint sync_post_once unique (team_id, sync_id, post_urn)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
-- Coverage of a source's post by the last run that read it.
create table post_coverage (
  team_id uuid not null references team, source_id uuid not null, post_urn text not null, declared integer not null,
  captured integer not null,
  held_back_by text check (held_back_by in ('credits', 'provider_limit', 'post_limit')),
  primary key (team_id, source_id, post_urn)
);

create index sync_post_undone on sync_post (team_id, sync_id, "position") where phase <> 'done';
`
