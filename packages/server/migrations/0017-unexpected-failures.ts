/**
 * What happens to work whose step fails unexpectedly: it is counted on its row and put off, and what the vendors answered
 * meanwhile is kept until the step succeeds. And a value sealed under the master key, so that a start under another key is refused.
 */

/** Unexpected failures in a row of a piece of work; 0 again as soon as it gets on. */
const counted = [
  'sync',
  'enrichment_task',
  'job',
  'delivery',
  'discover_run',
  'outreach_rule',
  'outreach_batch',
  'icp_rescore',
  'agent',
]

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  ...counted.map((table) => `alter table ${table} add column unexpected_failures integer not null default 0`),
  // Work that had no due date: null says at once.
  `alter table icp_rescore add column due_at timestamptz`,
  `alter table agent add column follow_due_at timestamptz`,
  `create table kept_answer (
    team_id uuid not null references team,
    work text not null,
    work_id text not null,
    question bytea not null,
    answer bytea not null,
    kept_at timestamptz not null,
    primary key (team_id, work, work_id, question)
  )`,
  `create index kept_answer_age on kept_answer (kept_at)`,
  `create table master_key_check (only_row boolean primary key check (only_row), fingerprint text not null, sealed bytea not null)`,
]
