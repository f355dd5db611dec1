/** Accounts at outside systems that are held: what needs them is put off and does not count as tried (docs/decisions/0038). */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // `reason` null: the account is free. Keys of teams are named by a digest, never by themselves.
  `create table vendor_breaker (
    account text primary key,
    failures integer not null,
    reason text check (reason in ('away', 'key', 'money', 'rate')),
    opened_at timestamptz,
    probe_at timestamptz,
    check ((reason is null) = (opened_at is null) and (reason is null) = (probe_at is null))
  )`,
]
