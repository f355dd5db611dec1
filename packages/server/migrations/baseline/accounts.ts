/** Teams' credentials, work, safe retries, audit log and request log. */
export const accounts = `
create table team_credential (
  team_id uuid not null references team, kind text not null, sealed bytea not null, stored_at timestamptz not null,
  primary key (team_id, kind)
);

create table idempotency_answer (
  team_id uuid not null references team, scope bytea not null, body_hash bytea not null, status integer not null,
  sealed bytea, expires_at timestamptz not null,
  primary key (team_id, scope)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02);
create index idempotency_answer_expiry on idempotency_answer (expires_at);

create unlogged table idempotency_flight (
  team_id uuid not null, scope bytea not null, owner uuid not null, until_ms bigint not null,
  primary key (team_id, scope)
);

create table work_turn (
  team_id uuid not null references team, kind text not null, served bigint not null,
  ready boolean not null default true, due_at timestamptz, look_ms bigint,
  primary key (team_id, kind)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
create index work_turn_ready on work_turn (kind, served) where ready;
create index work_turn_due on work_turn (kind, due_at) where (not ready) and due_at is not null;
create index work_turn_look on work_turn (kind, look_ms) where (not ready) and look_ms is not null;

create table tool_spend_answer (
  team_id uuid not null references team, question_id uuid not null, expires_at timestamptz not null,
  primary key (team_id, question_id)
);
create index tool_spend_answer_expiry on tool_spend_answer (expires_at);

create table audit_entry (
  team_id uuid not null references team, id uuid not null, at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'operator')),
  actor_id text not null, actor_name text not null, operation text not null, target text, details jsonb not null,
  primary key (team_id, id)
) with (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
create index audit_entry_newest on audit_entry (team_id, at desc, id desc);

create table saved_view (
  team_id uuid not null references team, id uuid not null, page text not null, name text not null,
  query jsonb not null, created_by text not null, created_at timestamptz not null, updated_at timestamptz not null,
  primary key (team_id, id),
  constraint saved_view_team_id_page_name_key unique (team_id, page, name)
);

create table task_put_off (
  team_id uuid not null references team, task text not null, failures integer not null, until timestamptz not null,
  primary key (team_id, task)
);

create table retention_turn (
  team_id uuid primary key references team, checked_at timestamptz not null, places jsonb not null
);

create table team_keep (
  team_id uuid not null references team, rule text not null, days integer not null check (days > 0),
  primary key (team_id, rule)
);

create table request_log (
  team_id uuid not null references team on delete cascade,
  id uuid not null, at timestamptz not null, surface text not null, operation text, method text not null,
  path text not null, query text not null, body text, status smallint not null, code text,
  duration_ms integer not null, caller_kind text not null, caller_id text not null, caller_name text not null,
  request_id text not null, stands_for integer not null,
  primary key (team_id, id)
);
create index request_log_at on request_log (at);
create index request_log_failures on request_log (team_id, id) where status >= 400;
create index request_log_request on request_log (team_id, request_id);

create table team_default (
  team_id uuid not null references team,
  kind text not null check (kind in ('all', 'person', 'company', 'post', 'keyword')),
  webhook jsonb, criteria jsonb, outreach jsonb, cap jsonb, updated_at timestamptz not null,
  primary key (team_id, kind)
);

create table kept_answer (
  team_id uuid not null references team, work text not null, work_id text not null, question bytea not null,
  answer bytea not null, kept_at timestamptz not null,
  primary key (team_id, work, work_id, question)
);
create index kept_answer_age on kept_answer (kept_at);
`
