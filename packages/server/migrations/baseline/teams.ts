/** Teams and their API keys: read before a team's shard is known. */
export const teams = `
create table team (
  id uuid primary key, name text not null, plan text not null,
  status text not null check (status in ('active', 'trial', 'expired')),
  trial_ends_at timestamptz, reads_limit integer not null, writes_limit integer not null,
  untracked_posts_limit integer not null, keyword_daily_ceiling integer not null, lead_cap integer,
  capture_allowed boolean not null, data_key bytea not null, signing_secret bytea not null,
  previous_signing_secret bytea, previous_secret_until timestamptz, created_at timestamptz not null,
  source_cap integer not null default 10000, vendor_calls_per_day integer,
  -- The schema that holds the team's rows (docs/scaling.md).
  shard text not null default 'public',
  -- Closed: no access, no work. Rows are deleted from \`ends_at\` on; \`ending\`: some may be gone already.
  closed_at timestamptz, ends_at timestamptz, ending boolean not null default false,
  constraint team_closed check ((closed_at is null) = (ends_at is null) and (closed_at is not null or not ending))
);

-- Moves of teams between shards; the state says where the next process resumes.
create table team_move (
  team_id uuid not null references team, begun_at timestamptz not null,
  from_shard text not null, to_shard text not null,
  -- \`copying\`: the team works in \`from_shard\`. \`switched\`: it works in \`to_shard\`; its old rows are not deleted yet.
  state text not null check (state in ('copying', 'switched', 'done', 'undoing', 'undone')),
  passes integer not null default 0, rows_copied bigint not null default 0,
  -- Rows per table, compared at the switch.
  counts jsonb,
  -- The process that works on it, its lease, and the end of the team's seal, in system time.
  owner uuid, owner_until_ms bigint, sealed_until_ms bigint,
  switched_at timestamptz, sealed_for_ms integer, ended_at timestamptz, reason text,
  primary key (team_id, begun_at),
  constraint team_move_ended check ((ended_at is null) = (state in ('copying', 'switched', 'undoing')))
);
create unique index team_move_open on team_move (team_id) where ended_at is null;

create table api_key (
  team_id uuid not null references team, id uuid not null, name text not null, hash bytea not null,
  masked text not null, created_at timestamptz not null, last_used_at timestamptz, revoked_at timestamptz,
  primary key (team_id, id)
);
create unique index api_key_hash on api_key (hash);

create unlogged table rate_window (
  team_id uuid not null, bucket text not null, opened_at timestamptz not null, used integer not null,
  refused boolean not null,
  primary key (team_id, bucket)
) with (fillfactor = 50);
`
