/** What outside systems cost: by day, team, source and vendor, and by day and vendor; and what their accounts last said (docs/decisions/0039). */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // Nobody's team and no source are the id of zeros: both are part of the key. Dollars in millionths, so that they add up.
  `create table serving_cost (
    team_id uuid not null,
    day date not null,
    vendor text not null,
    source_id uuid not null,
    calls bigint not null,
    micro_dollars bigint not null,
    primary key (team_id, day, vendor, source_id)
  )`,
  `create index serving_cost_day on serving_cost (day)`,
  `create table vendor_cost_day (
    vendor text not null,
    day date not null,
    calls bigint not null,
    rate_limited bigint not null,
    unavailable bigint not null,
    malformed bigint not null,
    refused bigint not null,
    micro_dollars bigint not null,
    primary key (vendor, day)
  )`,
  // `full_balance`: the balance after money was last paid in; `told_percent`: the lowest mark that was told since.
  `create table vendor_balance (
    vendor text primary key,
    balance double precision not null,
    full_balance double precision not null,
    told_percent integer,
    read_at timestamptz not null
  )`,
]
