/** Puts a backup into an empty database: the schema as it was then, all rows in one transaction, then the schema of this program. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrate, migrationNames } from '../platform/db/migrate.ts'
import type { OpenDatabase } from '../platform/db/open.ts'
import { manifestName, readManifest, type Manifest, type TableCopy } from './manifest.ts'
import { quoted } from './take.ts'

/** Reads what a backup says of itself and compares every file with it; throws in words when something is missing or changed. */
export async function checkBackup(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new Error(`${folder} is no finished backup: it has no ${manifestName}`)
  })
  const manifest = readManifest(text)
  for (const { file, sha256 } of manifest.tables) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, file)), hash).catch(() => {
      throw new Error(`${file} of the backup cannot be read`)
    })
    if (hash.digest('hex') !== sha256) throw new Error(`${file} of the backup is damaged: its checksum is another one`)
  }
  const known = new Set(migrationNames)
  const later = manifest.migrations.filter((name) => !known.has(name))
  if (later.length > 0)
    throw new Error(
      `The backup was made by a later version of the service (${later.join(', ')}): restore it with that one, or with a later one still`,
    )
  return manifest
}

/** Refuses a database in which somebody has worked: a restore never mixes two. */
async function refuseUsed(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ laid: string | null }>(`select to_regclass('public.team')::text as laid`)
  if (rows[0]!.laid === null) return
  const used = await client.query('select 1 from team limit 1')
  if (used.rows.length > 0)
    throw new Error('The database is not empty: restore into an empty one (another LES_DATA_DIR or DATABASE_URL)')
}

const fullName = ({ schema, name }: { schema: string; name: string }): string => `${quoted(schema)}.${quoted(name)}`

async function load(client: pg.ClientBase, folder: string, table: TableCopy): Promise<void> {
  const into = client.query(copyFrom(`copy ${fullName(table)} (${table.columns.map(quoted).join(', ')}) from stdin`))
  await pipeline(createReadStream(join(folder, table.file)), createGunzip(), into)
  if (into.rowCount !== table.rows)
    throw new Error(`${table.file}: ${into.rowCount} rows went in, the backup counted ${table.rows}`)
}

/** Tables that triggers hold to their teams, once a statement, and no foreign key (docs/decisions/0099). */
const heldByTriggers = ['lead', 'person', 'enrichment_task', 'credit_entry']

/** Refuses rows of teams that are not there: triggers are off while rows are loaded. */
async function refuseStrays(client: pg.ClientBase, { tables }: Manifest): Promise<void> {
  for (const table of tables.filter(({ schema, name }) => schema === 'public' && heldByTriggers.includes(name))) {
    const strays = await client.query(
      `select 1 from ${fullName(table)} r where not exists (select 1 from team t where t.id = r.team_id) limit 1`,
    )
    if (strays.rows.length > 0) throw new Error(`${table.file} has rows of a team that the backup does not have`)
  }
}

/** What lets people and their apps in without a password: tables that refer to others first. */
const signIns = ['oauthAccessToken', 'oauthRefreshToken', 'oauthConsent', 'deviceCode', 'verification', 'session']

/** Ends what a backup would bring back to life: sessions and apps that were ended after it, links and codes that were used. */
async function endSignIns(client: pg.ClientBase, { tables }: Manifest): Promise<void> {
  for (const name of signIns)
    if (tables.some((table) => table.schema === 'sign_in' && table.name === name))
      await client.query(`delete from ${fullName({ schema: 'sign_in', name })}`)
}

/** What is restored; back in time, when the service went on after the backup was taken. */
export type Restoring = { readonly folder: string; readonly manifest: Manifest; readonly isBackInTime?: boolean }

/** Restores a backup that `checkBackup` has found whole. Whatever fails leaves the database without rows, to be tried again. */
export async function restoreBackup(
  database: OpenDatabase,
  { folder, manifest, isBackInTime = false }: Restoring,
): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('set idle_in_transaction_session_timeout = 0')
    await refuseUsed(client)
    await migrate(database.bare, manifest.migrations.at(-1))
    await client.query('begin')
    // What migrations put in themselves is in the backup as well, as it was later.
    await client.query(`truncate ${manifest.tables.map(fullName).join(', ')}`)
    // What triggers keep is in the backup as well.
    for (const table of manifest.tables) await client.query(`alter table ${fullName(table)} disable trigger user`)
    for (const table of manifest.tables) await load(client, folder, table)
    for (const table of manifest.tables) await client.query(`alter table ${fullName(table)} enable trigger user`)
    await refuseStrays(client, manifest)
    if (isBackInTime) await endSignIns(client, manifest)
    for (const { schema, name, value } of manifest.sequences)
      if (value !== null) await client.query('select setval($1::regclass, $2)', [fullName({ schema, name }), value])
    await client.query('commit')
    await client.query('analyze')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release(true)
  }
  await migrate(database.bare)
}
