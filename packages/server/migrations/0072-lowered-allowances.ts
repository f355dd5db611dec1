/**
 * What of a lowered allowance could not be taken back (docs/decisions/0115): it was spent or held already. A higher allowance within the
 * same period grants that many credits fewer.
 */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  'alter table credit_account add column overspent bigint not null default 0',
]
