/**
 * Indexes that a migration to come makes on a table that is large by now. In the migration everybody who writes to the table would wait
 * until they are made, so they are made before it, concurrently, and the migration finds them there (docs/decisions/0054).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { migrations, type ChangeOfSchema } from '../../../migrations/index.ts'
import type { Log } from '../log.ts'
import { errorCode } from './embedded-error.ts'
import { buildersLock, smallBytes } from './indexes.ts'
import type { Database } from './schema.ts'
import type { Reader } from './unit-of-work.ts'

/** An index that the migration of that name makes. */
export type PlannedIndex = {
  readonly name: string
  readonly table: string
  readonly migration: string
  readonly statement: string
  readonly state: 'valid' | 'invalid' | 'missing'
}

const making = /^\s{0,40}create index (?=(\w{1,63}) on (\w{1,63})\b)/i

/** The plain indexes among the statements of a migration: unique ones are promises about rows, and stay in it. Pure. */
export const plainIndexes = (
  statements: readonly string[],
): readonly { readonly name: string; readonly table: string; readonly statement: string }[] =>
  statements.flatMap((statement) => {
    const [, name, table] = making.exec(statement) ?? []
    return name === undefined || table === undefined ? [] : [{ name, table, statement }]
  })

/** A statement as a migration runs it when its index was made before; every other one as it is. Pure. */
export const unlessThere = (statement: string, there: ReadonlySet<string>): string =>
  there.has(making.exec(statement)?.[1] ?? '') ? statement.replace(making, 'create index if not exists ') : statement

/** Those on tables that are large, and those that are there already; none for a database that is not laid out. */
export async function readPlannedIndexes(db: Reader): Promise<readonly PlannedIndex[]> {
  const laid = await sql<{
    there: boolean
  }>`select to_regclass('public.kysely_migration') is not null as there`.execute(db)
  if (!laid.rows[0]!.there) return []
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const made = new Set(done.rows.map(({ name }) => name))
  const planned = Object.entries<ChangeOfSchema>(migrations)
    .filter(([migration]) => !made.has(migration))
    .flatMap(([migration, { statements }]) => plainIndexes(statements).map((index) => ({ ...index, migration })))
  if (planned.length === 0) return []
  const { rows } = await sql<{ place: number; large: boolean; valid: boolean | null }>`
    select place, pg_table_size(to_regclass('public.' || "table")) > ${smallBytes} as large,
      (select indisvalid from pg_index where indexrelid = to_regclass('public.' || name)) as valid
    from unnest(${planned.map(({ name }) => name)}::text[], ${planned.map(({ table }) => table)}::text[])
      with ordinality as asked (name, "table", place)
    where to_regclass('public.' || "table") is not null order by place`.execute(db)
  return rows
    .filter(({ large, valid }) => large || valid !== null)
    .map(({ place, valid }) => ({
      ...planned[place - 1]!,
      state: valid === null ? 'missing' : valid ? 'valid' : 'invalid',
    }))
}

/** A column, a table or a function that a migration before it makes: then its table is left to the migration. */
const isNotThereYet = (error: unknown): boolean => ['42703', '42P01', '42883', '42704'].includes(errorCode(error))

/**
 * Makes what is missing or half made, one process at a time; others wait for it. Answers the names that are there afterwards, for
 * `unlessThere`. On a connection without a limit of time for statements.
 */
export async function buildPlannedIndexes(
  db: Kysely<Database>,
  log: Pick<Log, 'info'> = { info: () => {} },
): Promise<ReadonlySet<string>> {
  if ((await readPlannedIndexes(db)).length === 0) return new Set()
  return db.connection().execute(async (session) => {
    // Not a waiting lock: its statement would be one of those that a concurrent build waits for.
    const got = async (): Promise<boolean> =>
      (await sql<{ mine: boolean }>`select pg_try_advisory_lock(${buildersLock}::bigint) as mine`.execute(session))
        .rows[0]!.mine
    while (!(await got())) await sleep(500)
    try {
      // Building waits for old transactions, however long they take.
      await sql`set lock_timeout = 0`.execute(session)
      for (const { name, table, statement, state } of await readPlannedIndexes(session)) {
        if (state === 'valid') continue
        if (state === 'invalid') await sql.raw(`drop index concurrently if exists ${name}`).execute(session)
        log.info('an index is being built', { index: name, table })
        await sql
          .raw(statement.replace(making, 'create index concurrently '))
          .execute(session)
          .catch((error: unknown) => {
            if (!isNotThereYet(error)) throw error
          })
      }
      const there = (await readPlannedIndexes(session)).filter(({ state }) => state === 'valid')
      return new Set(there.map(({ name }) => name))
    } finally {
      await sql`reset lock_timeout`.execute(session).catch(() => {})
      await sql`select pg_advisory_unlock(${buildersLock}::bigint)`.execute(session).catch(() => {})
    }
  })
}
