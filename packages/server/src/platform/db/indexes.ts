/**
 * Indexes of large tables, made beside the service instead of at its start: concurrently, so that nobody waits for them to write, by
 * the process whose clock acts or by `les-server indexes`. Nothing that is promised needs one: what uses it rests until it is there,
 * or is slower. One that a death left half made is invalid: it is dropped and made again.
 */
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { largeIndexes } from '../../../migrations/large-indexes.ts'
import type { Log } from '../log.ts'
import { clientConfig, type ConnectionSettings } from './open.ts'
import type { Database } from './schema.ts'
import type { Reader } from './unit-of-work.ts'

/** The name of one. */
export type LargeIndex = keyof typeof largeIndexes

/** How an index stands. */
export type IndexState = 'valid' | 'invalid' | 'missing'

const names = Object.keys(largeIndexes) as LargeIndex[]

/** How each stands, in a database. */
export async function readIndexes(db: Reader): Promise<Readonly<Record<LargeIndex, IndexState>>> {
  const { rows } = await sql<{ name: LargeIndex; valid: boolean }>`
    select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace and c.relname = any(${names}::text[])`.execute(db)
  const found = new Map(rows.map(({ name, valid }) => [name, valid]))
  const stateOf = (name: LargeIndex): IndexState =>
    found.has(name) ? (found.get(name) === true ? 'valid' : 'invalid') : 'missing'
  return Object.fromEntries(names.map((name) => [name, stateOf(name)])) as Record<LargeIndex, IndexState>
}

/** Those that can be used. */
export async function validIndexes(db: Reader): Promise<ReadonlySet<LargeIndex>> {
  const states = await readIndexes(db)
  return new Set(names.filter((name) => states[name] === 'valid'))
}

const creating = (name: LargeIndex, how: string) =>
  `create index ${how} ${name} on ${largeIndexes[name].table} ${largeIndexes[name].on}`

/** A table up to this size is indexed at once: a new database, and that of a small team. */
export const smallBytes = 1_000_000
/** The advisory lock of whoever builds indexes: any number that nobody else uses. */
export const buildersLock = 7_103_022_119

/** Makes the missing indexes of tables that are small, at the start; everybody who writes to them waits for some milliseconds. */
export async function indexSmallTables(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${buildersLock}::bigint)`.execute(tx)
    const states = await readIndexes(tx as unknown as Reader)
    const missing = names.filter((name) => states[name] === 'missing')
    if (missing.length === 0) return
    const { rows } = await sql<{ table: string; bytes: number }>`
      select t as table, pg_table_size(t::regclass) as bytes
      from unnest(${missing.map((name) => largeIndexes[name].table)}::text[]) as t`.execute(tx)
    const small = new Set(rows.filter(({ bytes }) => bytes <= smallBytes).map(({ table }) => table))
    for (const name of missing)
      if (small.has(largeIndexes[name].table)) await sql.raw(creating(name, 'if not exists')).execute(tx)
  })
}

/** What building came to; `busy`: another process is at it. */
export type Built = { readonly built: readonly LargeIndex[]; readonly busy: boolean }

/**
 * Makes what is missing or invalid, one after the other, on a connection of its own without a time limit; its lock says that somebody
 * is at it, and ends with the connection. `connected` gets what ends it early: the next one goes on.
 */
export async function buildIndexes(parts: {
  readonly connection: ConnectionSettings
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly connected?: (cancel: () => void) => void
}): Promise<Built> {
  const client = new pg.Client({
    ...clientConfig(parts.connection),
    application_name: 'lead-engagement-service indexes',
  })
  client.on('error', () => {})
  await client.connect()
  parts.connected?.(() => void client.end().catch(() => {}))
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1::bigint) as mine', [
      buildersLock,
    ])
    if (rows[0]?.mine !== true) return { built: [], busy: true }
    // A lock of a table that cannot be had in a while is no reason to give up: building waits for old transactions anyway.
    await client.query('set lock_timeout = 0')
    const built: LargeIndex[] = []
    for (const name of names) {
      const state = await stateOn(client, name)
      if (state === 'valid') continue
      if (state === 'invalid') await client.query(`drop index concurrently if exists ${name}`)
      parts.log.info('an index is being built', { index: name, table: largeIndexes[name].table })
      await client.query(creating(name, 'concurrently'))
      parts.log.info('an index was built', { index: name })
      built.push(name)
    }
    return { built, busy: false }
  } finally {
    await client.end().catch(() => {})
  }
}

async function stateOn(client: pg.Client, name: LargeIndex): Promise<IndexState> {
  const { rows } = await client.query<{ valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = to_regclass('public.' || $1)",
    [name],
  )
  return rows[0] === undefined ? 'missing' : rows[0].valid ? 'valid' : 'invalid'
}
