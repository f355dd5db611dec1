/** What one team may make the service do: sources it tracks at once, and calls of the data vendors a day. */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `alter table team add column source_cap integer not null default 10000`,
  // Null: what the standing of the team allows.
  `alter table team add column vendor_calls_per_day integer`,
  // Losing a day's count in a crash is fine.
  `create unlogged table vendor_day (
    team_id uuid primary key,
    day date not null,
    calls integer not null
  ) with (fillfactor = 50)`,
]
