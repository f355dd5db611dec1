/**
 * The database is killed repeatedly under a working service, which restarts it: nothing acknowledged is lost, nobody is charged
 * twice, every lead is delivered. `LES_TEST_DATABASE_KILLS=100` kills more often.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parsePostmasterFile } from '../../src/platform/db/embedded-process.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { openInbox, type Inbox } from '../world/inbox.ts'
import { amount, long } from '../world/amount.ts'
import { findDrift } from '../world/oracle.ts'
import { layOut } from './laid-out.ts'
import { builtProgram } from './program.ts'
import { endPrograms, startProgram, type Spawned } from './spawned.ts'
import { expireLeases, pause, until } from './stage.ts'
import { temporaryFolder } from '../world/folder.ts'

const kills = Number(process.env.LES_TEST_DATABASE_KILLS ?? amount(2, 50))
const waitLimitMs = 120_000

const operatorToken = 'operator-token-of-the-kills'

let area: string
let inbox: Inbox
let service: Spawned
beforeAll(async () => {
  area = await temporaryFolder('les-database-kills-')
  inbox = await openInbox()
})
afterAll(async () => {
  await endPrograms()
  await inbox.close()
  await rm(area, { recursive: true, force: true })
})

async function start(): Promise<{ address: string; key: string }> {
  const program = await builtProgram()
  await layOut(join(area, 'data'))
  service = startProgram([program.path], {
    cwd: area,
    settings: {
      PORT: '0',
      ...program.settings,
      LES_DATA_DIR: join(area, 'data'),
      LES_ALLOW_PRIVATE_DESTINATIONS: '1',
      LES_OPERATOR_TOKEN: operatorToken,
      LES_SEED_DEMO: '0',
    },
  })
  const address = await service.says(/Lead Engagement Service at (http:\S+)/)
  const made = await fetch(`${address}/operator/teams`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'A team',
      credits: 1_000_000,
      limits: { reads: 100_000, writes: 100_000, untrackedPosts: 10 },
    }),
  })
  return { address, key: ((await made.json()) as { apiKey: string }).apiKey }
}

const postmaster = async () =>
  parsePostmasterFile(await readFile(join(area, 'data/postgres/postmaster.pid'), 'utf8').catch(() => ''))

/** Kills the database as a failing machine would. */
async function killDatabase(): Promise<void> {
  const running = await until('a running database', async () => (await postmaster()) ?? undefined)
  process.kill(running.pid, 'SIGKILL')
  await until(
    'another database',
    async () => {
      const next = await postmaster()
      return next && next.pid !== running.pid ? true : undefined
    },
    25,
    waitLimitMs,
  ).catch(async (error) => {
    throw new Error(
      `${error.message}\n${service.err().slice(-3_000)}\n${(await readFile(join(area, 'data/postgres.log'), 'utf8')).slice(-3_000)}`,
    )
  })
}

it(
  `${kills} kills: nothing acknowledged is gone, nobody is charged twice, every lead is delivered [CRD-13, CRD-14, SYN-02, WHK-17]`,
  async () => {
    const { address, key } = await start()
    const failuresWithoutRetryAfter: string[] = []
    const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> => {
      const response = await fetch(`${address}/api/v1${path}`, {
        method,
        headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch(async (error: Error) => {
        await pause(1_000)
        throw new Error(
          `${method} ${path}: ${String(error.cause)} (exit code ${service.child.exitCode}, ` +
            `signal ${service.child.signalCode})\n${service.err().slice(-6_000)}`,
        )
      })
      if (response.status >= 500 && !(response.status === 503 && Number(response.headers.get('retry-after')) > 0))
        failuresWithoutRetryAfter.push(`${method} ${path}: ${response.status}`)
      return { status: response.status, body: await response.json() }
    }
    /** Repeats a request until it succeeds: a 503 with Retry-After says that it had no effect. */
    const retryUntilSuccess = (what: string, ...request: Parameters<typeof call>) =>
      until(what, async () => ((await call(...request)).status < 300 ? true : undefined), 50, waitLimitMs)
    const tracked: string[] = []
    for (let kill = 0; kill < kills; kill++) {
      const username = `survivor-${kill}`
      await retryUntilSuccess('tracking', 'POST', '/enrich/profile', {
        username,
        saveTrackedProfile: true,
        firstSyncPosts: 2,
        creditCapPerSync: 60,
      })
      await retryUntilSuccess('a webhook', 'PUT', `/profile/${username}/webhook`, { webhookUrl: inbox.url })
      tracked.push(username)
      // Kills at different moments, the same in every run.
      await pause((kill * 97) % 300)
      await killDatabase()
    }
    // postmaster.pid names the socket before the server listens on it.
    const server = await until('an address of the database', async () => {
      const { socketDir, port } = (await postmaster()) ?? {}
      return socketDir && port ? { socketDir, port } : undefined
    })
    const password = (await readFile(join(area, 'data/postgres-password'), 'utf8')).trim()
    const database = openDatabase(
      { host: server.socketDir, port: server.port, user: 'les', password, database: 'les' },
      { poolSize: 1, onError: () => {} },
    )
    const isUp = () =>
      database.pool.query('select 1').then(
        () => true as const,
        () => undefined,
      )
    await until('a database that answers', isUp, 25, waitLimitMs)
    // Only the long run waits a minute for the leases of interrupted work to expire.
    if (!long) await expireLeases(database.pool)
    for (const username of tracked) {
      await until(
        `the sync of ${username}`,
        async () => {
          const { status, body } = await call('GET', `/profile/${username}/sync`)
          return status === 200 && body.state === 'completed' ? true : undefined
        },
        200,
        waitLimitMs,
      ).catch(async (error) => {
        throw new Error(
          `${error.message}\n${JSON.stringify((await call('GET', `/profile/${username}/sync`)).body)}\n${service.err().slice(-6_000)}`,
        )
      })
    }
    await until(
      'every delivery',
      async () => {
        const { rows } = await database.pool.query("select 1 from delivery where state = 'pending' limit 1")
        return rows.length === 0 ? true : undefined
      },
      200,
      waitLimitMs,
    )
    expect(await findDrift(database.root)).toEqual([])
    // Saving a URL never delivers earlier leads (WHK-02), so leads enriched before their webhook was saved are not sent.
    const { rows } = await database.pool.query<{ id: string }>("select id from lead where webhook_status = 'sent'")
    const received = new Map<string, Set<string>>()
    for (const { headers, body } of inbox.received.filter(({ body }) => body.event === 'lead.detected')) {
      const ids = received.get(body.lead.id) ?? new Set()
      received.set(body.lead.id, ids.add(String(headers['webhook-id'])))
    }
    expect([...received.keys()].sort()).toEqual(rows.map(({ id }) => id).sort())
    expect([...received.values()].filter((ids) => ids.size !== 1)).toEqual([])
    await database.close()
    expect(failuresWithoutRetryAfter).toEqual([])
    expect(service.err()).not.toContain('"level":"fatal"')
  },
  // Longer than the longest wait inside, so that a failure names what was waited for.
  2 * waitLimitMs + kills * 20_000,
)
