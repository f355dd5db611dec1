/** What is in the database, one hash a table: "refused and left nothing" is two equal snapshots. */
import { createHash } from 'node:crypto'

/** Tables that may change on any call: counters, leases and turns, not state. */
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
/** Columns that may change on any call. */
const notes: Readonly<Record<string, readonly string[]>> = { api_key: ['last_used_at'] }

type Queryable = {
  query(asked: string | { readonly name: string; readonly text: string }): Promise<{ rows: Record<string, unknown>[] }>
}

type Mark = { readonly mark: string; readonly hash: string }

/** What is known of a database: its tables, and of each what it held under its last mark. */
type Known = { readonly tables: readonly string[]; readonly contents: Map<string, Mark> }

/** Of a name such as `les_1.lead`: where there are several shards, each has the tables of teams. */
const withoutSchema = (table: string): string => table.split('.').at(-1)!

/** The mark of a table without rows. */
const unmarked = 'empty'

const databases = new WeakMap<Queryable, Known>()

/**
 * Which versions of rows each table holds; one without rows has no mark. A version is never changed, so equal marks mean equal
 * contents, and only tables with another mark are read whole. The rows of all are counted together: to begin and end a count for
 * each of eighty tables, most of them empty, took five times as long.
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

/** A statement about some tables, planned once: files ask about the same few choices of tables again and again. */
const asked = (about: string, tables: readonly string[], text: string) => ({
  // PostgreSQL keeps 63 bytes of a name.
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

/** The contents of tables, with the marks they had in the same statement. */
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

/** Hashes every table of the service, except those in `without`; compare with `toEqual`, so that a difference names its table. */
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
