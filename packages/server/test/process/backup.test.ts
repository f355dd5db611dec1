/**
 * A backup under load, a lost database, a restore, and everything is there again. It needs a pg_dump that can read the server, so
 * it runs in the second pass only; tests of copied data folders and of missing programs always run.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { backup, checkBackup, restore, runBackupCommand } from '../../src/backup/index.ts'
import { readConfig } from '../../src/config/env.ts'
import type { Config } from '../../src/config/config.ts'
import { readCredential } from '../../src/modules/accounts/index.ts'
import { clientConfig, openDatabase, type ConnectionSettings } from '../../src/platform/db/open.ts'
import { makeVault } from '../../src/platform/secrets.ts'
import { contents } from '../world/contents.ts'
import { urlOf } from '../world/database-url.ts'
import { freshDatabase } from '../world/database.ts'
import { temporaryFolder } from '../world/folder.ts'
import { findDrift } from '../world/oracle.ts'
import { track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld()
let area: string
let master: Buffer
beforeAll(async () => {
  area = await temporaryFolder('les-backup-')
  master = world.service.config.masterKey!
})
afterAll(async () => {
  await rm(area, { recursive: true, force: true })
})

const quiet = () => {}
const settingsOf = (connection: ConnectionSettings, key: Buffer = master): Config =>
  readConfig({
    DATABASE_URL: urlOf(connection),
    LES_SANDBOX: '1',
    LES_MASTER_KEY: key.toString('base64'),
    LES_DATA_DIR: area,
  })

const signedIn = ['session', 'verification', 'deviceCode', 'oauthConsent', 'oauthRefreshToken', 'oauthAccessToken']

async function populate() {
  const team = await world.team()
  await world.operator('PUT', `/operator/teams/${team.id}/credentials/outreach`, { key: 'a-key-worth-keeping' })
  await track(team, world.handle(), { creditCapPerSync: 15 })
  await world.drain()
  const { pool } = world.database
  const user = `u-${team.id}`
  await pool.query(
    `insert into sign_in."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      values ($1, 'Ann', $1 || '@restored.example', true, now(), now())`,
    [user],
  )
  await pool.query(
    `insert into sign_in.membership (user_id, team_id, role, created_at) values ($1, $2, 'owner', now())`,
    [user, team.id],
  )
  await pool.query(
    `insert into sign_in.session (id, token, "userId", "expiresAt", "createdAt", "updatedAt")
      values ($1, $1, $1, now() + interval '1 day', now(), now())`,
    [user],
  )
  await pool.query(
    `insert into sign_in.verification (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
      values ($1, 'reset-password:x', $1, now() + interval '1 day', now(), now())`,
    [user],
  )
  return { team, email: `${user}@restored.example` }
}

const rowsOf = async (connection: ConnectionSettings, table: string): Promise<number> => {
  const client = new pg.Client(clientConfig(connection))
  await client.connect()
  const { rowCount } = await client.query(`select 1 from ${table}`).finally(() => client.end())
  return rowCount ?? 0
}

async function expectNobodySignedIn(connection: ConnectionSettings): Promise<void> {
  for (const table of signedIn) expect([table, await rowsOf(connection, `sign_in."${table}"`)]).toEqual([table, 0])
  expect(await rowsOf(connection, 'sign_in.membership')).toBeGreaterThan(0)
}

describe('a database that was put back by other means', () => {
  test('is finished by restore without a folder: no session and no app lives, and keys and members are named [SEC-17]', async () => {
    const { email } = await populate()
    const said: string[] = []
    await restore(settingsOf(world.database.connection), null, (text) => said.push(text))
    await expectNobodySignedIn(world.database.connection)
    expect(said.join('')).toMatch(/Everybody was signed out.*\d+ API keys\n/s)
    expect(said.join('')).toContain(`${email} (owner), since`)
    expect(said.join('')).toContain('The master key opens what is sealed in it.')
    await expect(restore(settingsOf(world.database.connection, randomBytes(32)), null, quiet)).rejects.toThrow(
      'fingerprint',
    )
  })
})

test('without pg_dump a backup says what to install and what to do instead, and leaves nothing behind [SEC-18]', async () => {
  vi.stubEnv('PATH', join(area, 'no-programs'))
  try {
    const to = join(area, 'without')
    await mkdir(`${to}.unfinished`)
    await writeFile(join(`${to}.unfinished`, 'kept'), 'kept')
    await expect(backup(settingsOf(world.database.connection), to, quiet)).rejects.toThrow(
      /no program pg_dump here: install .*copy the whole data folder/,
    )
    expect((await readdir(area)).filter((name) => name.startsWith('without'))).toEqual(['without.unfinished'])
    expect(await readFile(join(`${to}.unfinished`, 'kept'), 'utf8')).toBe('kept')
    await expect(checkBackup(`${to}.unfinished`)).rejects.toThrow('no finished backup')
  } finally {
    vi.unstubAllEnvs()
  }
  const err: string[] = []
  const run = (words: string[]) => runBackupCommand('backup', words, { out: quiet, err: (text) => err.push(text) })
  expect([await run([]), await run(['--too', 'x'])]).toEqual([2, 2])
  expect(err.join('')).toContain('les-server backup --to FOLDER')
})

async function isDumpable(): Promise<boolean> {
  const client = new pg.Client(clientConfig(inject('postgres').server))
  await client.connect()
  const { rows } = await client.query(`select current_setting('server_version_num')::int / 10000 as major`)
  await client.end()
  try {
    const version = execFileSync('pg_dump', ['--version'], { encoding: 'utf8' })
    return Number(/\) (\d+)/.exec(version)?.[1]) >= rows[0].major
  } catch {
    return false
  }
}

describe.runIf(await isDumpable())('a backup by pg_dump', () => {
  test('taken while work goes on is one instant: restored elsewhere, money and leads add up, sealed secrets open and ' +
    'nobody is signed in; taken at rest, every other row is there again [SEC-17]', async () => {
    const { team, email } = await populate()
    const config = settingsOf(world.database.connection)
    const busy = track(team, world.handle(), { creditCapPerSync: 15 }).then(() => world.drain())
    const said: string[] = []
    // A new folder for each try of this test: a backup never replaces another.
    const folders = await mkdtemp(join(area, 'instants-'))
    await backup(config, join(folders, 'busy'), (text) => said.push(text))
    await busy
    await backup(config, join(folders, 'rest'), quiet)
    expect(said.join('')).toMatch(/THE MASTER KEY IS NOT IN THIS BACKUP \(fingerprint \w+\)/)
    // The request log and costs are written some time after the calls.
    const late = /^(?:les_\d+\.)?(?:sign_in\."?(?:session|verification)|request_log|serving_cost|vendor_cost_day)/
    const lasting = (lines: readonly string[]) => lines.filter((line) => !late.test(line))
    const whole = lasting(await contents(world.database))

    for (const folder of ['busy', 'rest']) {
      const empty = await freshDatabase({ bare: true, seesAll: true })
      try {
        const names: string[] = []
        await restore(settingsOf(empty.connection), join(folders, folder), (text) => names.push(text))
        expect(names.join('')).toContain(`${email} (owner), since`)
        await expectNobodySignedIn(empty.connection)
        const database = openDatabase(empty.connection, { poolSize: 2, onError: quiet })
        expect(await findDrift(database.root)).toEqual([])
        expect(await rowsOf(empty.connection, 'lead')).toBeGreaterThan(0)
        const vault = makeVault(master, randomBytes)
        expect(await readCredential(database.root, { vault, teamId: team.id, kind: 'outreach' })).toBe(
          'a-key-worth-keeping',
        )
        if (folder === 'rest') expect(lasting(await contents(database))).toEqual(whole)
        await database.close()
        await expect(restore(settingsOf(empty.connection), join(folders, folder), quiet)).rejects.toThrow('not empty')
      } finally {
        await empty.drop()
      }
    }
  }, 120_000)

  test('is checked before any row goes in: another key, a damaged dump, a later schema; no folder is replaced', async () => {
    const folder = join(area, 'checked')
    await backup(settingsOf(world.database.connection), folder, quiet)
    await expect(backup(settingsOf(world.database.connection), folder, quiet)).rejects.toThrow('is there already')
    const said: string[] = []
    const check = () =>
      runBackupCommand('restore', ['--from', folder, '--check'], {
        out: (text) => said.push(text),
        err: (text) => said.push(text),
      })
    expect(await check()).toBe(0)
    expect(said.join('')).toContain('is whole')
    const empty = await freshDatabase({ bare: true })
    try {
      const refused = (key?: Buffer) => restore(settingsOf(empty.connection, key), folder, quiet)
      await expect(refused(randomBytes(32))).rejects.toThrow('the one here has the fingerprint')
      const manifest = join(folder, 'backup.json')
      const text = await readFile(manifest, 'utf8')
      await writeFile(manifest, text.replace('"migrations": [', '"migrations": ["9999-later",'))
      await expect(refused()).rejects.toThrow('9999-later')
      await writeFile(manifest, text)
      const dump = join(folder, 'database.dump')
      const bytes = await readFile(dump)
      bytes[bytes.length - 5]! ^= 1
      await writeFile(dump, bytes)
      await expect(refused()).rejects.toThrow('is damaged')
      expect(await check()).toBe(1)
      expect(await rowsOf(empty.connection, `pg_tables where schemaname = 'public'`)).toBe(0)
    } finally {
      await empty.drop()
    }
  }, 120_000)
})
