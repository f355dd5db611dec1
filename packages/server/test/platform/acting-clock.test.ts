/** Who acts as the clock of a database: one process that reaches it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/platform/clock.ts'
import { openLog } from '../../src/platform/log.ts'
import { startClock } from '../../src/worker/clock.ts'
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
  silent.close()
})
