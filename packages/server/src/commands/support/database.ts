/** The database in numbers: its version and schema, how much is in each table, what waits. Nothing of what a row says. */
import { sql, type Kysely } from 'kysely'
import type { Config } from '../../config/config.ts'
import { migrationNames, readMadeMigrations } from '../../platform/db/migrate.ts'
import type { Database } from '../../platform/db/schema.ts'
import { readSample } from '../../worker/metrics.ts'

/** A table up to this many rows, by the server's own estimate, is counted exactly. */
const mostCounted = 10_000

/** The server, and the settings of it that explain how it behaves. */
export async function readServer(db: Kysely<Database>): Promise<unknown> {
  const { rows } = await sql<{ name: string; setting: string; unit: string | null }>`
    select name, setting, unit from pg_settings where name in ('server_version', 'server_encoding', 'max_connections',
      'shared_buffers', 'work_mem', 'effective_cache_size', 'autovacuum', 'synchronous_commit', 'wal_level', 'TimeZone')
    order by name`.execute(db)
  const { rows: states } = await sql<{ state: string; connections: number }>`
    select coalesce(state, 'none') as state, count(*)::integer as connections from pg_stat_activity
    where backend_type = 'client backend' and datname = current_database() group by 1 order by 1`.execute(db)
  return {
    settings: Object.fromEntries(rows.map(({ name, setting, unit }) => [name, `${setting}${unit ? ` ${unit}` : ''}`])),
    connections: Object.fromEntries(states.map(({ state, connections }) => [state, connections])),
  }
}

/** Which migrations were made and which this version would still make. */
export async function readSchema(db: Kysely<Database>): Promise<unknown> {
  const made = await readMadeMigrations(db)
  return {
    made,
    missing: migrationNames.filter((name) => !made.includes(name)),
    ofLaterVersions: made.filter((name) => !migrationNames.includes(name)),
  }
}

type Table = { name: string; estimate: number; dead: number; bytes: number; vacuumed: Date | null }

/** Rows and bytes of every table: small ones counted, large ones as the server estimates them. */
export async function readTables(db: Kysely<Database>): Promise<unknown> {
  const { rows: tables } = await sql<Table & { schema: string; table: string }>`
    select n.nspname as schema, c.relname as "table", n.nspname || '.' || c.relname as name,
      greatest(c.reltuples, coalesce(s.n_live_tup, 0))::float8 as estimate, coalesce(s.n_dead_tup, 0)::float8 as dead,
      pg_total_relation_size(c.oid)::float8 as bytes, greatest(s.last_vacuum, s.last_autovacuum) as vacuumed
    from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_stat_all_tables s on s.relid = c.oid
    where c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
    order by 3 limit 1000`.execute(db)
  const small = tables.filter(({ estimate }) => estimate <= mostCounted)
  const counts = small.map(
    ({ schema, table, name }) =>
      sql`select ${name}::text as name, (select count(*)::integer
          from (select from ${sql.id(schema, table)} limit ${mostCounted + 1}) t) as counted`,
  )
  const { rows } =
    counts.length === 0
      ? { rows: [] }
      : await sql<{ name: string; counted: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  const counted = new Map(rows.filter((row) => row.counted <= mostCounted).map((row) => [row.name, row.counted]))
  return tables.map(({ name, estimate, dead, bytes, vacuumed }) => ({
    name,
    rows: counted.get(name) ?? Math.max(0, Math.round(estimate)),
    exact: counted.has(name),
    deadRows: dead,
    bytes,
    vacuumed,
  }))
}

/** What waits of every kind of work and since when, open holds, and how late retention is: what the metrics sample. */
export async function readQueues(db: Kysely<Database>, config: Config, nowMs: number): Promise<unknown> {
  const { rows } =
    config.clock.mode === 'manual'
      ? await sql<{ now: Date }>`select now from service_clock`.execute(db)
      : { rows: [{ now: new Date(nowMs) }] }
  return readSample(db, rows[0]?.now ?? new Date(nowMs), nowMs)
}
