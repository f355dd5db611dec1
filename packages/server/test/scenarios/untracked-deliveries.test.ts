/** A delivery that untracking ends has the status failed everywhere (States «Lead push»; «Events» 2, 3; G52). */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { ok, routes, trackWith, type Route, type Tracked } from './fit-stage.ts'
import { search, topic } from './keyword-run-stage.ts'
import { stuckEnrichment } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const none = { pending: 0, sending: 0, delivered: 0, failed: 0, held: 0, excluded: 0 }
const push = async (team: Team, source: Tracked): Promise<string> =>
  (await ok(team.post(`${source.path}/push`, {}))).pushId
async function pushable(route: Route = 'profile') {
  const [team, inbox] = [await world.team(), await world.inbox()]
  const hook = { webhookUrl: inbox.url, autoSend: false }
  return { team, inbox, source: await trackWith(world, team, [{ title: 'CTO' }], { route, hook }) }
}
const untrack = (team: Team, source: Tracked, route: Route = 'profile') =>
  ok(team.del(route === 'post' ? `/post/${encodeURIComponent(source.username)}` : source.path))
const trackAgain = (team: Team, source: Tracked) =>
  ok(team.post('/enrich/profile', { username: source.username, saveTrackedProfile: true }))

/** Checks the status of a source's leads on the leads, in the filter and in the delivery log. */
async function expectEverywhere(team: Team, source: Tracked, status: 'pending' | 'failed' | 'sent', count = 1) {
  const read = async (more: string) =>
    (await ok(team.get(`/leads?profileId=${source.id}&includeInactive=true&limit=100${more}`))).leads.map(
      (lead: { webhookStatus: string }) => lead.webhookStatus,
    )
  const all = Array.from({ length: count }, () => status)
  expect([await read(''), await read(`&webhookStatus=${status}`)]).toEqual([all, all])
  const { rows } = await world.database.pool.query(
    `select state from delivery where team_id = $1 and owner_id = $2 and event = 'lead.detected'`,
    [team.id, source.id],
  )
  expect(rows.map(({ state }) => state)).toEqual(all)
}

async function expectPush(team: Team, pushId: string, counts: Partial<typeof none>) {
  expect(await ok(team.get(`/push/${pushId}`))).toMatchObject({ counts: { ...none, ...counts }, finished: true })
}

/** Checks that tracking again sends nothing automatically and a new push does. */
async function expectOnlyByPush(team: Team, source: Tracked, received: () => number) {
  const before = received()
  await trackAgain(team, source)
  await world.advance('100h')
  expect(received()).toBe(before)
  const pushId = await push(team, source)
  await world.drain()
  await expectPush(team, pushId, { delivered: 1 })
  await expectEverywhere(team, source, 'sent')
  expect(received()).toBe(before + 1)
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
async function slowReceiver() {
  const waiting: ServerResponse[] = []
  let received = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1
      waiting.push(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    waiting,
    received: () => received,
    answer: (status: number) => waiting.splice(0).map((response) => response.writeHead(status).end()),
  }
}

describe('untracking', () => {
  it.each(routes)(
    'a %s while a pushed lead waits for a retry fails it for push, lead and log alike [FIX-04, WHK-19, WHK-24]',
    async (route) => {
      const { team, inbox, source } = await pushable(route)
      inbox.answer(500)
      const pushId = await push(team, source)
      await world.drain()
      await untrack(team, source, route)
      await expectPush(team, pushId, { failed: 1 })
      await expectEverywhere(team, source, 'failed')
      inbox.answer(200)
      await world.advance('100h')
      expect(inbox.received).toHaveLength(1)
      await expectPush(team, pushId, { failed: 1 })
      await expectEverywhere(team, source, 'failed')
    },
  )

  it('while a lead waits its turn, for a retry of its own, fails it too; tracked again only a push sends it [FIX-04, WHK-19]', async () => {
    const [team, inbox] = [await world.team(), await world.inbox()]
    inbox.answer(500)
    const source = await trackWith(world, team, [{ title: 'CTO' }], { hook: { webhookUrl: inbox.url } })
    await untrack(team, source)
    await expectEverywhere(team, source, 'failed')
    inbox.answer(200)
    await expectOnlyByPush(team, source, () => inbox.received.length)
  })

  it('and tracking again at once leaves nothing on its way [FIX-04, WHK-19]', async () => {
    const { team, inbox, source } = await pushable()
    const pushId = await push(team, source)
    await untrack(team, source)
    await trackAgain(team, source)
    await world.drain()
    await world.advance('10m')
    expect(inbox.received).toEqual([])
    await expectPush(team, pushId, { failed: 1 })
    await expectEverywhere(team, source, 'failed')
  })

  it('while a disabled endpoint holds it fails it [FIX-04, G52]', async () => {
    const { team, inbox, source } = await pushable()
    inbox.answer(410)
    const pushId = await push(team, source)
    await world.drain()
    expect((await ok(team.get(`/push/${pushId}`))).counts).toEqual({ ...none, held: 1 })
    await untrack(team, source)
    await expectPush(team, pushId, { failed: 1 })
    await expectEverywhere(team, source, 'failed')
    inbox.answer(200)
    await trackAgain(team, source)
    await ok(team.put(`${source.path}/webhook`, { webhookUrl: inbox.url }))
    await expectOnlyByPush(team, source, () => inbox.received.length)
  })

  it('while it is held for its enrichment fails it, and what was not queued stays pending [FIX-04, G52, TRK-33]', async () => {
    stuckEnrichment(world)
    const { team, inbox, source } = await pushable()
    const quiet = await trackWith(world, team, [{ title: 'CTO' }], { hook: { webhookUrl: inbox.url } })
    const pushId = await push(team, source)
    await untrack(team, source)
    await untrack(team, quiet)
    await expectPush(team, pushId, { failed: 1 })
    await expectEverywhere(team, source, 'failed')
    const [waiting] = (await ok(team.get(`/leads?profileId=${quiet.id}&includeInactive=true`))).leads
    expect(waiting).toMatchObject({ webhookStatus: 'pending', enrichmentStatus: 'skipped' })
    world.network.clearFaults()
    await expectOnlyByPush(team, source, () => inbox.received.length)
  })

  it.each([
    [200, 'sent', { delivered: 1 }, 0],
    [500, 'failed', { failed: 1 }, 1],
    [410, 'failed', { failed: 1 }, 1],
  ] as const)(
    'while it is under way leaves what the receiver says: %i is %s [FIX-04, WHK-19]',
    async (status, state, counts, queuedAgain) => {
      const [team, receiver] = [await world.team(), await slowReceiver()]
      const source = await trackWith(world, team, [{ title: 'CTO' }], {
        hook: { webhookUrl: receiver.url, autoSend: false },
      })
      const pushId = await push(team, source)
      world.beginDrain()
      await expect.poll(receiver.received).toBe(1)
      await untrack(team, source)
      await expectEverywhere(team, source, 'failed')
      receiver.answer(status)
      await world.drain()
      await expectPush(team, pushId, counts)
      await expectEverywhere(team, source, state)
      await world.advance('100h')
      expect(receiver.received()).toBe(1)
      await trackAgain(team, source)
      expect((await ok(team.post(`${source.path}/push`, {}))).queued).toBe(queuedAgain)
    },
  )
})

describe('a keyword search that is deleted', () => {
  it('fails what was to go by itself, and sends what is pushed before and afterwards [FIX-04, WHK-19]', async () => {
    const [team, inbox] = [await world.team(), await world.inbox()]
    const word = topic(world)
    const reactions = [{ person: world.handle('fan') }, { person: world.handle('fan') }]
    world.network.seedSearch({ posts: [{ text: word, author: world.handle('writer'), reactions }], generated: false })
    world.network.hold()
    const { id } = await search(team, { keywords: [word], enrichLeads: true })
    await ok(team.put(`/keyword/${id}/webhook`, { webhookUrl: inbox.url }))
    inbox.answer(500)
    world.network.release()
    await world.drain()
    await ok(team.del(`/keyword/${id}`))
    const source = { id } as Tracked
    await expectEverywhere(team, source, 'failed', 2)
    await world.advance('1h')
    expect(inbox.received).toHaveLength(2)
    const { pushId, queued } = await ok(team.post(`/keyword/${id}/push`, {}))
    await world.drain()
    expect([queued, inbox.received.length]).toEqual([2, 4])
    inbox.answer(200)
    await world.advance('1h')
    await expectPush(team, pushId, { delivered: 2 })
    await expectEverywhere(team, source, 'sent', 2)
  })
})
