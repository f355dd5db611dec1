/** Periodic tasks that failed unexpectedly for one team: that team is left out of the task until a later instant, and nobody else is. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table task_put_off (
    team_id uuid not null references team,
    task text not null,
    failures integer not null,
    until timestamptz not null,
    primary key (team_id, task)
  )`,
]
