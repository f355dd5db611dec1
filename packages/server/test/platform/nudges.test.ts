/** Nudges between processes on one database: who receives which, and what happens when none can be received. */
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { jobKinds, type JobKind } from '../../src/job-catalog.ts'
import { systemClock, type SystemClock } from '../../src/platform/clock.ts'
import { clientConfig, type ConnectionSettings } from '../../src/platform/db/open.ts'
import { openLog, type Log } from '../../src/platform/log.ts'
import { channel, openNudges, type Nudges } from '../../src/platform/nudges.ts'
import { machineIds } from '../../src/platform/random.ts'
import { startSweep } from '../../src/worker/lanes.ts'
import { nobodysServer } from '../world/database-url.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { insertTeams } from '../world/team-rows.ts'
import { openSilentServer } from '../world/silent-server.ts'

let database: TestDatabase
const ids = machineIds()
const open: Nudges[] = []
beforeAll(async () => {
  database = await freshDatabase()
})
afterEach(async () => {
  await Promise.all(open.splice(0).map((nudges) => nudges.stop()))
})
afterAll(() => database.drop())

function openProcess(
  name: string,
  given: { direct?: ConnectionSettings; log?: Log; system?: SystemClock } = {},
): Nudges & { woken: JobKind[]; judged: () => number } {
  const nudges = openNudges({
    connection: database.connection,
    direct: database.connection,
    processId: name,
    works: false,
    log: openLog('silent'),
    system: systemClock,
    ...given,
  })
  const woken: JobKind[] = []
  open.push(nudges)
  let judged = 0
  nudges.listen(
    (kind) => woken.push(kind),
    () => (judged += 1),
  )
  return { ...nudges, woken, judged: () => judged }
}
const fastClock: SystemClock = { ...systemClock, sleep: (_ms, signal) => systemClock.sleep(20, signal) }
const everything = expect.arrayContaining([...jobKinds])

describe('nudges between processes', () => {
  it('are heard by every other process, and not by the one that told', async () => {
    const [one, two, three] = [openProcess('one'), openProcess('two'), openProcess('three')]
    // A newly opened session may have missed nudges, so it wakes every kind.
    for (const { woken } of [one, two, three]) await expect.poll(() => woken).toEqual(everything)
    for (const { woken } of [one, two, three]) woken.length = 0
    one.announce(['capture', 'delivery'])
    for (const { woken } of [two, three]) await expect.poll(() => woken.toSorted()).toEqual(['capture', 'delivery'])
    three.announce(['enrichment'])
    for (const { woken } of [one, two]) await expect.poll(() => woken).toContain('enrichment')
    expect([one.woken, three.woken]).toEqual([['enrichment'], expect.not.arrayContaining(['enrichment'])])
  })

  it('have what waits to be sent judged again by every other process', async () => {
    const [one, two] = [openProcess('one'), openProcess('two')]
    for (const { judged } of [one, two]) await expect.poll(judged).toBe(1)
    one.announce(['judge_again'])
    await expect.poll(two.judged).toBe(2)
    two.announce(['capture'])
    await expect.poll(() => one.woken).toContain('capture')
    expect(one.judged()).toBe(1)
  })

  it('of many units of work are few, and none of them is lost', async () => {
    const one = openProcess('one')
    const listener = new pg.Client(clientConfig(database.connection))
    const messages: string[] = []
    await listener.connect()
    listener.on('notification', ({ payload = '' }) => void (payload.startsWith('one ') && messages.push(payload)))
    await listener.query(`listen ${channel}`)
    for (let unit = 0; unit < 1_000; unit++) one.announce([jobKinds[unit % jobKinds.length]!])
    const named = () => new Set(messages.flatMap((message) => message.slice('one '.length).split(',')))
    await expect.poll(() => named().size).toBe(jobKinds.length)
    expect(messages.length).toBeLessThan(10)
    await listener.end()
  })

  it('are missed while the session is lost: it is opened again, and everything is looked at once', async () => {
    const one = openProcess('one')
    await expect.poll(() => one.woken).toEqual(everything)
    one.woken.length = 0
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query = ${`listen ${channel}`}`.execute(
      database.bare,
    )
    await expect.poll(() => one.woken).toEqual(everything)
    const two = openProcess('two')
    one.woken.length = 0
    two.announce(['capture'])
    await expect.poll(() => one.woken).toContain('capture')
  })

  it.each([
    ['answers nothing', true],
    ['answers nothing, and does not even hang up', false],
  ] as const)('end while their session is being opened at a server that %s', async (_what, hangsUp) => {
    const silent = await openSilentServer({ hangsUp })
    openProcess('one', { direct: { ...nobodysServer, port: silent.port }, system: fastClock })
    await silent.asked
    await expect(open.pop()!.stop()).resolves.toBeUndefined()
    await silent.close()
  })

  it('cost a unit of work nothing when the database is away, and nothing stays behind', async () => {
    const nudges = openNudges({
      connection: nobodysServer,
      direct: nobodysServer,
      processId: 'one',
      works: true,
      log: openLog('silent'),
      system: systemClock,
    })
    nudges.listen(
      () => {},
      () => {},
    )
    expect(nudges.announce(['capture'])).toBeUndefined()
    await nudges.stop()
  })
})

describe('what no message told of', () => {
  it('is found by the sweep of a process that works, which survives a failure', async () => {
    const woken: (readonly JobKind[])[] = []
    const state = { look: () => {}, fails: true }
    const parts = {
      db: database.bare,
      serviceNow: async () => {
        if (state.fails) throw new Error('the database is away')
        return new Date()
      },
      log: openLog('silent'),
      wake: (kinds: readonly JobKind[]) => void woken.push(kinds),
    }
    const stop = startSweep({
      ...parts,
      system: {
        ...systemClock,
        every: (_ms, work) => {
          state.look = work
          return () => {}
        },
      },
    })
    const [teamId, now] = [ids.uuid(new Date()), new Date()]
    await insertTeams(database.bare, [teamId], now)
    await sql`insert into work_turn (team_id, kind, served) values (${teamId}, 'enrichment', 0)`.execute(database.bare)
    state.look()
    await expect
      .poll(() => {
        state.fails = false
        state.look()
        return woken
      })
      .toContainEqual(['enrichment'])
    await stop()
    // A starting process finds waiting work without a nudge and before the three-second timer.
    woken.splice(0)
    startSweep({ ...parts, system: { ...systemClock, every: () => () => {} } })
    await expect.poll(() => woken).toContainEqual(['enrichment'])
  })

  it('is looked for to the end by a sweep that is stopped meanwhile, so that nothing is asked of a pool that is closed', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const state = { looked: false, stopped: false }
    const stop = startSweep({
      db: database.bare,
      serviceNow: async () => {
        await held
        state.looked = true
        return new Date()
      },
      system: { ...systemClock, every: () => () => {} },
      log: openLog('silent'),
      wake: () => {},
    })
    const stopped = stop().then(() => (state.stopped = state.looked))
    release()
    await stopped
    expect(state).toEqual({ looked: true, stopped: true })
  })
})
