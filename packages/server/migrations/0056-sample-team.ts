/** The lines of the sample team's ledger go when its data is put in anew; those of every other team stay for ever (docs/decisions/0076). */

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create or replace function credit_entry_is_final() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and old.team_id = '5a3b1e00-7ea0-4000-8000-000000000001' then return old; end if;
    raise exception 'credit_entry is append-only';
  end $$`,
]
