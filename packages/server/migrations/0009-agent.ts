/** Engagement agents: their profiles, launches and sources. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table agent (
    team_id uuid not null references team,
    id uuid not null,
    status text not null check (status in ('draft', 'active')),
    website text,
    profile jsonb not null,
    daily_credits integer check (daily_credits between 50 and 20000),
    plan jsonb,
    launch integer not null default 0,
    launched_at timestamptz,
    discover_run uuid,
    people_added boolean not null default false,
    pending jsonb,
    webhook_url text,
    webhook_auto_send boolean not null default false,
    webhook_filters jsonb not null default '[]',
    webhook_since timestamptz,
    created_at timestamptz not null,
    primary key (team_id, id)
  ) with (fillfactor = 70)`,
  // The agents whose people search has not been followed up yet.
  `create index agent_searching on agent (team_id, id) where status = 'active' and not people_added and discover_run is not null`,
  // The sources of an agent. One that it has made is its own; one that the team had is taken as it is and never stopped.
  `create table agent_source (
    team_id uuid not null references team,
    agent_id uuid not null,
    source_id uuid not null,
    made boolean not null,
    topic text,
    launch integer not null,
    stopped_at timestamptz,
    added_at timestamptz not null,
    primary key (team_id, agent_id, source_id),
    foreign key (team_id, agent_id) references agent,
    foreign key (team_id, source_id) references source
  )`,
  `create index agent_source_of_source on agent_source (team_id, source_id)`,
  // Which account of the ledger a source's captures are paid from; an agent's sources on a free trial have one of their own.
  `alter table source add column pays_from text not null default 'team' check (pays_from in ('team', 'agent_trial'))`,
  // Whose leads of a webhook go out: those that pass the filters of the agent it was copied from.
  `alter table webhook add column agent_id uuid`,
  `alter table webhook add column filters jsonb not null default '[]'`,
]
