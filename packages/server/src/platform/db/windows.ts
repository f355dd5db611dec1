import { sql, type RawBuilder } from 'kysely'
import type { Tx } from './tx.ts'

/** Splits a team's rows into conditions on `key`, `size` rows each: one statement over a million rows would time out. */
export async function* windowsOf(
  tx: Tx,
  teamId: string,
  { table, key, size }: { table: string; key: string; size: number },
): AsyncGenerator<RawBuilder<unknown>> {
  let behind: RawBuilder<unknown> = sql`true`
  for (;;) {
    const { rows } = await sql<{ last: string }>`
      select ${sql.ref(key)} as last from ${sql.table(table)} where team_id = ${teamId} and ${behind}
      order by ${sql.ref(key)} offset ${size - 1} limit 1`.execute(tx.db)
    const last = rows[0]?.last
    if (last === undefined) {
      yield behind
      return
    }
    yield sql`${behind} and ${sql.ref(key)} <= ${last}`
    behind = sql`${sql.ref(key)} > ${last}`
  }
}
