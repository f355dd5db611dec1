/**
 * Runs over several shards (`LES_TEST_SHARDS=3`). Tests query views over the tables of all shards; triggers route their writes to
 * the shard of the team.
 */
import pg from 'pg'

/** How many shards this run's databases have. */
export const testShards: number = Number(process.env.LES_TEST_SHARDS ?? 1)

const everyShard = 'every_shard'

/** Search path for tests of the whole service: the views over all shards. */
export const everyShardPath = `${everyShard}, public`

/** Search path for tests of one part without the service: a single shard, as within a request about one team. */
export const oneShardPath = 'les_0, public'

/** All schemas of the service except that of sign-in. */
export const ownSchemas: readonly string[] = [
  'public',
  ...(testShards > 1 ? Array.from({ length: testShards }, (_, place) => `les_${place}`) : []),
]

/** A schema with the tables of teams; all shards have the same tables. */
export const anyShard = testShards > 1 ? 'les_0' : 'public'

/** Schemas that together contain each table of the service once. */
export const eachTableOnce: readonly string[] = [...new Set(['public', 'sign_in', anyShard])]

// Trigger arguments: the columns and the condition that identify a row; reading them from the catalog was most of its cost.
const routing = `
create function ${everyShard}.route() returns trigger language plpgsql as $$
declare
  place text := (select shard from public.team where id = case tg_op when 'DELETE' then old.team_id else new.team_id end);
  columns text := tg_argv[0];
  same text := tg_argv[1];
begin
  if tg_op = 'INSERT' then
    execute format('insert into %I.%I (%s) select %s from (select ($1).*) n', place, tg_table_name, columns, columns) using new;
    return new;
  end if;
  if tg_op = 'UPDATE' then
    execute format('update %I.%I t set (%s) = (select %s from (select ($2).*) n) where %s', place, tg_table_name, columns, columns, same)
      using old, new;
    return new;
  end if;
  execute format('delete from %I.%I t where %s', place, tg_table_name, same) using old;
  return old;
end $$;`

/** Tests' writes about companies go to every shard. */
const routingToAll = (name: string, shards: readonly string[]): string => `
create function ${everyShard}.route_${name}() returns trigger language plpgsql as $$
declare
  place text;
  columns text := (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = 'les_0.${name}'::regclass and attnum > 0 and not attisdropped and attgenerated = '');
begin
  foreach place in array array[${shards.map((shard) => `'${shard}'`).join()}] loop
    if tg_op <> 'INSERT' then execute format('delete from %I.${name} t where t.urn = ($1).urn', place) using old; end if;
    if tg_op <> 'DELETE' then
      execute format('insert into %I.${name} (%s) select %s from (select ($1).*) n', place, columns, columns) using new;
    end if;
  end loop;
  return case tg_op when 'DELETE' then old else new end;
end $$;`

/** Makes the views in a database that has its shards. */
export async function makeViews(client: pg.Client, count: number): Promise<void> {
  await client.query(`create schema ${everyShard}`)
  await client.query(routing)
  const { rows: tables } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'les_0' and tablename not like 'kysely%'`,
  )
  const shards = Array.from({ length: count }, (_, place) => `les_${place}`)
  for (const { name } of tables) {
    const all = shards.map((shard) => `select * from ${shard}.${name}`).join(' union all ')
    const { rows: ofTeams } = await client.query(
      `select from pg_attribute where attrelid = $1::regclass and attname = 'team_id'`,
      [`les_0.${name}`],
    )
    // Each shard that has met a company stores its facts.
    await client.query(
      ofTeams.length > 0
        ? `create view ${everyShard}.${name} as ${all}`
        : `create view ${everyShard}.${name} as select distinct on (urn) * from (${all}) each_shard order by urn`,
    )
    if (ofTeams.length === 0) {
      await client.query(routingToAll(name, shards))
      await client.query(
        `create trigger route instead of insert or update or delete on ${everyShard}.${name} for each row execute function ${everyShard}.route_${name}()`,
      )
      continue
    }
    const { rows: written } = await client.query<{ columns: string; same: string }>(
      `select (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       (select string_agg(format('t.%1$I = ($1).%1$I', a.attname), ' and ') from pg_index i
         join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
         where i.indrelid = $1::regclass and i.indisprimary) as same`,
      [`les_0.${name}`],
    )
    const { columns, same } = written[0]!
    await client.query(
      `create trigger route instead of insert or update or delete on ${everyShard}.${name} for each row
       execute function ${everyShard}.route(${pg.escapeLiteral(columns)}, ${pg.escapeLiteral(same)})`,
    )
    const { rows: defaults } = await client.query<{ column: string; expression: string }>(
      `select a.attname as column, pg_get_expr(d.adbin, d.adrelid) as expression from pg_attrdef d
       join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
       where d.adrelid = $1::regclass and a.attgenerated = ''`,
      [`les_0.${name}`],
    )
    for (const { column, expression } of defaults)
      await client.query(`alter view ${everyShard}.${name} alter column ${column} set default ${expression}`)
  }
}
