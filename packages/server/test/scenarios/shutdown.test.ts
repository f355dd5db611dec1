/** Stopping a service while vendors and receivers are silent and callers wait for them. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createWorld } from '../world/world.ts'
import { likes, people, track } from './sync-stage.ts'

async function silentReceiver(): Promise<{ readonly url: string; readonly reached: Promise<void>; close(): void }> {
  let told = () => {}
  const reached = new Promise<void>((resolve) => (told = resolve))
  const server: Server = createServer(() => told())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, reached, close }
}

it('takes at most ten seconds whatever was under way: a sync, a search, a delivery and a read [G124, WHK-17]', async () => {
  const world = await createWorld({})
  const receiver = await silentReceiver()
  try {
    const team = await world.team()
    const [done, swept, searched] = [world.handle('author'), world.handle('author'), world.handle('topic')]
    for (const author of [done, swept])
      world.network.seedPost({ author, reactions: likes(people(world, 2)), comments: [] })
    await track(team, done, {})
    await world.drain()
    await team.put(`/profile/${done}/webhook`, { webhookUrl: receiver.url })
    const source = (await team.get(`/sources`)).body.sources[0].id
    expect((await team.post(`/sources/${source}/push`, {})).status).toBe(200)
    await receiver.reached
    world.network.hold({ operation: 'post-reactions' })
    await track(team, swept, { enrichLeads: true })
    await world.network.untilWaiting(1, { operation: 'post-reactions' })
    world.network.hold({})
    await team.post('/discover', { keywords: [searched], confirmSpend: true })
    const read = team.get(`/profile/${world.handle('author')}/posts?posts=5&confirmSpend=true`).catch(() => 'cut')
    await world.network.untilWaiting(3, {})
    const began = performance.now()
    await world.service.stop()
    // Waiting for the vendor would take half a minute; the service's own pauses are a twentieth as long here.
    expect(performance.now() - began).toBeLessThan(20_000)
    expect(await read).toBe('cut')
  } finally {
    receiver.close()
    await world.close()
  }
})
