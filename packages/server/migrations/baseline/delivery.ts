/** Webhooks, deliveries and pushes. */
export const delivery = `
create table webhook (
  team_id uuid not null references team, owner_id uuid not null,
  owner_kind text not null check (owner_kind in ('source', 'agent', 'destination', 'hook')),
  url text, icp_only boolean not null default false, auto_send boolean not null default true,
  auto_send_since timestamptz, sync_events boolean not null default false, url_set_at timestamptz,
  failing_since timestamptz, disabled_at timestamptz, disabled_reason text, agent_id uuid,
  filters jsonb not null default '[]'::jsonb,
  -- Incremented when the URL changes or autoSend is switched on (G158, G160).
  generation integer not null default 0,
  -- Deliveries of a lower generation are cancelled, because the URL was cleared.
  cancelled_below_generation integer not null default 0,
  -- True while the rows of cancelled deliveries are still being updated.
  clearing_unfinished boolean not null default false,
  -- Events of a REST hook; null: all.
  events text[],
  -- Sealed signing secret of a REST hook; null: the team's.
  secret bytea,
  primary key (team_id, owner_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index webhook_of_team on webhook (team_id, owner_id) where owner_kind in ('destination', 'hook');
create index webhook_clearing_unfinished on webhook (team_id, owner_id) where clearing_unfinished;

create table delivery (
  team_id uuid not null references team, id uuid not null, owner_id uuid not null, event text not null,
  subject text not null, lead_id uuid,
  -- The source of the event, if the owner is a destination or a REST hook.
  source_id uuid,
  -- The webhook's generation when it was queued.
  generation integer not null default 0,
  state text not null check (state in ('pending', 'sent', 'failed', 'held', 'cancelled', 'excluded')),
  body bytea, attempts integer not null default 0, due_at timestamptz not null, lease_owner uuid,
  lease_until_ms bigint, fence bigint not null default 0, created_at timestamptz not null, finished_at timestamptz,
  awaits_enrichment boolean not null default false, icp_only boolean not null default false,
  unexpected_failures integer not null default 0,
  -- Queued because autoSend was on; cancelled if it is switched off.
  automatic boolean not null default false,
  -- The lead's webhook_status before it was queued, restored if the person is excluded before it is sent.
  lead_status text not null default 'pending' check (lead_status in ('pending', 'sent', 'failed', 'no_webhook')),
  primary key (team_id, id),
  constraint delivery_once unique (team_id, owner_id, event, subject)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_limit = 2000);
create index delivery_due on delivery (due_at) where state = 'pending';
create index delivery_turn on delivery (team_id, owner_id, due_at, id) where state = 'pending';
create index delivery_of_lead on delivery (team_id, lead_id) where lead_id is not null;
create index delivery_of_source on delivery (team_id, source_id, id) where source_id is not null;
create index delivery_awaiting_sync on delivery (team_id, source_id)
  where source_id is not null and event = 'sync.completed' and state = 'held';
create index delivery_held on delivery (team_id, owner_id) where state = 'held';
create index delivery_of_owner on delivery (team_id, owner_id, id) include (state);
create index delivery_given_up on delivery (team_id, id) where state in ('failed', 'cancelled', 'excluded');
create index delivery_not_of_lead on delivery (team_id, id) where event <> 'lead.detected';
create index delivery_of_team_due on delivery (team_id, due_at) where state = 'pending';
create index delivery_body_age on delivery (team_id, finished_at) where body is not null and finished_at is not null;

create table delivery_attempt (
  team_id uuid not null references team, delivery_id uuid not null, number integer not null,
  at timestamptz not null, status integer, outcome text not null, elapsed_ms integer not null, response text,
  primary key (team_id, delivery_id, number)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index delivery_attempt_age on delivery_attempt (at);

create table push (
  team_id uuid not null references team, id uuid not null, owner_id uuid not null, icp_only boolean not null,
  considered integer not null, queued integer not null,
  excluded integer not null default 0, created_at timestamptz not null, queueing boolean not null default false,
  looked integer not null default 0, cursor_at timestamptz, cursor_id uuid, due_at timestamptz, lease_owner uuid,
  lease_until_ms bigint, fence bigint not null default 0, unexpected_failures integer not null default 0,
  primary key (team_id, id)
);
create index push_queueing on push (team_id, created_at, id) where queueing;

create table push_lead (
  team_id uuid not null references team, push_id uuid not null, delivery_id uuid not null,
  primary key (team_id, push_id, delivery_id)
);
create index push_lead_of_delivery on push_lead (team_id, delivery_id);
`
