/** Which process acts as the clock of a database: exactly one that reaches it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { openLog } from '../../src/platform/log.ts'
import { startClock, type PeriodicTask } from '../../src/worker/clock.ts'
import { nobodysServer } from '../world/database-url.ts'
import { freshDatabase, type TestDatabase } from '../world/database.ts'
import { openSilentServer } from '../world/silent-server.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

it('a database that was silent when it was asked who acts is asked again', async () => {
  const silent = await openSilentServer({ hangsUp: false })
  const asked: number[] = []
  const clock = startClock({
    tasks: [],
    get connection() {
      return asked.push(silent.port) === 1 ? { ...nobodysServer, port: silent.port } : database.connection
    },
    system: systemClock,
    log: openLog('silent'),
    ask: async () => new Set(),
    silentMs: 50,
  })
  await silent.asked
  await expect.poll(() => clock.acting).toBe(true)
  await clock.stop()
  await silent.close()
})

it('whoever starts once another has stopped acts at once', async () => {
  for (let at = 0; at < 20; at += 1) {
    const clock = startClock({
      tasks: [],
      connection: database.connection,
      system: { ...systemClock, every: () => () => {} },
      log: openLog('silent'),
      ask: async () => new Set(),
    })
    await clock.tickNow()
    expect([at, clock.acting]).toEqual([at, true])
    await clock.stop()
  }
})

it('what one task has done, once service time was moved, is work for the tasks behind it', async () => {
  const done: string[] = []
  const task = (name: string): PeriodicTask => ({
    name,
    everyMs: 3_600_000,
    mayBeDue: () => sql<boolean>`true`,
    run: async () => done.push(name),
  })
  const clock = startClock({
    tasks: [task('idle before it'), task('due'), task('idle behind it')],
    connection: database.connection,
    system: { ...systemClock, every: () => () => {} },
    log: openLog('silent'),
    ask: async () => new Set(['due']),
  })
  await clock.tickNow()
  await clock.stop()
  expect(done).toEqual(['due', 'idle behind it'])
})
