/** A shard's tables from the catalogue: every table with a `team_id` moves with its team, so that no new one is forgotten. */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'

/** A foreign key within the shard: its columns, and the columns `names` they reference. */
type Reference = { readonly table: string; readonly columns: readonly string[]; readonly names: readonly string[] }

/** A table with rows of teams; `columns` are not generated, `key` is the primary key without `team_id`. */
export type ShardTable = {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly { readonly name: string; readonly type: string }[]
  readonly references: readonly Reference[]
  readonly leased: boolean
}

/** Not copied: a team starts with fresh turns in the target shard. */
export const turns = 'work_turn'

/** Tables without a team, and what a move does with them. A test checks that there are no others. */
export const withoutTeam: Readonly<Record<string, string>> = {
  company: 'what the rows of the team refer to is copied where it is not there yet',
  company_lookup: 'looked up by whichever team asks first: stays',
  kysely_migration: 'of the schema itself',
  kysely_migration_lock: 'of the schema itself',
}

/** The tables with a `company_urn` column; a test checks that they are these. */
export const namesCompanies: readonly string[] = ['lead', 'person', 'agent_person']

/** Reads the tables, referenced ones before those that refer to them, without `work_turn`. */
export async function readShardTables(db: Kysely<Database>, schema: string): Promise<readonly ShardTable[]> {
  const { rows } = await sql<ShardTable>`
    with tables as (
      select c.oid, c.relname::text as name from pg_class c
      where c.relnamespace = to_regnamespace(${schema}) and c.relkind = 'r' and c.relname <> ${turns}
        and exists (select 1 from pg_attribute a
          where a.attrelid = c.oid and a.attname = 'team_id' and not a.attisdropped))
    select t.name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null))
          order by array_position(i.indkey::int2[], a.attnum)), '[]')
        from pg_index i join pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey::int2[])
        where i.indrelid = t.oid and i.indisprimary and a.attname <> 'team_id') as key,
      (select coalesce(json_agg(json_build_object('table', o.name,
          'columns', (select json_agg(a.attname order by k.place) from unnest(f.conkey) with ordinality k (number, place)
            join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.number),
          'names', (select json_agg(a.attname order by k.place) from unnest(f.confkey) with ordinality k (number, place)
            join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.number)) order by o.name, f.conkey), '[]')
        from pg_constraint f join tables o on o.oid = f.confrelid
        where f.conrelid = t.oid and f.contype = 'f') as "references",
      exists (select 1 from pg_attribute a where a.attrelid = t.oid and a.attname = 'lease_until_ms') as leased
    from tables t order by t.name`.execute(db)
  return inOrder(rows)
}

function inOrder(tables: readonly ShardTable[]): readonly ShardTable[] {
  const ordered: ShardTable[] = []
  const left = new Map(tables.map((table) => [table.name, table]))
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ name, references }) =>
      references.every(({ table }) => table === name || !left.has(table)),
    )
    if (ready.length === 0) throw new Error(`the tables ${[...left.keys()].join(', ')} refer to each other in a circle`)
    for (const table of ready) {
      ordered.push(table)
      left.delete(table.name)
    }
  }
  return ordered
}

/** The tables of two shards; throws unless they are alike. */
export async function readTablesOfBoth(db: Kysely<Database>, from: string, to: string): Promise<readonly ShardTable[]> {
  const tables = await readShardTables(db, from)
  if (tables.length === 0) throw new Error(`there is no shard ${from}`)
  if (JSON.stringify(tables) !== JSON.stringify(await readShardTables(db, to)))
    throw new Error(`the shards ${from} and ${to} are not alike: start the service once, which brings both up to date`)
  return tables
}
