import type { OpenDatabase } from '../../src/platform/db/open.ts'
import { ownSchemas } from './shards.ts'

/** One line per permanent table: name, row count and a checksum that does not depend on the row order. */
export async function contents(database: OpenDatabase): Promise<string[]> {
  const tables = await database.pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence = 'p' and n.nspname = any($1) and c.relname not like 'kysely%' order by 1`,
    [['sign_in', ...ownSchemas]],
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

/** All rows of a schema as text, keyed by `table.column`. */
export async function textsOf({ pool }: Pick<OpenDatabase, 'pool'>, schema: string): Promise<Map<string, string>> {
  const { rows: columns } = await pool.query<{ table: string; column: string; type: string }>(
    `select table_name as "table", column_name as "column", data_type as type from information_schema.columns where table_schema = $1`,
    [schema],
  )
  const texts = new Map<string, string>()
  for (const { table, column, type } of columns) {
    // Bytes may hold text.
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
    const { rows } = await pool.query<{ text: string | null }>(
      `select string_agg(${text}, ' ') as text from "${schema}"."${table}"`,
    )
    texts.set(`${table}.${column}`, rows[0]!.text ?? '')
  }
  return texts
}
