/** Sends that a person starts at the dashboard: they begin some seconds later, so that they can be undone, and go on part by part (docs/decisions/0058). */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table planned_send (
    team_id uuid not null references team,
    id uuid not null,
    kind text not null check (kind in ('push', 'agent', 'campaign', 'people', 'replay', 'delivery')),
    label text not null,
    campaign_id text,
    agent_id uuid,
    goes integer not null,
    state text not null check (state in ('planned', 'sending', 'done', 'failed', 'cancelled')),
    failure text,
    requested_by text not null,
    created_at timestamptz not null,
    due_at timestamptz not null,
    starts_at timestamptz not null,
    finished_at timestamptz,
    attempts integer not null default 0,
    unexpected_failures integer not null default 0,
    lease_owner uuid,
    lease_until_ms bigint,
    fence bigint not null default 0,
    primary key (team_id, id),
    constraint planned_send_over check ((finished_at is not null) = (state in ('done', 'failed', 'cancelled')))
  )`,
  `create index planned_send_of_team_due on planned_send (team_id, due_at, id) where state in ('planned', 'sending')`,
  `create index planned_send_newest on planned_send (team_id, created_at desc, id desc)`,
  // What one step sends: leads or deliveries of one owner, or people of one call to the outreach platform.
  `create table planned_send_part (
    team_id uuid not null,
    send_id uuid not null,
    place integer not null,
    owner_id uuid,
    ids uuid[] not null,
    how jsonb not null,
    counts jsonb,
    push_id uuid,
    primary key (team_id, send_id, place),
    foreign key (team_id, send_id) references planned_send on delete cascade
  )`,
]
