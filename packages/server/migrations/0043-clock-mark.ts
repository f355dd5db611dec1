/** The latest time the service has seen, so that a clock that was set back is noticed (docs/operations.md, «A clock that was wrong»). */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table clock_mark (
    only_row boolean primary key default true check (only_row),
    seen timestamptz not null,
    seen_ms bigint not null,
    leapt_to timestamptz
  )`,
]
