/** What is in the database, one hash a table: "refused and left nothing" is two equal snapshots. */

/** Tables that may change on any call: counters, leases and turns, not state. */
const bookkeeping = ['rate_window', 'idempotency_flight', 'work_turn']
/** Columns that may change on any call. */
const notes: Readonly<Record<string, readonly string[]>> = { api_key: ['last_used_at'] }

type Queryable = { query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }> }

/** Hashes every table of the service, except those in `without`; compare with `toEqual`, so that a difference names its table. */
export async function snapshot(pool: Queryable, without: readonly string[] = []): Promise<Record<string, string>> {
  const tables = await pool.query(
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  )
  const hashed = (tables.rows as { table_name: string }[])
    .map(({ table_name: table }) => table)
    .filter((table) => !bookkeeping.includes(table) && !without.includes(table))
  const { rows } = await pool.query(
    hashed
      .map(
        (
          table,
        ) => `select '${table}' as table_name, count(*) || ' rows, ' || coalesce(md5(string_agg(row, E'\\n' order by row)), 'empty') as hash
        from (select (to_jsonb(t) - '{${(notes[table] ?? []).join(',')}}'::text[])::text as row from public."${table}" t) rows`,
      )
      .join(' union all '),
  )
  return Object.fromEntries(rows.map(({ table_name: table, hash }) => [table as string, hash as string]))
}
