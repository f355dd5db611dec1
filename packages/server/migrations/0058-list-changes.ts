/**
 * What of a team's leads transactions have changed, so that a list that was read before is known to be as it was
 * (docs/decisions/0090): every transaction that writes leads of a team leaves a row with its number and the instant of the oldest
 * lead that it wrote. It is a row of its own, so that no transaction waits for another, and written by triggers, so that a program of
 * the version before writes it too.
 */

/** SQL of a trigger after each statement of a kind, which sees the rows it wrote, or those it took away. */
const after = (event: 'insert' | 'update' | 'delete') =>
  `create trigger lead_${event}_changes after ${event} on lead ` +
  `referencing ${event === 'delete' ? 'old' : 'new'} table as rows for each statement execute function note_list_changes()`

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  `create table list_change (
    team_id uuid not null,
    mark bigint not null,
    since timestamptz not null,
    primary key (team_id, mark)
  )`,
  `create function note_list_changes() returns trigger language plpgsql as $$ begin
    insert into list_change as c (team_id, mark, since)
    select team_id, pg_current_xact_id()::text::bigint, min(created_at) from rows group by team_id
    on conflict (team_id, mark) do update set since = excluded.since where c.since > excluded.since;
    return null;
  end $$`,
  after('insert'),
  after('update'),
  after('delete'),
]
