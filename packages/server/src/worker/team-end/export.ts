import { sql, type Kysely } from 'kysely'
import type { Database } from '../../platform/db/schema.ts'
import { queryColumn } from '../../platform/db/query.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { notExported, teamTables, type TeamTable } from './tables.ts'

const rowsAtOnce = 500

/** In export order: referenced tables first. */
const exported: readonly TeamTable[] = [
  { name: 'team', teamColumn: 'id' },
  ...teamTables.filter(({ name }) => !notExported.has(name)).toReversed(),
]

/** Exports a team's rows at one instant as JSON lines `{"table", "row"}`; awaits each `write`. No secrets, no bytes. */
export async function exportTeam(
  db: Kysely<Database>,
  teamId: string,
  write: (lines: string) => Promise<void>,
): Promise<void> {
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      for (const table of exported) await exportTable(tx, table, teamId, write)
    })
}

async function exportTable(
  tx: Reader,
  table: TeamTable,
  teamId: string,
  write: (lines: string) => Promise<void>,
): Promise<void> {
  const columns = (await listColumns(tx, table.name)).map((name) => sql.ref(name))
  const ofTeam = sql`${sql.ref(table.teamColumn)} = ${teamId}`
  await sql`
    declare exported no scroll cursor for
    select json_build_object('table', ${table.name}::text, 'row', to_json(e))::text as line
    from (select ${sql.join(columns)} from ${sql.table(table.name)} where ${ofTeam}) e`.execute(tx)
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch forward ${sql.lit(rowsAtOnce)} from exported`.execute(tx)
    if (rows.length > 0) await write(rows.map(({ line }) => `${line}\n`).join(''))
    if (rows.length < rowsAtOnce) break
  }
  await sql`close exported`.execute(tx)
}

/** Without secrets, which are bytes, and generated columns, which add nothing. */
async function listColumns(db: Reader, table: string): Promise<string[]> {
  const quoted = `"${table.replace('.', '"."')}"`
  return queryColumn<string>(db)`
    select c.column_name as name from information_schema.columns c
    join pg_class t on t.oid = ${quoted}::regclass and t.relname = c.table_name
    join pg_namespace n on n.oid = t.relnamespace and n.nspname = c.table_schema
    where c.data_type <> 'bytea' and c.is_generated = 'NEVER' order by c.ordinal_position`
}
