/** A new signing secret; the old one also signs for 24 hours (G47). */
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import type { ReceivedRequest } from '../world/inbox.ts'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { ok, trackWith } from './fit-stage.ts'
import { signs } from './webhook-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

/** Verifies as a standard webhook library does, at the delivery's own time. */
const accepts = async (secret: string, { headers, raw }: ReceivedRequest) => {
  const text = (name: string) => String(headers[name])
  const expected = new Webhook(secret).sign(
    text('webhook-id'),
    new Date(Number(text('webhook-timestamp')) * 1_000),
    raw.toString(),
  )
  return text('webhook-signature').split(' ').includes(expected)
}

it('signs with both secrets for a day after a rotation, then with the new one alone; retries too [WHK-13, WHK-15, G47]', async () => {
  const team = await world.team()
  const inbox = await world.inbox()
  const source = await trackWith(world, team, [{ title: 'CTO' }, { title: 'CTO' }, { title: 'CTO' }])
  await ok(team.put(`${source.path}/webhook`, { webhookUrl: inbox.url, autoSend: false }))
  const ids = (await team.get(`/leads?profileId=${source.id}`)).body.leads.map((lead: { id: string }) => lead.id)
  inbox.answer(500)
  await ok(team.post(`${source.path}/push`, { leadIds: [ids[0]] }))
  await world.drain()
  const { status, body } = await world.operator('POST', `/operator/teams/${team.id}/signing-secret`)
  expect([status, body]).toEqual([200, { signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) }])
  const [old, fresh] = [team.signingSecret, body.signingSecret as string]
  expect(fresh).not.toBe(old)
  expect((await team.get(`${source.path}/webhook`)).body.signingSecret).toBe(fresh)
  inbox.answer(200)
  await world.advance('10s')
  const [before, retried] = inbox.received as [ReceivedRequest, ReceivedRequest]
  expect([signs(old, before), signs(fresh, before)]).toEqual([true, false])
  expect(before.raw.equals(retried.raw)).toBe(true)
  expect([
    signs(old, retried),
    signs(fresh, retried),
    await accepts(old, retried),
    await accepts(fresh, retried),
  ]).toEqual([true, true, true, true])
  await world.move('23h')
  await ok(team.post(`${source.path}/push`, { leadIds: [ids[1]] }))
  await world.drain()
  expect([signs(old, inbox.received[2]!), signs(fresh, inbox.received[2]!)]).toEqual([true, true])
  await world.move('1h')
  await ok(team.post(`${source.path}/push`, { leadIds: [ids[2]] }))
  await world.drain()
  expect([signs(old, inbox.received[3]!), signs(fresh, inbox.received[3]!)]).toEqual([false, true])
  expect(await accepts(old, inbox.received[3]!)).toBe(false)
})

it('twice within a day signs with the last two secrets and drops the first at once [WHK-13, WHK-15]', async () => {
  const team = await world.team()
  const inbox = await world.inbox()
  const source = await trackWith(world, team, [{ title: 'CTO' }])
  await ok(team.put(`${source.path}/webhook`, { webhookUrl: inbox.url, autoSend: false }))
  const rotate = async (): Promise<string> =>
    (await world.operator('POST', `/operator/teams/${team.id}/signing-secret`)).body.signingSecret
  const [first, second] = [team.signingSecret, await rotate()]
  await world.move('1h')
  const third = await rotate()
  await ok(team.post(`${source.path}/push`))
  await world.drain()
  expect([first, second, third].map((secret) => signs(secret, inbox.received[0]!))).toEqual([false, true, true])
})

it("is the operator's, team by team [WHK-13]", async () => {
  const [team, other] = [await world.team(), await world.team()]
  expect((await world.operator('POST', `/operator/teams/${randomUUID()}/signing-secret`)).status).toBe(404)
  expect((await world.operator('POST', '/operator/teams/x/signing-secret')).status).toBe(404)
  await world.operator('POST', `/operator/teams/${team.id}/signing-secret`)
  const source = await trackWith(world, other, [])
  expect((await other.get(`${source.path}/webhook`)).body.signingSecret).toBe(other.signingSecret)
})
