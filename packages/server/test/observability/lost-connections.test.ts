/** Idle database connections that are lost are logged. */
import { expect, it } from 'vitest'
import { createWorld } from '../world/world.ts'
import { keptLog } from './stage.ts'

it('a lost connection is logged while the service works, and not once it is stopping [FIX-11]', async () => {
  const { log, lines } = keptLog()
  const world = await createWorld({ log })
  const { database, requests } = world.service
  const lost = () => lines().filter(({ msg }) => msg === 'a database connection was lost').length
  const lose = () => {
    for (const { pool } of [database, requests])
      pool.emit('error', new Error('terminating connection due to administrator command'), {} as never)
  }
  lose()
  expect(lost()).toBe(2)
  const stopped = world.service.stop()
  lose()
  await stopped
  lose()
  expect(lost()).toBe(2)
  await world.close()
})
