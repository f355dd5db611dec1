/** What a database holds, to be compared with another one. */
import type { OpenDatabase } from '../../src/platform/db/open.ts'

/** One line for each table that lasts: its name, its rows and a checksum over them, whatever their order. */
export async function contents(database: OpenDatabase): Promise<string[]> {
  const tables = await database.pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname in ('public', 'sign_in') and c.relname not like 'kysely%' order by 1`,
  )
  const lines: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await database.pool.query<{ line: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as line from ${name} t`,
    )
    lines.push(`${name} ${rows[0]!.line}`)
  }
  return lines
}
