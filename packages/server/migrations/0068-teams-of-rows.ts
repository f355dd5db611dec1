/**
 * Rows that are written by the hundred are held to their team once a statement (docs/decisions/0099): a foreign key looks the team up
 * for each row anew, which was a tenth of what capturing a lead costs. The promise is the same: no row without its team, no team taken
 * away from under its rows; also of a program of the version before.
 */

/** The tables whose rows come by the hundred. */
const tables = ['lead', 'engager', 'person', 'enrichment_task', 'credit_entry'] as const

const missing = (table: string) =>
  `raise foreign_key_violation using message = 'a row of ' || ${table} || ' belongs to no team', table = ${table};`

/** The statements, in order; `docs/generated/schema.sql` is made of them. */
export const statements: readonly string[] = [
  // The team is shared as a foreign key shares it, so that it is still there when the rows are committed.
  `create function hold_to_teams() returns trigger language plpgsql as $$ declare id_of_team uuid; begin
    for id_of_team in select distinct team_id from added order by 1 loop
      perform 1 from team where id = id_of_team for key share;
      if not found then ${missing('tg_table_name')} end if;
    end loop;
    return null;
  end $$`,
  `create function hold_to_team() returns trigger language plpgsql as $$ begin
    perform 1 from team where id = new.team_id for key share;
    if not found then ${missing('tg_table_name')} end if;
    return null;
  end $$`,
  // A statement of a trigger sees what was committed until it begins: the rows of whoever shared the team before it went as well.
  `create function keep_teams_of_rows() returns trigger language plpgsql as $$ begin
    ${tables
      .map(
        (table) => `if exists (select 1 from ${table} where team_id = old.id) then
      raise foreign_key_violation using message = 'team ' || old.id || ' still has rows of ${table}', table = 'team';
    end if;`,
      )
      .join('\n    ')}
    return null;
  end $$`,
  ...tables.flatMap((table) => [
    `create trigger ${table}_of_teams after insert on ${table} referencing new table as added
    for each statement execute function hold_to_teams()`,
    `create trigger ${table}_of_team after update of team_id on ${table} for each row
    when (old.team_id is distinct from new.team_id) execute function hold_to_team()`,
  ]),
  `create trigger team_gone after delete on team for each row execute function keep_teams_of_rows()`,
  `create trigger team_renamed after update of id on team for each row
    when (old.id is distinct from new.id) execute function keep_teams_of_rows()`,
  ...tables.map((table) => `alter table ${table} drop constraint ${table}_team_id_fkey`),
]
