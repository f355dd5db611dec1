/** Where a text stands in a database: every column of every table, bytes as text, packed ones unpacked. */
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'

/** Unpacks what is packed. A hash or a sealed secret may begin with the two signs of a packed text by chance: it stays as it is. */
function unpacked(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes)
  } catch {
    return bytes
  }
}

function textOf(value: unknown): string {
  if (value instanceof Buffer) return unpacked(value).toString('utf8')
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/**
 * The columns in which one of these texts stands, each with the beginning of what is there. With teams: of tables whose rows are of a team
 * those of these teams alone.
 */
export async function findPlaces(
  pool: pg.Pool,
  texts: readonly string[],
  teamIds?: ReadonlySet<string>,
): Promise<string[]> {
  // A table of teams is one to a reader, in whichever shard.
  const { rows: tables } = await pool.query<{ name: string; table: string }>(
    `select format('%I.%I', table_schema, table_name) as name,
       format('%I.%I', case when table_schema ~ '^les_[0-9]+$' then 'public' else table_schema end, table_name) as table from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' order by 1`,
  )
  const wanted = texts.map((text) => text.toLowerCase())
  const places = new Set<string>()
  for (const { name, table } of tables) {
    const { rows } = await pool.query<Record<string, unknown>>(`select * from ${name}`)
    for (const row of rows) {
      if (teamIds !== undefined && typeof row.team_id === 'string' && !teamIds.has(row.team_id)) continue
      for (const [column, value] of Object.entries(row)) {
        const said = textOf(value)
        const folded = said.toLowerCase()
        if (wanted.some((text) => folded.includes(text))) places.add(`${table}.${column}: ${said.slice(0, 160)}`)
      }
    }
  }
  return [...places]
}
