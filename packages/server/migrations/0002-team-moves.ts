/**
 * Teams are moved from shard to shard: a row a move, whose state says where the next process goes on. Rows that a team has in a shard
 * which is not its own are copies, or what was left behind, and may go.
 */
export const shared: readonly string[] = [
  `
create table team_move (
  team_id uuid not null references team, begun_at timestamptz not null,
  from_shard text not null, to_shard text not null,
  -- \`copying\`: the team works in \`from_shard\`. \`switched\`: it works in \`to_shard\`, and its old rows are still to go.
  state text not null check (state in ('copying', 'switched', 'done', 'undoing', 'undone')),
  passes integer not null default 0, rows_copied bigint not null default 0,
  -- Rows a table, as they were compared at the switch.
  counts jsonb,
  -- Who works on it, until when others leave it alone, and until when the team is sealed: in system time.
  owner uuid, owner_until_ms bigint, sealed_until_ms bigint,
  switched_at timestamptz, sealed_for_ms integer, ended_at timestamptz, reason text,
  primary key (team_id, begun_at),
  constraint team_move_ended check ((ended_at is null) = (state in ('copying', 'switched', 'undoing')))
);
create unique index team_move_open on team_move (team_id) where ended_at is null;
`,
]

export const teams: readonly string[] = [
  `
create or replace function credit_entry_is_final() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and (old.team_id = '5a3b1e00-7ea0-4000-8000-000000000001'
      or exists (select 1 from team where id = old.team_id and (ending or shard <> tg_table_schema))) then return old; end if;
    -- An erasure takes the person out of the key of a line; nothing else of a line ever changes.
    if tg_op = 'UPDATE' and new.key ~ '^erased:[0-9a-f-]{36}$' and to_jsonb(new) - 'key' = to_jsonb(old) - 'key'
      then return new; end if;
    raise exception 'credit_entry is append-only';
  end $$;
`,
]
