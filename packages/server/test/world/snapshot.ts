/** One hash per table; two equal snapshots show that a refused request changed nothing. */
import { createHash } from 'node:crypto'

/** Tables that any call may change: counters, leases and turns. */
const bookkeeping = [
  'rate_window',
  'idempotency_flight',
  'work_turn',
  'agent_ranking',
  'vendor_day',
  'vendor_breaker',
  'vendor_cost_day',
  'serving_cost',
  'request_log',
]
/** Columns that any call may change. */
const notes: Readonly<Record<string, readonly string[]>> = { api_key: ['last_used_at'] }

type Queryable = {
  query(asked: string | { readonly name: string; readonly text: string }): Promise<{ rows: Record<string, unknown>[] }>
}

type Mark = { readonly mark: string; readonly hash: string }

/** A database's tables, and the content of each at its last mark. */
type Known = { readonly tables: readonly string[]; readonly contents: Map<string, Mark> }

/** Strips the schema of a name such as `les_1.lead`: each shard has the tables of teams. */
const withoutSchema = (table: string): string => table.split('.').at(-1)!

const unmarked = 'empty'

const databases = new WeakMap<Queryable, Known>()

/**
 * A mark for the row versions of each table. A version never changes, so only tables with another mark are read in full. One
 * query covers all tables, because eighty separate aggregates took five times as long.
 */
const marksOf = (tables: readonly string[]): string =>
  `select name, count(*) || ' ' || sum(hashtextextended(version, 0)) as mark from (${tables
    .map((table) => `select '${table}' as name, xmin::text || ctid::text as version from ${table}`)
    .join(' union all ')}) versions group by name`

const hashOf = (table: string): string => {
  const without = notes[withoutSchema(table)]
  const row = without ? `(to_jsonb(t) - '{${without.join(',')}}'::text[])` : 't'
  return `(select count(*) || ' rows, ' || coalesce(sum(hashtextextended(${row}::text, 0))::text, 'empty') from ${table} t)`
}

/** A named, and so prepared, statement: test files query the same few sets of tables again and again. */
const asked = (about: string, tables: readonly string[], text: string) => ({
  // PostgreSQL keeps only 63 bytes of a name.
  name: `${about} ${createHash('sha256').update(tables.join()).digest('hex').slice(0, 32)}`,
  text,
})

async function tablesOf(pool: Queryable): Promise<readonly string[]> {
  const { rows } = await pool.query(
    `select case schemaname when 'public' then quote_ident(tablename) else format('%I.%I', schemaname, tablename) end as name
     from pg_tables where schemaname = 'public' or schemaname ~ '^les_[0-9]+$' order by 1`,
  )
  return rows.map(({ name }) => name as string).filter((table) => !bookkeeping.includes(withoutSchema(table)))
}

/** The contents of tables with their marks, from one statement. */
async function readContents(pool: Queryable, tables: readonly string[]): Promise<[string, Mark][]> {
  if (tables.length === 0) return []
  const { rows } = await pool.query(
    asked(
      'contents',
      tables,
      `select name, coalesce(mark, '${unmarked}') as mark, hash
       from (${tables.map((table) => `select '${table}' as name, ${hashOf(table)} as hash`).join(' union all ')}) contents
       left join (${marksOf(tables)}) marks using (name)`,
    ),
  )
  return rows.map(({ name, mark, hash }) => [name as string, { mark: mark as string, hash: hash as string }])
}

/** Hashes every table of the service except those in `without`. Compare with `toEqual`: the difference then names the table. */
export async function snapshot(pool: Queryable, without: readonly string[] = []): Promise<Record<string, string>> {
  const known = databases.get(pool) ?? { tables: await tablesOf(pool), contents: new Map<string, Mark>() }
  databases.set(pool, known)
  const tables = known.tables.filter((table) => !without.includes(withoutSchema(table)))
  const { rows } = await pool.query(asked('marks', tables, marksOf(tables)))
  const marks = new Map(rows.map(({ name, mark }) => [name, mark]))
  const changed = tables.filter((table) => known.contents.get(table)?.mark !== (marks.get(table) ?? unmarked))
  for (const [table, contents] of await readContents(pool, changed)) known.contents.set(table, contents)
  return Object.fromEntries(tables.map((table) => [table, known.contents.get(table)!.hash]))
}
