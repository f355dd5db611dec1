/** The log of calls: what keys and agent tools of a team asked, for 30 days (docs/decisions/0055). */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // Ids begin with the instant, so that the primary key is the order of the list. `query` and `body` are JSON as text: what
  // strangers send may hold escapes that jsonb does not take.
  `create table request_log (
    team_id uuid not null references team (id) on delete cascade,
    id uuid not null,
    at timestamptz not null,
    surface text not null,
    operation text,
    method text not null,
    path text not null,
    query text not null,
    body text,
    status smallint not null,
    code text,
    duration_ms integer not null,
    caller_kind text not null,
    caller_id text not null,
    caller_name text not null,
    request_id text not null,
    stands_for integer not null,
    primary key (team_id, id)
  )`,
  `create index request_log_at on request_log (at)`,
  `create index request_log_failures on request_log (team_id, id) where status >= 400`,
  `create index request_log_request on request_log (team_id, request_id)`,
]
