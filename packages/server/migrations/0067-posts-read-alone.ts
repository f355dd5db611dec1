/** A post of a run whose page the vendors failed while it was read with others (docs/decisions/0092). */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  'alter table sync_post add column read_alone boolean not null default false',
]
