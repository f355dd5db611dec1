/** Searches for people who post about a topic. */
export const discover = `
create table discover_run (
  team_id uuid not null references team, id uuid not null, agent_id uuid,
  state text not null check (state in ('running', 'done', 'failed')),
  phase text not null check (phase in ('search', 'check', 'add', 'over')),
  keywords jsonb not null, countries jsonb not null, min_engagement integer not null,
  max_influencers integer not null check (max_influencers >= 1 and max_influencers <= 500),
  places jsonb not null, found integer not null default 0, qualified integer not null default 0,
  country_checked integer not null default 0, country_matched integer not null default 0, error_code text,
  error_text text, attempts integer not null default 0, due_at timestamptz not null, lease_owner uuid,
  lease_until_ms bigint, fence bigint not null default 0, created_at timestamptz not null, started_at timestamptz,
  finished_at timestamptz, deleted_at timestamptz, unexpected_failures integer not null default 0,
  primary key (team_id, id),
  constraint discover_run_final check (((state <> 'running') = (finished_at is not null))
    and ((phase = 'over') = (finished_at is not null))),
  constraint discover_run_found check (found <= qualified and found <= max_influencers and country_matched <= country_checked)
) with (fillfactor = 70);
create index discover_run_due on discover_run (due_at) where finished_at is null;
create index discover_run_newest on discover_run (team_id, created_at desc, id desc) where deleted_at is null;
create index discover_run_of_team_due on discover_run (team_id, due_at, id) where finished_at is null;

create table discover_post (
  team_id uuid not null references team, run_id uuid not null, post_urn text collate "C" not null,
  person_urn text collate "C" not null, engagement integer not null, post jsonb not null,
  primary key (team_id, run_id, post_urn),
  constraint discover_post_of_run foreign key (team_id, run_id) references discover_run(team_id, id)
);
create index discover_post_of_person on discover_post (team_id, run_id, person_urn, engagement desc, post_urn);

create table discover_person (
  team_id uuid not null references team, run_id uuid not null, position integer not null, person_urn text not null,
  post_count integer not null, total bigint not null, highest integer not null, post jsonb not null,
  matched boolean, added_at timestamptz,
  primary key (team_id, run_id, "position"),
  constraint discover_person_once unique (team_id, run_id, person_urn),
  constraint discover_person_of_run foreign key (team_id, run_id) references discover_run(team_id, id)
) with (fillfactor = 70);
`
