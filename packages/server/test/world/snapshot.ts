/** What is in the database, one hash a table: "refused and left nothing" is two equal snapshots. */

/** Tables that may change on any call: counters, leases and turns, not state. */
const bookkeeping = [
  'rate_window',
  'idempotency_flight',
  'work_turn',
  'clock_mark',
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

/** The statement over all tables of a database, by what it leaves out: planning eighty tables costs more than reading them. */
const statements = new WeakMap<Queryable, Map<string, { readonly name: string; readonly text: string }>>()

async function statementFor(pool: Queryable, without: readonly string[]): Promise<{ name: string; text: string }> {
  const known = statements.get(pool) ?? new Map<string, { name: string; text: string }>()
  statements.set(pool, known)
  const found = known.get(without.join())
  if (found) return found
  const tables = await pool.query(
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  )
  const text = (tables.rows as { table_name: string }[])
    .map(({ table_name: table }) => table)
    .filter((table) => !bookkeeping.includes(table) && !without.includes(table))
    .map(
      (
        table,
      ) => `select '${table}' as table_name, count(*) || ' rows, ' || coalesce(md5(string_agg(row, E'\\n' order by row)), 'empty') as hash
        from (select (to_jsonb(t) - '{${(notes[table] ?? []).join(',')}}'::text[])::text as row from public."${table}" t) rows`,
    )
    .join(' union all ')
  const made = { name: `snapshot ${known.size}`, text }
  known.set(without.join(), made)
  return made
}

/** Hashes every table of the service, except those in `without`; compare with `toEqual`, so that a difference names its table. */
export async function snapshot(pool: Queryable, without: readonly string[] = []): Promise<Record<string, string>> {
  const { rows } = await pool.query(await statementFor(pool, without))
  return Object.fromEntries(rows.map(({ table_name: table, hash }) => [table as string, hash as string]))
}
