/**
 * Two HTTP processes, two workers and two clocks on one database; some die. For measurements: `LES_TEST_HTTP_PROCESSES`,
 * `LES_TEST_SENDERS` (concurrent calls of a storm), `LES_TEST_UNTRACKED_READS`, `LES_TEST_RESTARTS`, `LES_TEST_RESTART_RATE`
 * (requests per second).
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { amount, sized } from '../world/amount.ts'
import { findDrift } from '../world/oracle.ts'
import {
  call,
  makeTeam,
  openStage,
  operate,
  pause,
  until,
  type Answer,
  type Process,
  type Stage,
  type Team,
} from './stage.ts'

let stage: Stage
let https: [Process, Process, ...Process[]]
let workers: Process[]

beforeAll(async () => {
  stage = await openStage()
  const servers = sized('LES_TEST_HTTP_PROCESSES', 2)
  const roles = [...Array<string>(servers).fill('http'), 'worker', 'worker']
  const all = await Promise.all(roles.map((role) => stage.start({ LES_ROLES: role })))
  https = [all[0]!, all[1]!, ...all.slice(2, servers)]
  workers = all.slice(servers)
}, 120_000)
afterEach(async () => {
  expect(await findDrift(stage.database.root)).toEqual([])
})
afterAll(() => stage?.close())

const sendersAtOnce = sized('LES_TEST_SENDERS', 10)
const untrackedReads = sized('LES_TEST_UNTRACKED_READS', amount(40, 100, 20))
/** Calls of a storm on a window that allows 120 or 60. */
const inARow = amount(200, 500, 150)

/** Calls the HTTP processes in turn, few at once, since a team's long queue ends in 503 instead of 429 (decision 0004). */
async function storm(
  count: number,
  team: Team,
  method: string,
  path: (at: number) => string,
  body?: unknown,
): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = 0
  const sender = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++)
      answers[at] = await call(https[at % https.length]!.url, team, method, path(at), body)
  }
  await Promise.all(Array.from({ length: sendersAtOnce }, sender))
  return answers
}
const served = (answers: readonly Answer[]) => answers.filter(({ status }) => status !== 429)

async function trackAt(
  url: string,
  team: Team,
  author: string,
  settings: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await call(url, team, 'POST', '/enrich/profile', {
    username: author,
    saveTrackedProfile: true,
    ...settings,
  })
  expect([status, body.error]).toEqual([200, undefined])
  return body.syncId
}
const finished = (url: string, team: Team, author: string): Promise<Answer['body']> =>
  until(
    'the end of a sync',
    async () => {
      const { body } = await call(url, team, 'GET', `/profile/${author}/sync`)
      return body.isFinal ? body : undefined
    },
    200,
  )
const seedAuthor = (reactions: number): string => {
  const author = stage.handle('author')
  stage.sandbox.world.seedPost({ author, reactions })
  return author
}

describe('rate limits over two HTTP processes', () => {
  it.each([
    ['reads', 120, '[RAT-01, RAT-03, RAT-10, RAT-12]', 'GET', '/credits', undefined, 200],
    ['writes', 60, '[RAT-02, RAT-03, RAT-10, RAT-12]', 'POST', '/keys', {}, 400],
  ] as const)(
    `of ${inARow} %s in a row, several at once, exactly %i are served in a window, each with its own remaining count %s`,
    async (_kind, limit, _ids, method, path, body, status) => {
      const team = await makeTeam(https[0].url, { limits: {} })
      const answers = await storm(inARow, team, method, () => path, body)
      expect(served(answers).map((answer) => answer.status)).toEqual(Array(limit).fill(status))
      expect(new Set(served(answers).map(({ headers }) => headers.get('x-ratelimit-remaining'))).size).toBe(limit)
      const refused = answers.filter((answer) => answer.status === 429)
      expect(refused).toHaveLength(inARow - limit)
      for (const answer of refused)
        expect([answer.body.code, Number(answer.headers.get('retry-after'))]).toEqual(['rate_limited', 60])
      const other =
        method === 'GET'
          ? await call(https[1].url, team, 'POST', '/keys', {})
          : await call(https[1].url, team, 'GET', '/credits')
      expect(other.status).not.toBe(429)
    },
  )

  it(`of ${untrackedReads} untracked reads at once 10 are served and charged [RAT-06, RAT-07, RAT-15, RAT-18, CRD-25]`, async () => {
    const team = await makeTeam(https[0].url, { limits: {} })
    const author = seedAuthor(1)
    const slug = stage.handle('company')
    stage.sandbox.world.seedCompany({ slug, posts: [{ reactions: 1 }] })
    const answers = await storm(
      untrackedReads,
      team,
      'GET',
      (at) => `${at % 4 < 2 ? `/profile/${author}` : `/company/${slug}`}/posts?posts=1&confirmSpend=true`,
    )
    expect(served(answers).map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await call(https[1].url, team, 'GET', '/credits')).body.used).toBe(10)
  })
})

// Before other tests track much: after the day that passes here all of it is due again.
describe('two clocks', () => {
  const holders = async (): Promise<number[]> =>
    (
      await stage.database.pool.query(
        `select l.pid
         from pg_locks l
         join pg_database d on d.oid = l.database
         where l.locktype = 'advisory' and l.granted and d.datname = current_database()
           and (l.classid::bigint << 32 | l.objid::bigint) = 7103022118`,
      )
    ).rows.map(({ pid }) => pid as number)
  const opened = (clock: Process) =>
    clock.log().filter(({ msg, task }) => msg === 'clock' && task === 'open due syncs').length

  it('of which one acts: a due sync is opened once, and the other takes over when that one is killed [SYN-01]', async () => {
    const team = await makeTeam(https[0].url)
    const author = seedAuthor(3)
    await trackAt(https[0].url, team, author, { enrichLeads: false })
    await finished(https[0].url, team, author)
    const syncs = async () =>
      (await stage.database.pool.query('select 1 from sync where team_id = $1', [team.id])).rows.length
    // A clock that becomes active looks for due syncs at once and then every ten seconds, so the test moves time first.
    await operate(https[0].url, 'POST', '/clock', { advanceSeconds: 86_400 })
    const clocks = await Promise.all([1, 2].map(() => stage.start({ LES_ROLES: 'clock' })))
    await until('the next sync', async () => ((await syncs()) === 2 ? true : undefined))
    await until('its line in the log', () => (clocks.some((clock) => opened(clock) > 0) ? true : undefined))
    for (let look = 0; look < 10; look++) {
      expect(await holders()).toHaveLength(1)
      await pause(100)
    }
    const acting = clocks.filter((clock) => opened(clock) > 0)
    expect(acting).toHaveLength(1)
    const [held] = await holders()
    await finished(https[0].url, team, author)
    acting[0]!.child.kill('SIGKILL')
    await operate(https[0].url, 'POST', '/clock', { advanceSeconds: 86_400 })
    const killedMs = Date.now()
    await until(
      'the other clock',
      async () => {
        const now = await holders()
        expect(now.length).toBeLessThanOrEqual(1)
        return now.length === 1 && now[0] !== held ? true : undefined
      },
      20,
    )
    process.stdout.write(`several.test: the other clock acted ${Date.now() - killedMs} ms after the first was killed\n`)
    await until('the sync after that', async () => ((await syncs()) === 3 ? true : undefined))
    // The row is committed before the log line is written.
    const other = clocks.find((clock) => clock !== acting[0])!
    await until('its line in the log', () => (opened(other) > 0 ? true : undefined))
    await finished(https[0].url, team, author)
    other.child.kill('SIGKILL')
    await other.ended
  }, 180_000)
})

describe('work over two workers', () => {
  it('tracking through one HTTP process is worked by the workers and shows through the other [SYN-02, SYN-34]', async () => {
    const team = await makeTeam(https[0].url)
    const before = new Map(
      [...https, ...workers].map((process) => [
        process,
        process.log().filter(({ msg }) => msg === 'vendor call').length,
      ]),
    )
    const authors = Array.from({ length: 4 }, () => seedAuthor(12))
    const syncIds = new Map<string, string>()
    for (const author of authors) syncIds.set(author, await trackAt(https[0].url, team, author))
    for (const author of authors)
      expect(await finished(https[1].url, team, author)).toMatchObject({
        syncId: syncIds.get(author),
        state: 'completed',
        capture: { creditsSpent: 12, leadRowsCaptured: 12 },
      })
    expect((await call(https[1].url, team, 'GET', '/leads')).body.total).toBe(48)
    const calls = (process: Process) =>
      process.log().filter(({ msg }) => msg === 'vendor call').length - before.get(process)!
    expect(https.map(calls)).toEqual([0, 0])
    expect(workers.reduce((sum, worker) => sum + calls(worker), 0)).toBeGreaterThan(48)
  }, 180_000)
})

const restarts = sized('LES_TEST_RESTARTS', 1)
const restartRate = sized('LES_TEST_RESTART_RATE', 20)
/** Teams of the rolling restart; at most five concurrent requests for each. */
const callers = Math.ceil(restartRate / 20)
const maxAtOnce = 5 * callers

describe('a rolling restart of the HTTP processes', () => {
  it(
    `under ${restartRate} requests a second: no 5xx, every request is answered, every write counts once`,
    async () => {
      const teams: Team[] = []
      for (let n = 0; n < callers; n++) teams.push(await makeTeam(https[0].url))
      const handles = teams.map((): string[] => [])
      const tally = {
        asked: 0,
        answered: 0,
        retried: 0,
        refused: 0,
        cut: [] as (string | undefined)[],
        statuses: new Map<number, number>(),
        failures: [] as string[],
      }
      let serving: string[] = https.map(({ url }) => url)

      /** A client without a load balancer: if one address does not answer, it tries the other with the same idempotency key. */
      const patient = async (at: number): Promise<void> => {
        tally.asked += 1
        const team = teams[at % callers]!
        const write = Math.floor(at / callers) % 4 === 0
        const handle = stage.handle('silent')
        if (write) {
          stage.sandbox.world.seedPerson({ handle, posts: [] })
          handles[at % callers]!.push(handle)
        }
        for (let attempt = 0; attempt < 20; attempt++) {
          const url = serving[(at + attempt) % serving.length]!
          try {
            const { status, body } = write
              ? await call(
                  url,
                  team,
                  'POST',
                  '/enrich/profile',
                  { username: handle, saveTrackedProfile: true, enrichLeads: false },
                  { 'idempotency-key': handle },
                )
              : await call(url, team, 'GET', '/leads?limit=5')
            tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
            if (status === 200) {
              tally.answered += 1
              return
            }
            // Records the refusal: the end of a half-hour run would otherwise only give a count.
            tally.failures.push(`${write ? 'write' : 'read'} at ${url}: ${status} ${JSON.stringify(body)}`)
          } catch (error) {
            const { code } = ((error as Error).cause ?? {}) as { code?: string }
            if (code === 'ECONNREFUSED') tally.refused += 1
            else tally.cut.push(code ?? String(error))
          }
          tally.retried += 1
          await pause(50)
        }
      }

      let going = true
      const beganMs = Date.now()
      let endedMs = beganMs
      const load = (async () => {
        const under = new Set<Promise<void>>()
        for (let at = 0; going; at++) {
          // Fewer at once than one process allows a team, so that a busy machine gets a lower rate instead of refusals.
          while (under.size >= maxAtOnce) await Promise.race(under)
          const one = patient(at).finally(() => under.delete(one))
          under.add(one)
          await pause(Math.max(1, beganMs + ((at + 1) * 1000) / restartRate - Date.now()))
        }
        endedMs = Date.now()
        await Promise.all(under)
      })()
      await pause(1_000)
      for (const at of Array.from({ length: restarts }, () => [0, 1] as const).flat()) {
        const old = https[at]
        const port = new URL(old.url).port
        old.child.kill('SIGTERM')
        expect(await old.ended).toBe(0)
        https[at] = await stage.start({ LES_ROLES: 'http', PORT: port })
        await pause(1_000)
      }
      going = false
      await load
      serving = []
      process.stdout.write(
        `several.test: rolling restart at ${((tally.asked * 1000) / (endedMs - beganMs)).toFixed(1)} requests a second: ` +
          `${JSON.stringify({ ...tally, statuses: Object.fromEntries(tally.statuses) })}\n`,
      )
      const troubles = https.flatMap((each) => each.log()).filter(({ msg }) => msg === 'the database failed a request')
      expect([tally.failures, troubles]).toEqual([[], []])
      expect(tally.answered).toBe(tally.asked)
      for (const [at, team] of teams.entries()) {
        const { rows } = await stage.database.pool.query<{ username: string }>(
          'select s.username from source s join sync y on y.team_id = s.team_id and y.source_id = s.id where s.team_id = $1',
          [team.id],
        )
        expect(rows.map(({ username }) => username).sort()).toEqual([...handles[at]!].sort())
      }
      const { sources } = (await call(https[1].url, teams[0]!, 'GET', '/sources?limit=200')).body
      expect(sources).toHaveLength(Math.min(200, handles[0]!.length))
    },
    180_000 * restarts,
  )
})
