/**
 * The embedded database moves to the next major version of PostgreSQL, from Debian's 15 where it is installed; whatever
 * ends the move, nothing is lost.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { access, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backup, restore } from '../../src/backup/index.ts'
import { keptAt, runUpgradeDatabase, upgradeDatabase } from '../../src/backup/upgrade.ts'
import type { Config } from '../../src/config/config.ts'
import { readConfig } from '../../src/config/env.ts'
import { judgeEmbedded } from '../../src/doctor/checks/database.ts'
import { readCredential } from '../../src/modules/accounts/index.ts'
import { majorOf } from '../../src/platform/db/embedded-cluster.ts'
import { buildPaths } from '../../src/platform/db/embedded-paths.ts'
import { stopPostmaster } from '../../src/platform/db/embedded-process.ts'
import { chooseRunner, runForFailure } from '../../src/platform/db/embedded-runner.ts'
import { startWithPrograms } from '../../src/platform/db/embedded-server.ts'
import { startEmbeddedPostgres } from '../../src/platform/db/embedded.ts'
import { clientConfig, openDatabase, type OpenDatabase } from '../../src/platform/db/open.ts'
import { makeVault } from '../../src/platform/secrets.ts'
import { long } from '../world/amount.ts'
import { temporaryFolder } from '../world/folder.ts'
import { findDrift } from '../world/oracle.ts'
import { contents } from '../world/contents.ts'
import { track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'
import { urlOf } from '../world/database-url.ts'

const old = '15'
const programs = `/usr/lib/postgresql/${old}/bin`

describe.runIf(long && existsSync(join(programs, 'postgres')))(`an embedded database of PostgreSQL ${old}`, () => {
  const world = useWorld()
  let dataDir: string
  let config: Config
  let team: Awaited<ReturnType<typeof world.team>>
  let whole: readonly string[]
  const paths = () => buildPaths(dataDir)

  /** A cluster as a release with the old PostgreSQL would have left it: everything of the world in it, and stopped. */
  beforeAll(async () => {
    team = await world.team()
    await world.operator('PUT', `/operator/teams/${team.id}/credentials/outreach`, { key: 'a-key-worth-keeping' })
    await track(team, world.handle(), { creditCapPerSync: 15 })
    await world.drain()
    dataDir = await temporaryFolder('les-upgrade-')
    const master = world.service.config.masterKey!
    config = readConfig({ LES_SANDBOX: '1', LES_DATA_DIR: dataDir, LES_MASTER_KEY: master.toString('base64') })
    const runner = await chooseRunner({ bin: programs, libraryPath: null }, dataDir)
    const draft = join(dataDir, 'draft')
    await mkdir(draft)
    await writeFile(join(draft, 'password'), 'of-the-old-cluster', { mode: 0o644 })
    await writeFile(paths().password, 'of-the-old-cluster\n', { mode: 0o600 })
    await mkdir(paths().cluster)
    if (process.geteuid?.() === 0) await chown(paths().cluster, runner.owner.uid, runner.owner.gid)
    const words = [
      '-D',
      paths().cluster,
      '-U',
      'les',
      `--pwfile=${join(draft, 'password')}`,
      '--encoding=UTF8',
      '--locale=C',
      '--lc-ctype=C.UTF-8',
      '--auth=scram-sha-256',
      '-N',
    ]
    expect(await runForFailure(runner.start('initdb', words, ['ignore', 'ignore', 'pipe']))).toBe(null)
    await rm(draft, { recursive: true })
    await writeFile(paths().marker, '{}\n')
    const server = await startWithPrograms(
      { paths: paths(), settings: { fsync: 'off' }, socketDir: null, log: () => {} },
      programs,
    )
    const admin = new pg.Client(clientConfig({ ...server.connection, database: 'postgres' }))
    await admin.connect()
    await admin.query('create database les')
    await admin.end()
    const external = readConfig({
      LES_SANDBOX: '1',
      DATABASE_URL: urlOf(world.database.connection),
      LES_MASTER_KEY: master.toString('base64'),
    })
    const folder = await temporaryFolder('les-upgrade-rows-')
    await backup(external, { to: join(folder, 'rows'), passphrase: null }, () => {})
    await restore(
      { ...external, databaseUrl: urlOf(server.connection) },
      { from: join(folder, 'rows'), passphrase: null },
      () => {},
    )
    await rm(folder, { recursive: true })
    whole = await contents(world.database)
    await stopPostmaster(server.pid, paths().cluster)
  }, 120_000)
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  const onNew = async <T>(look: (database: OpenDatabase) => Promise<T>): Promise<T> => {
    const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
    const database = openDatabase(server.connection, { poolSize: 2, onError: () => {} })
    try {
      return await look(database)
    } finally {
      await database.close()
      await server.stop()
    }
  }

  it('is named by a start and by the doctor; a move that fails before the new one is proven leaves it as it was; ' +
    'one that is ended between the last two steps is finished by the next; then every row is there, sealed ' +
    'secrets open, and the old one lies beside it', async () => {
    await expect(startEmbeddedPostgres({ dataDir, log: () => {} })).rejects.toThrow('Run les-server upgrade-database')
    expect(await judgeEmbedded(dataDir)).toMatchObject({
      level: 'bad',
      text: expect.stringContaining(`PostgreSQL ${old}`),
    })
    await expect(upgradeDatabase(config, { from: '/nowhere', write: () => {} })).rejects.toThrow(
      'there is no program postgres in /nowhere',
    )

    for (const step of ['load', 'prove'] as const) {
      const ending = async (at: string) => {
        if (at === step) throw new Error(`ended before ${step}`)
      }
      await expect(upgradeDatabase(config, { from: null, write: () => {}, between: ending })).rejects.toThrow(
        `ended before ${step}`,
      )
      expect([
        await majorOf(paths()),
        (await readdir(dataDir)).filter((name) => name.startsWith('postgres-up')),
      ]).toEqual([old, []])
    }
    // The process dies when all is proven and the old cluster has given up its name.
    const dying = async (at: string) => {
      if (at !== 'names') return
      await rename(paths().cluster, keptAt(paths(), old))
      throw new Error('killed')
    }
    await expect(upgradeDatabase(config, { from: programs, write: () => {}, between: dying })).rejects.toThrow('killed')
    await expect(startEmbeddedPostgres({ dataDir, log: () => {} })).rejects.toThrow(
      'upgrade-database, which finishes it',
    )
    expect(await judgeEmbedded(dataDir)).toMatchObject({ level: 'bad', text: expect.stringContaining('last step') })

    const said: string[] = []
    await upgradeDatabase(config, { from: null, write: (text) => said.push(text) })
    expect(said.join('')).toContain('finished the upgrade')
    expect(await judgeEmbedded(dataDir)).toBe(null)
    await access(join(keptAt(paths(), old), 'PG_VERSION'))
    await onNew(async (database) => {
      expect(await contents(database)).toEqual(whole)
      expect(await findDrift(database.root)).toEqual([])
      expect(
        await readCredential(database.root, {
          vault: makeVault(config.masterKey!, randomBytes),
          teamId: team.id,
          kind: 'outreach',
        }),
      ).toBe('a-key-worth-keeping')
    })
    await upgradeDatabase(config, { from: null, write: (text) => said.push(text) })
    expect(said.at(-1)).toContain('already')
  }, 120_000)
})

it(
  'a database of another major version, and a move that was ended at its last step, are refused by a start and ' +
    'named by the doctor with what to do; so are a move without an embedded database, and words that make no sense',
  async () => {
    const folder = await temporaryFolder('les-upgrade-')
    const [paths, settings] = [buildPaths(folder), { LES_SANDBOX: '1', LES_DATA_DIR: folder }]
    try {
      await mkdir(paths.cluster)
      await writeFile(join(paths.cluster, 'PG_VERSION'), '17\n')
      await expect(startEmbeddedPostgres({ dataDir: folder, log: () => {} })).rejects.toThrow(
        'Run les-server upgrade-data',
      )
      expect(await judgeEmbedded(folder)).toMatchObject({
        level: 'bad',
        text: expect.stringContaining('PostgreSQL 17'),
      })
      await expect(upgradeDatabase(readConfig(settings), { from: '/nowhere', write: () => {} })).rejects.toThrow(
        'no program postgres',
      )
      await writeFile(join(paths.cluster, 'PG_VERSION'), '99\n')
      await expect(upgradeDatabase(readConfig(settings), { from: null, write: () => {} })).rejects.toThrow(
        'start the later version',
      )

      // Ended between the two names: an empty database must not be made in the place of the proven one.
      await rename(paths.cluster, keptAt(paths, '17'))
      await mkdir(paths.upgrade)
      await writeFile(paths.upgradeProven, '{}')
      await expect(startEmbeddedPostgres({ dataDir: folder, log: () => {} })).rejects.toThrow('which finishes it')
      expect(await judgeEmbedded(folder)).toMatchObject({ level: 'bad', text: expect.stringContaining('last step') })
      expect(await majorOf(paths)).toBe(null)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    const external = { ...readConfig(settings), databaseUrl: 'postgres://localhost/x' }
    await expect(upgradeDatabase(external, { from: null, write: () => {} })).rejects.toThrow('DATABASE_URL is set')
    const err: string[] = []
    const words = (text: string) => err.push(text)
    expect(await runUpgradeDatabase(['--form', 'x'], words, words)).toBe(2)
    expect(err.join('')).toContain('les-server upgrade-database [--from FOLDER]')
  },
)
