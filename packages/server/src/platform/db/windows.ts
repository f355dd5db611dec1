import { sql, type RawBuilder } from 'kysely'
import { queryValue } from './query.ts'
import type { Tx } from './tx.ts'

/** Splits a team's rows into conditions on `key`, `size` rows each: one statement over a million rows would time out. */
export async function* windowsOf(
  tx: Tx,
  teamId: string,
  { table, key, size }: { table: string; key: string; size: number },
): AsyncGenerator<RawBuilder<unknown>> {
  let behind: RawBuilder<unknown> = sql`true`
  for (;;) {
    const last = await queryValue<string>(tx.db)`
      select ${sql.ref(key)} as last from ${sql.table(table)} where team_id = ${teamId} and ${behind}
      order by ${sql.ref(key)} offset ${size - 1} limit 1`
    if (last === undefined) {
      yield behind
      return
    }
    yield sql`${behind} and ${sql.ref(key)} <= ${last}`
    behind = sql`${sql.ref(key)} > ${last}`
  }
}
