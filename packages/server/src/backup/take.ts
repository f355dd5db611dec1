/**
 * Takes a backup while the service runs: every table as it was at one instant, read in one transaction that waits for nobody and
 * keeps nobody waiting. Rows are text by PostgreSQL's COPY, so another major version can take them.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { format, inOrder, manifestName, type Manifest, type TableCopy } from './manifest.ts'

/** Schemas whose rows are backed up. The queue's own is not: its messages only say that there may be work, and the clock looks again. */
const schemas = ['public', 'sign_in']

/** What Kysely writes itself: told in the description as names. */
const ofMigrations = ['kysely_migration', 'kysely_migration_lock']

/** A name as SQL wants it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

type Found = { schema: string; name: string; columns: string[]; refers: string[] }

/** Every table that lasts, without what the database makes itself of other columns; parents first. */
async function listTables(client: pg.ClientBase): Promise<Found[]> {
  const { rows } = await client.query<Found>(
    `select n.nspname as schema, c.relname as name,
            array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
            array(select p.relnamespace::regnamespace::text || '.' || p.relname from pg_constraint k join pg_class p on p.oid = k.confrelid
                  where k.conrelid = c.oid and k.contype = 'f') as refers
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' and n.nspname = any($1) and not c.relname = any($2)
     order by 1, 2`,
    [schemas, ofMigrations],
  )
  const byId = new Map(rows.map((row) => [`${row.schema}.${row.name}`, row]))
  return inOrder([...byId].map(([id, { refers }]) => ({ id, refersTo: refers }))).flatMap((id) => byId.get(id) ?? [])
}

async function listSequences(client: pg.ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ schema: string; name: string; value: number | null }>(
    'select schemaname as schema, sequencename as name, last_value as value from pg_sequences where schemaname = any($1) order by 1, 2',
    [schemas],
  )
  return rows.map(({ schema, name, value }) => ({ schema, name, value: value === null ? null : Number(value) }))
}

async function copyTable(client: pg.ClientBase, { schema, name, columns }: Found, folder: string): Promise<TableCopy> {
  const file = `tables/${schema}.${name}.gz`
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const rows = client.query(
    // Selected, so that a partitioned table is copied as one: it is restored as the schema lays it out.
    copyTo(`copy (select ${columns.map(quoted).join(', ')} from ${quoted(schema)}.${quoted(name)}) to stdout`),
  )
  await pipeline(
    rows,
    createGzip({ level: 6 }),
    hashing,
    createWriteStream(join(folder, file), { mode: 0o600, flush: true }),
  )
  return { schema, name, columns, rows: rows.rowCount, file, sha256: hash.digest('hex') }
}

/** What a backup is taken with. */
export type Taking = {
  readonly client: pg.ClientBase
  /** A folder that is not there yet. */
  readonly to: string
  readonly madeAt: Date
  /** Beside the rows: the sealed master key, when there is one. */
  readonly files: Readonly<Record<string, string>>
  readonly masterKey: Manifest['masterKey']
}

/** Takes it; the folder gets its name when all of it is on the disk. */
export async function takeBackup({ client, to, madeAt, files, masterKey }: Taking): Promise<Manifest> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  // A name of its own: whatever else lies there is not ours to remove.
  const draft = await mkdtemp(`${to}.unfinished-`)
  await mkdir(join(draft, 'tables'), { mode: 0o700 })
  await client.query('set idle_in_transaction_session_timeout = 0')
  await client.query('begin isolation level repeatable read read only')
  try {
    const migrations = await client.query<{ name: string }>('select name from kysely_migration order by name')
    const version = await client.query<{ server_version: string }>('show server_version')
    const tables: TableCopy[] = []
    for (const table of await listTables(client)) tables.push(await copyTable(client, table, draft))
    const manifest: Manifest = {
      format,
      madeAt: madeAt.toISOString(),
      postgres: version.rows[0]!.server_version,
      migrations: migrations.rows.map(({ name }) => name),
      tables,
      // After the rows: a number given out meanwhile must not be given out again.
      sequences: await listSequences(client),
      masterKey,
    }
    for (const [name, text] of Object.entries(files))
      await writeFile(join(draft, name), text, { mode: 0o600, flush: true })
    await writeFile(join(draft, manifestName), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600, flush: true })
    await rename(draft, to)
    const parent = await open(dirname(to))
    await parent.sync().finally(() => parent.close())
    return manifest
  } finally {
    await client.query('rollback')
    await rm(draft, { recursive: true, force: true })
  }
}
