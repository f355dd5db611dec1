/** Finds a text anywhere in a database: in every column of every table, with bytes read as text and gzip unpacked. */
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'

/** Unpacks gzip. A hash or sealed secret may start with the two gzip bytes by chance and is returned unchanged. */
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

/** The columns that contain one of `texts`, with the start of the value; with `teamIds`, only rows of these teams. */
export async function findPlaces(
  pool: pg.Pool,
  texts: readonly string[],
  teamIds?: ReadonlySet<string>,
): Promise<string[]> {
  // A team's table has the same name in the result whichever shard it is in.
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
