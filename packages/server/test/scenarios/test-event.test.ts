/** A test event: a marked sample, signed like a real one, that affects no lead and no delivery. */
import { expect, it } from 'vitest'
import { snapshot } from '../world/snapshot.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { sweep } from './sync-stage.ts'
import { signatureOf } from './webhook-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const sample = (teamId: string, sourceId: string) =>
  world.operator('POST', `/operator/teams/${teamId}/test-event`, { sourceId })

it('reaches the webhook signed and marked as a sample in any state of it, and changes nothing [WHK-13, WHK-14]', async () => {
  const [team, inbox] = [await world.team(), await world.inbox()]
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: 2 })
  await sweep(world, team, author)
  const source = (await team.get('/sources')).body.sources[0].id
  await team.put(`/sources/${source}/webhook`, { webhookUrl: inbox.url })
  await world.drain()
  const before = await snapshot(world.database.pool)
  const answer = await sample(team.id, source)
  expect([answer.status, answer.body]).toMatchObject([
    200,
    { delivered: true, status: 200, reason: null, response: 'ok' },
  ])
  const received = inbox.received.filter(({ body }) => body.sample === true)
  expect(received).toHaveLength(1)
  const [event] = received
  expect(event!.body).toMatchObject({
    event: 'lead.detected',
    id: answer.body.id,
    source: { id: source, type: 'person', username: author },
  })
  expect(event!.headers['x-service-signature']).toBe(signatureOf(team.signingSecret, event!))
  inbox.answer(503)
  expect((await sample(team.id, source)).body).toMatchObject({ delivered: false, status: 503 })
  inbox.answer(200)
  expect(await snapshot(world.database.pool)).toEqual(before)
})

it("is refused without a URL, for another team's source and for what is no id, and sends nothing", async () => {
  const [team, other] = [await world.team(), await world.team()]
  const inbox = await world.inbox()
  const author = world.handle('author')
  world.network.seedPost({ author, reactions: 1 })
  await sweep(world, team, author)
  const source = (await team.get('/sources')).body.sources[0].id
  const received = inbox.received.length
  expect((await sample(team.id, source)).status).toBe(400)
  expect((await sample(other.id, source)).status).toBe(404)
  expect((await sample(team.id, 'x')).status).toBe(400)
  expect((await sample('01a1fd55-7a80-7003-a3e3-0123456789ab', source)).status).toBe(404)
  expect(inbox.received.length).toBe(received)
})
