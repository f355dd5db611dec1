/** Rules, queues and batches for the outreach platform, and the dashboard's sends. */
export const outreach = `
create table outreach_refusal (
  team_id uuid primary key references team, sealed_hash bytea not null, refused_at timestamptz not null
);

create table outreach_rule (
  team_id uuid not null references team, owner_id uuid not null,
  owner_kind text not null check (owner_kind in ('source', 'agent')),
  campaign_id text not null, campaign_name text not null, auto_send boolean not null,
  auto_send_since timestamptz not null, filters jsonb not null,
  state text not null check (state in ('active', 'paused')),
  paused_reason text check (paused_reason in ('invalid_key', 'campaign_closed')),
  updated_at timestamptz not null, due_at timestamptz not null, failures integer not null default 0,
  lease_owner uuid, lease_until_ms bigint, fence bigint not null default 0,
  unexpected_failures integer not null default 0,
  primary key (team_id, owner_id),
  constraint outreach_rule_paused check ((state = 'paused') = (paused_reason is not null))
);
create index outreach_rule_due on outreach_rule (due_at) where state = 'active';

create table outreach_queue (
  team_id uuid not null references team, owner_id uuid not null, person_urn text not null, lead_id uuid not null,
  historic boolean not null, due_at timestamptz not null, queued_at timestamptz not null,
  primary key (team_id, owner_id, person_urn),
  constraint outreach_queue_team_id_owner_id_fkey foreign key (team_id, owner_id)
    references outreach_rule(team_id, owner_id) on delete cascade
);
create index outreach_queue_due on outreach_queue (team_id, owner_id, due_at);

create table outreach_batch (
  team_id uuid not null references team, id uuid not null, campaign_id text not null,
  state text not null check (state in ('sending', 'uncertain', 'settled')),
  due_at timestamptz not null, checks integer not null default 0, lease_owner uuid, lease_until_ms bigint,
  fence bigint not null default 0, created_at timestamptz not null, finished_at timestamptz,
  unexpected_failures integer not null default 0,
  primary key (team_id, id),
  constraint outreach_batch_final check ((state = 'settled') = (finished_at is not null))
);
create index outreach_batch_open on outreach_batch (due_at) where state <> 'settled';
create index outreach_batch_of_team_open on outreach_batch (team_id, state, due_at) where state <> 'settled';

create table outreach_send (
  team_id uuid not null references team, id uuid not null, campaign_id text not null, batch_id uuid not null,
  person_urn text, handle text, profile_url text not null, lead_id uuid,
  state text not null check (state in ('sending', 'sent', 'failed', 'uncertain')),
  sent_at timestamptz not null,
  primary key (team_id, id),
  constraint outreach_send_named check (person_urn is not null or handle is not null)
);
create unique index outreach_send_person on outreach_send (team_id, campaign_id, person_urn) where person_urn is not null;
create unique index outreach_send_handle on outreach_send (team_id, campaign_id, handle) where handle is not null;
create index outreach_send_of_batch on outreach_send (team_id, batch_id);
create index outreach_send_of_person on outreach_send (team_id, person_urn) where person_urn is not null;
create index outreach_send_of_handle on outreach_send (team_id, handle) where handle is not null;

create table planned_send (
  team_id uuid not null references team, id uuid not null,
  kind text not null check (kind in ('push', 'agent', 'campaign', 'people', 'replay', 'delivery')),
  label text not null, campaign_id text, agent_id uuid, goes integer not null,
  state text not null check (state in ('planned', 'sending', 'done', 'failed', 'cancelled')),
  failure text, requested_by text not null, created_at timestamptz not null, due_at timestamptz not null,
  starts_at timestamptz not null, finished_at timestamptz, attempts integer not null default 0,
  unexpected_failures integer not null default 0, lease_owner uuid, lease_until_ms bigint,
  fence bigint not null default 0,
  primary key (team_id, id),
  constraint planned_send_over check ((finished_at is not null) = state in ('done', 'failed', 'cancelled'))
);
create index planned_send_of_team_due on planned_send (team_id, due_at, id) where state in ('planned', 'sending');
create index planned_send_newest on planned_send (team_id, created_at desc, id desc);

create table planned_send_part (
  team_id uuid not null, send_id uuid not null, place integer not null, owner_id uuid, ids uuid[] not null,
  how jsonb not null, counts jsonb, push_id uuid,
  primary key (team_id, send_id, place),
  constraint planned_send_part_team_id_send_id_fkey foreign key (team_id, send_id)
    references planned_send(team_id, id) on delete cascade
);

create table outreach_history (
  team_id uuid not null, owner_id uuid not null, asked_at timestamptz not null, considered integer not null,
  looked integer not null default 0, matched integer not null default 0, queued integer not null default 0,
  cursor_at timestamptz, cursor_id uuid, queueing boolean not null default true,
  primary key (team_id, owner_id),
  constraint outreach_history_team_id_owner_id_fkey foreign key (team_id, owner_id)
    references outreach_rule(team_id, owner_id) on delete cascade
);
create index outreach_history_queueing on outreach_history (team_id, owner_id) where queueing;
`
