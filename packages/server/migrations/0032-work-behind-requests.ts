/**
 * What a request leaves to the background: the leads of a push of many are queued in batches, in the order they were stored, and
 * reading leads asks which criteria are still reaching theirs.
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // A push of the version before has queued its leads when it is written.
  `alter table push add column queueing boolean not null default false`,
  `alter table push add column looked integer not null default 0`,
  `alter table push add column cursor_at timestamptz`,
  `alter table push add column cursor_id uuid`,
  `alter table push add column due_at timestamptz`,
  `alter table push add column lease_owner uuid`,
  `alter table push add column lease_until_ms bigint`,
  `alter table push add column fence bigint not null default 0`,
  `alter table push add column unexpected_failures integer not null default 0`,
  `create index push_queueing on push (team_id, created_at, id) where queueing`,
  `create index icp_rescore_of_team_open on icp_rescore (team_id, owner_id) where not done`,
]
