/** The Engagement Agent: its profile and what it tracks. */
export const agent = `
create table agent (
  team_id uuid not null references team, id uuid not null, status text not null check (status in ('draft', 'active')),
  website text, profile jsonb not null, daily_credits integer check (daily_credits >= 50 and daily_credits <= 20000),
  plan jsonb, launch integer not null default 0, launched_at timestamptz, discover_run uuid,
  people_added boolean not null default false, pending jsonb, webhook_url text,
  webhook_auto_send boolean not null default false, webhook_filters jsonb not null default '[]'::jsonb,
  webhook_since timestamptz, created_at timestamptz not null, unexpected_failures integer not null default 0,
  follow_due_at timestamptz,
  primary key (team_id, id)
) with (fillfactor = 70);
create index agent_searching on agent (team_id, id) where status = 'active' and (not people_added) and discover_run is not null;

create table agent_source (
  team_id uuid not null references team, agent_id uuid not null, source_id uuid not null, made boolean not null,
  topic text, launch integer not null, stopped_at timestamptz, added_at timestamptz not null,
  primary key (team_id, agent_id, source_id),
  constraint agent_source_team_id_agent_id_fkey foreign key (team_id, agent_id) references agent(team_id, id),
  constraint agent_source_team_id_source_id_fkey foreign key (team_id, source_id) references source(team_id, id)
);
create index agent_source_of_source on agent_source (team_id, source_id);
`
