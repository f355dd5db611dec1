/** Teams, and who is let in for them: what is asked before it is known in which shard a team is. */
export const teams = `
create table team (
  id uuid primary key, name text not null, plan text not null,
  status text not null check (status in ('active', 'trial', 'expired')),
  trial_ends_at timestamptz, reads_limit integer not null, writes_limit integer not null,
  untracked_posts_limit integer not null, keyword_daily_ceiling integer not null, lead_cap integer,
  capture_allowed boolean not null, data_key bytea not null, signing_secret bytea not null,
  previous_signing_secret bytea, previous_secret_until timestamptz, created_at timestamptz not null,
  source_cap integer not null default 10000, vendor_calls_per_day integer,
  -- The schema that holds the rows of the team (docs/scaling.md).
  shard text not null default 'public',
  -- Closed: nobody is let in and nothing is worked on. From \`ends_at\` on its rows go; \`ending\`: some may have gone already.
  closed_at timestamptz, ends_at timestamptz, ending boolean not null default false,
  constraint team_closed check ((closed_at is null) = (ends_at is null) and (closed_at is not null or not ending))
);

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
