/** Nudges between processes on one database: who hears what, and what is done when nothing can be heard. */
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

/** A process, and the kinds it was woken for, in order. */
function openProcess(
  name: string,
  given: { direct?: ConnectionSettings; log?: Log; system?: SystemClock } = {},
): Nudges & { woken: JobKind[] } {
  const nudges = openNudges({
    connection: database.connection,
    direct: database.connection,
    owner: name,
    works: false,
    log: openLog('silent'),
    system: systemClock,
    ...given,
  })
  const woken: JobKind[] = []
  open.push(nudges)
  nudges.listen((kind) => woken.push(kind))
  return { ...nudges, woken }
}
const everything = expect.arrayContaining([...jobKinds])

describe('nudges between processes', () => {
  it('are heard by every other process, and not by the one that told', async () => {
    const [one, two, three] = [openProcess('one'), openProcess('two'), openProcess('three')]
    // A session that has just been opened may have missed something.
    for (const { woken } of [one, two, three]) await expect.poll(() => woken).toEqual(everything)
    for (const { woken } of [one, two, three]) woken.length = 0
    one.announce(['capture', 'delivery'])
    for (const { woken } of [two, three]) await expect.poll(() => woken.toSorted()).toEqual(['capture', 'delivery'])
    three.announce(['enrichment'])
    for (const { woken } of [one, two]) await expect.poll(() => woken).toContain('enrichment')
    expect([one.woken, three.woken]).toEqual([['enrichment'], expect.not.arrayContaining(['enrichment'])])
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

  it('cost a unit of work nothing when the database is away, and nothing stays behind', async () => {
    const nudges = openNudges({
      connection: nobodysServer,
      direct: nobodysServer,
      owner: 'one',
      works: true,
      log: openLog('silent'),
      system: systemClock,
    })
    nudges.listen(() => {})
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
    // Whoever starts finds what waits without a message, and before three seconds have passed.
    woken.splice(0)
    startSweep({ ...parts, system: { ...systemClock, every: () => () => {} } })
    await expect.poll(() => woken).toContainEqual(['enrichment'])
  })
})
