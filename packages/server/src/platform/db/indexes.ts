/**
 * Indexes of large tables, made beside the service instead of at its start: concurrently, so that nobody waits for them to write, by
 * the process whose clock acts or by `les-server indexes`. Nothing that is promised needs one: what uses it rests until it is there,
 * or is slower. One that a death left half made is invalid: it is dropped and made again. One that takes the place of another
 * has that dropped once it is there, so that no read is ever without an index.
 */
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { largeIndexes, type LargeIndexDefinition } from '../../../migrations/large-indexes.ts'
import type { Log } from '../log.ts'
import { errorCode } from './embedded-error.ts'
import { clientConfig, type ConnectionSettings } from './open.ts'
import type { Database } from './schema.ts'
import type { Reader } from './unit-of-work.ts'

/** The name of one. */
export type LargeIndex = keyof typeof largeIndexes

/** How an index stands; `replacing`: it is valid, and an index whose place it takes is still to be dropped. */
export type IndexState = 'valid' | 'replacing' | 'invalid' | 'missing'

const names = Object.keys(largeIndexes) as LargeIndex[]

/** The indexes whose place one takes; none for some. */
const replacedBy = (name: LargeIndex): readonly string[] => {
  const index: LargeIndexDefinition = largeIndexes[name]
  return index.replaces ?? []
}

type Found = { readonly valid: boolean | null; readonly replaced: boolean }
const stateOf = ({ valid, replaced }: Found): IndexState =>
  valid === null ? 'missing' : !valid ? 'invalid' : replaced ? 'replacing' : 'valid'

/** SQL text: how some indexes stand, and whether one whose place they take is still there. All names are our own. */
const standing = (some: readonly LargeIndex[]): string =>
  `select name, exists (select 1 from unnest(replaces) as old where to_regclass('public.' || old) is not null) as replaced,
    (select indisvalid from pg_index where indexrelid = to_regclass('public.' || name)) as valid
  from (values ${some.map((name) => `('${name}', '{${replacedBy(name).join(',')}}'::text[])`).join(', ')}) asked (name, replaces)`

/** How each stands, in a database. */
export async function readIndexes(db: Reader): Promise<Readonly<Record<LargeIndex, IndexState>>> {
  const { rows } = await sql.raw<Found & { name: LargeIndex }>(standing(names)).execute(db)
  return Object.fromEntries(rows.map((row) => [row.name, stateOf(row)])) as Record<LargeIndex, IndexState>
}

/** Those that can be used. */
export async function validIndexes(db: Reader): Promise<ReadonlySet<LargeIndex>> {
  const states = await readIndexes(db)
  return new Set(names.filter((name) => states[name] === 'valid' || states[name] === 'replacing'))
}

const creating = (name: LargeIndex, how: string) =>
  `create index ${how} ${name} on ${largeIndexes[name].table} ${largeIndexes[name].on}`

/** A table up to this size is indexed at once: a new database, and that of a small team. */
export const smallBytes = 1_000_000
/** The advisory lock of whoever builds indexes: any number that nobody else uses. */
export const buildersLock = 7_103_022_119

/** Whoever uses a table that is to be indexed at once is waited for so long; then its indexes are left to the clock. */
const lockTimeout = '500ms'
/** A lock that was not to be had in time, and a deadlock. */
const othersWork = ['55P03', '40P01']

/** Makes the missing indexes of tables that are small, at the start; everybody who writes to them waits for some milliseconds. */
export async function indexSmallTables(db: Kysely<Database>): Promise<void> {
  try {
    await db.transaction().execute((tx) => indexTablesAtOnce(tx as unknown as Reader))
  } catch (error) {
    if (!othersWork.includes(errorCode(error))) throw error
  }
}

async function indexTablesAtOnce(tx: Reader): Promise<void> {
  await sql`select pg_advisory_xact_lock(${buildersLock}::bigint)`.execute(tx)
  const states = await readIndexes(tx)
  const missing = names.filter((name) => states[name] === 'missing')
  if (missing.length === 0) return
  const { rows } = await sql<{ table: string; bytes: number }>`
    select t as table, pg_table_size(t::regclass) as bytes
    from unnest(${missing.map((name) => largeIndexes[name].table)}::text[]) as t`.execute(tx)
  const small = new Set(rows.filter(({ bytes }) => bytes <= smallBytes).map(({ table }) => table))
  const indexes = missing.filter((name) => small.has(largeIndexes[name].table))
  await sql.raw(`set local lock_timeout = '${lockTimeout}'`).execute(tx)
  // Before anything else of a table that loses an index: a lock that grows is how deadlocks begin.
  const replacing = indexes.filter((name) => replacedBy(name).length > 0)
  for (const table of new Set(replacing.map((name) => largeIndexes[name].table)))
    await sql.raw(`lock table ${table} in access exclusive mode`).execute(tx)
  for (const name of indexes) {
    await sql.raw(creating(name, 'if not exists')).execute(tx)
    for (const old of replacedBy(name)) await sql.raw(`drop index if exists ${old}`).execute(tx)
  }
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
      if (state !== 'replacing') {
        if (state === 'invalid') await client.query(`drop index concurrently if exists ${name}`)
        parts.log.info('an index is being built', { index: name, table: largeIndexes[name].table })
        await client.query(creating(name, 'concurrently'))
        parts.log.info('an index was built', { index: name })
        built.push(name)
      }
      for (const old of replacedBy(name)) await client.query(`drop index concurrently if exists ${old}`)
    }
    return { built, busy: false }
  } finally {
    await client.end().catch(() => {})
  }
}

async function stateOn(client: pg.Client, name: LargeIndex): Promise<IndexState> {
  const { rows } = await client.query<Found>(standing([name]))
  return stateOf(rows[0]!)
}
