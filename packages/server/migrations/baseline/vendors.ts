/** Vendors' budgets, prices and breakers, shared by all processes. */
export const vendors = `
create unlogged table vendor_slot (
  vendor text not null, slot integer not null, owner text, leased_until_ms bigint,
  primary key (vendor, slot)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0);

create unlogged table vendor_minute (
  vendor text primary key, opened_ms bigint not null, used integer not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05,
  autovacuum_vacuum_cost_delay = 0);

create unlogged table vendor_day (
  team_id uuid primary key, day date not null, calls integer not null
) with (fillfactor = 50);

create table vendor_breaker (
  account text primary key, failures integer not null, reason text check (reason in ('away', 'key', 'money', 'rate')),
  opened_at timestamptz, probe_at timestamptz,
  constraint vendor_breaker_check check (((reason is null) = (opened_at is null)) and ((reason is null) = (probe_at is null)))
);

create table serving_cost (
  team_id uuid not null, day date not null, vendor text not null, source_id uuid not null, calls bigint not null,
  micro_dollars bigint not null, team_micro_dollars bigint not null default 0,
  primary key (team_id, day, vendor, source_id)
);
create index serving_cost_day on serving_cost (day);

create table vendor_cost_day (
  vendor text not null, day date not null, calls bigint not null, rate_limited bigint not null,
  unavailable bigint not null, malformed bigint not null, refused bigint not null, micro_dollars bigint not null,
  primary key (vendor, day)
);

create table vendor_balance (
  vendor text primary key, balance double precision not null, full_balance double precision not null,
  told_percent integer, read_at timestamptz not null
);

create table vendor_limit (
  account text primary key, in_flight integer not null check (in_flight > 0)
);
`
