/** The drill: a backup under load, a database that is lost, a restore, and everything there again. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { backup, restore, runBackupCommand } from '../../src/backup/index.ts'
import { readConfig } from '../../src/config/env.ts'
import type { Config } from '../../src/config/config.ts'
import { readCredential } from '../../src/modules/accounts/index.ts'
import { clientConfig, openDatabase } from '../../src/platform/db/open.ts'
import { makeVault } from '../../src/platform/secrets.ts'
import { contents } from '../world/contents.ts'
import { temporaryFolder } from '../world/folder.ts'
import { inDatabase } from '../world/global-setup.ts'
import { findDrift } from '../world/oracle.ts'
import { track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'
import { urlOf } from '../world/database-url.ts'

const world = useWorld()
const passphrase = 'a passphrase of some length'
let area: string
beforeAll(async () => {
  area = await temporaryFolder('les-backup-')
})
afterAll(async () => {
  await rm(area, { recursive: true, force: true })
})

const settingsOf = (connection: Parameters<typeof urlOf>[0], key: Buffer): Config =>
  readConfig({
    DATABASE_URL: urlOf(connection),
    LES_SANDBOX: '1',
    LES_MASTER_KEY: key.toString('base64'),
    LES_DATA_DIR: area,
  })

/** Runs something on an empty database that nobody has laid out, and drops it. */
async function onEmpty<T>(name: string, run: (connection: Parameters<typeof urlOf>[0]) => Promise<T>): Promise<T> {
  const { server } = inject('postgres')
  const admin = new pg.Client(clientConfig(server))
  await admin.connect()
  const database = `les_restored_${process.pid}_${name}`
  try {
    await admin.query(`create database ${database}`)
    return await run(inDatabase(server, database))
  } finally {
    await admin.query(`drop database if exists ${database} with (force)`)
    await admin.end()
  }
}

describe('a backup', () => {
  test('taken while people are captured and work goes on is one instant: restored elsewhere, money and leads add up ' +
    'and sealed secrets open; taken at rest, every row is there again', async () => {
    const team = await world.team()
    await world.operator('PUT', `/operator/teams/${team.id}/credentials/outreach`, { key: 'a-key-worth-keeping' })
    await track(team, world.handle(), { creditCapPerSync: 15 })
    await world.drain()
    const master = world.service.config.masterKey!
    const config = settingsOf(world.database.connection, master)
    const said: string[] = []

    // Under load: somebody else is tracked and worked on while the tables are read.
    const busy = track(team, world.handle(), { creditCapPerSync: 15 }).then(() => world.drain())
    await backup(config, { to: join(area, 'busy'), passphrase }, (text) => said.push(text))
    await busy
    await backup(config, { to: join(area, 'quiet'), passphrase }, (text) => said.push(text))
    const whole = await contents(world.database)
    expect(said.join('')).not.toContain('NOT IN THIS BACKUP')
    for (const folder of ['busy', 'quiet']) {
      const files = await readdir(join(area, folder), { recursive: true })
      expect(files).toContain('master-key.sealed')
      expect(files).toContain(join('tables', 'public.lead.gz'))
    }

    for (const folder of ['busy', 'quiet'])
      await onEmpty(folder, async (connection) => {
        const { key } = await restore(
          settingsOf(connection, master),
          { from: join(area, folder), passphrase },
          () => {},
        )
        const database = openDatabase(connection, { poolSize: 2, onError: () => {} })
        try {
          expect(await findDrift(database.root)).toEqual([])
          const { rows } = await database.pool.query<{ leads: number }>('select count(*) as leads from lead')
          expect(rows[0]!.leads).toBeGreaterThan(0)
          expect(
            await readCredential(database.root, {
              vault: makeVault(key!, randomBytes),
              teamId: team.id,
              kind: 'outreach',
            }),
          ).toBe('a-key-worth-keeping')
          if (folder === 'quiet') expect(await contents(database)).toEqual(whole)
        } finally {
          await database.close()
        }
        // What was restored is somebody's database now.
        await expect(
          restore(settingsOf(connection, master), { from: join(area, folder), passphrase }, () => {}),
        ).rejects.toThrow('not empty')
      })
  }, 120_000)

  test('brings no session and no app back to life, and names the keys, members and invitations that are there again [SEC-17]', async () => {
    const team = await world.team()
    const { pool } = world.database
    await pool.query(`insert into sign_in."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      values ('u-restored', 'Ann', 'ann@restored.example', true, now(), now())`)
    await pool.query(
      `insert into sign_in.membership (user_id, team_id, role, created_at) values ('u-restored', $1, 'owner', now())`,
      [team.id],
    )
    await pool.query(`insert into sign_in.session (id, token, "userId", "expiresAt", "createdAt", "updatedAt")
      values ('s-restored', 't-restored', 'u-restored', now() + interval '1 day', now(), now())`)
    await pool.query(`insert into sign_in.verification (id, identifier, value, "expiresAt", "createdAt", "updatedAt")
      values ('v-restored', 'reset-password:x', 'u-restored', now() + interval '1 day', now(), now())`)
    const master = world.service.config.masterKey!
    await backup(settingsOf(world.database.connection, master), { to: join(area, 'people'), passphrase }, () => {})
    const said: string[] = []
    await onEmpty('people', async (connection) => {
      await restore(settingsOf(connection, master), { from: join(area, 'people'), passphrase }, (text) =>
        said.push(text),
      )
      const client = new pg.Client(clientConfig(connection))
      await client.connect()
      for (const table of [
        'session',
        'verification',
        '"deviceCode"',
        '"oauthConsent"',
        '"oauthRefreshToken"',
        '"oauthAccessToken"',
      ])
        expect([table, (await client.query(`select 1 from sign_in.${table}`)).rowCount]).toEqual([table, 0])
      expect((await client.query('select 1 from sign_in.membership')).rowCount).toBeGreaterThan(0)
      await client.end()
    })
    expect(said.join('')).toMatch(/Everybody was signed out.*\d+ API keys\n.*ann@restored\.example \(owner\), since/s)
  }, 120_000)

  test('removes no folder that it did not make [SEC-18]', async () => {
    const config = settingsOf(world.database.connection, world.service.config.masterKey!)
    const to = join(area, 'mine')
    await mkdir(`${to}.unfinished`)
    await writeFile(join(`${to}.unfinished`, 'kept'), 'kept')
    await backup(config, { to, passphrase }, () => {})
    expect(await readFile(join(`${to}.unfinished`, 'kept'), 'utf8')).toBe('kept')
    expect((await readdir(area)).filter((name) => name.startsWith('mine'))).toEqual(['mine', 'mine.unfinished'])
  }, 120_000)

  test('without the master key says so loudly; a damaged file, wrong key or passphrase is refused before any row', async () => {
    const master = world.service.config.masterKey!
    const config = settingsOf(world.database.connection, master)
    const folder = join(area, 'bare')
    const said: string[] = []
    await backup(config, { to: folder, passphrase: null }, (text) => said.push(text))
    expect(said.join('')).toMatch(/THE MASTER KEY IS NOT IN THIS BACKUP \(fingerprint \w+\)/)
    await expect(backup(config, { to: folder, passphrase: null }, () => {})).rejects.toThrow('is there already')

    await onEmpty('refused', async (connection) => {
      const laidOut = async () => {
        const client = new pg.Client(clientConfig(connection))
        await client.connect()
        const { rows } = await client.query(`select to_regclass('public.team') is not null as there`)
        await client.end()
        return rows[0].there as boolean
      }
      await expect(
        restore(settingsOf(connection, randomBytes(32)), { from: folder, passphrase: null }, () => {}),
      ).rejects.toThrow('The master key of this place has the fingerprint')
      await backup(config, { to: join(area, 'sealed'), passphrase }, () => {})
      await expect(
        restore(
          settingsOf(connection, master),
          { from: join(area, 'sealed'), passphrase: 'another passphrase altogether' },
          () => {},
        ),
      ).rejects.toThrow('does not open')

      // Where the machine is lost, its key comes back from the backup alone.
      const [given, key] = [join(area, 'passphrase'), join(area, 'key-again')]
      await writeFile(given, `${passphrase}\n`)
      const words = ['--from', join(area, 'sealed'), '--key-to', key]
      const run = (...more: string[]) =>
        runBackupCommand('restore', [...words, ...more], { out: () => {}, err: () => {} })
      expect(await run()).toBe(2)
      expect(await run('--key-passphrase-file', given)).toBe(0)
      expect([await readFile(key, 'utf8'), (await stat(key)).mode & 0o777]).toEqual([
        `${master.toString('base64')}\n`,
        0o600,
      ])
      expect(await run('--key-passphrase-file', given)).toBe(1)
      const damaged = join(folder, 'tables/public.team.gz')
      const bytes = await readFile(damaged)
      bytes[bytes.length - 5]! ^= 1
      await writeFile(damaged, bytes)
      await expect(
        restore(settingsOf(connection, master), { from: folder, passphrase: null }, () => {}),
      ).rejects.toThrow('is damaged')
      await mkdir(join(area, 'nothing'))
      await expect(
        restore(settingsOf(connection, master), { from: join(area, 'nothing'), passphrase: null }, () => {}),
      ).rejects.toThrow('no finished backup')
      expect(await laidOut()).toBe(false)
    })
    const err: string[] = []
    const run = (words: string[]) => runBackupCommand('backup', words, { out: () => {}, err: (text) => err.push(text) })
    expect([await run([]), await run(['--too', 'x'])]).toEqual([2, 2])
    expect(err.join('')).toContain('les-server backup --to FOLDER')
  }, 120_000)
})
