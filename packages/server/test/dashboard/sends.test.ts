import { expect, it } from 'vitest'
import { capture, connect, fans, handlesIn, ok, timesSent } from '../scenarios/outreach-stage.ts'
import { workThrough } from '../scenarios/sync-stage.ts'
import { snapshot } from '../world/snapshot.ts'
import { useWorld, type Answer, drainOnlyUnlessLongRun } from '../world/world.ts'
import { memberOf, type MemberBrowser } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const previewed = async (member: MemberBrowser, send: unknown): Promise<Answer['body']> =>
  ok(member.post('/sends/preview', { send }))
const planned = async (member: MemberBrowser, send: unknown, goes: number): Promise<Answer['body']> => {
  const { status, body } = await member.post('/sends', { send, goes })
  expect([status, body.error ?? null]).toEqual([201, null])
  return body.send
}
const latest = async (member: MemberBrowser) => (await member.get('/sends')).body.sends[0]

async function scene() {
  const { team, key, campaignId } = await connect(world, { name: 'Autumn' })
  const inbox = await world.inbox()
  const [heard, silent] = [await capture(world, team, fans(3)), await capture(world, team, fans(2))]
  await ok(team.put(`/sources/${heard.id}/webhook`, { webhookUrl: inbox.url }))
  await ok(team.post(`/sources/${heard.id}/push`, { leadIds: heard.leadIds.slice(0, 1) }))
  await world.drain()
  const gone = '00000000-0000-4000-8000-000000000000'
  const push = { kind: 'push', leads: { by: 'ids', ids: [...heard.leadIds, ...silent.leadIds, gone] } }
  return { team, key, campaignId, inbox, heard, silent, push, member: await memberOf(world, team, 'member') }
}

it(
  'is shown before the yes by who goes, who is there already and who is held back and why, writing nothing; then ' +
    'exactly those go, ten seconds later [WHK-17, WHK-18]',
  async () => {
    const { team, inbox, heard, silent, push, member } = await scene()
    const before = await snapshot(world.database.pool)
    const preview = await previewed(member, push)
    expect(await snapshot(world.database.pool)).toEqual(before)
    expect(preview).toMatchObject({
      total: 6,
      goes: 2,
      lines: [
        { reason: 'now', count: 2 },
        { reason: 'no_webhook', count: 2 },
        { reason: 'delivered', count: 1 },
        { reason: 'gone', count: 1 },
      ],
      groups: [
        { ownerId: heard.id, goes: 2, destination: new URL(inbox.url).host },
        { ownerId: silent.id, goes: 0, destination: null, lines: [{ reason: 'no_webhook', count: 2 }] },
      ],
    })
    const ofFilters = { kind: 'push', leads: { by: 'filters', filters: { profileId: heard.id, isIcp: 'true' } } }
    expect(await previewed(member, ofFilters)).toMatchObject({ total: 0, goes: 0 })
    const all = { kind: 'push', leads: { by: 'filters', filters: { profileId: heard.id } } }
    expect(await previewed(member, all)).toMatchObject({ total: 3, goes: 2 })
    const received = inbox.received.length
    const send = await planned(member, push, 2)
    expect(send).toMatchObject({ state: 'planned', goes: 2, label: new URL(inbox.url).host })
    await world.drain()
    expect(inbox.received.length).toBe(received)
    await world.advance('10s')
    await world.drain()
    expect(inbox.received.length).toBe(received + 2)
    expect(await latest(member)).toMatchObject({
      id: send.id,
      state: 'done',
      counts: { sent: 2, already: 0, failed: 0 },
    })
    expect(await previewed(member, push)).toMatchObject({ goes: 0 })
    expect((await member.post('/sends', { send: push, goes: 2 })).body).toMatchObject({
      code: 'preview_outdated',
      goes: 0,
    })
    const stranger = await memberOf(world, await world.team(), 'owner')
    expect(await previewed(stranger, push)).toMatchObject({ goes: 0, lines: [{ reason: 'gone', count: 6 }] })
    expect((await stranger.post(`/sends/${send.id}/cancel`)).status).toBe(404)
    expect((await stranger.get('/sends')).body.sends).toEqual([])
    expect((await team.get('/leads?webhookStatus=sent')).body.total).toBe(3)
  },
)

it('can be undone until it begins and not after, whatever becomes of the page; undone, nothing goes [WHK-17]', async () => {
  const { inbox, push, member } = await scene()
  const received = inbox.received.length
  const send = await planned(member, push, 2)
  await world.advance('9s')
  await world.drain()
  expect(await ok(member.post(`/sends/${send.id}/cancel`))).toMatchObject({ send: { state: 'cancelled' } })
  await world.advance('1h')
  await world.drain()
  expect(inbox.received.length).toBe(received)
  expect((await member.post(`/sends/${send.id}/cancel`)).body.code).toBe('send_begun')
  const again = await planned(member, push, 2)
  await world.advance('10s')
  await world.drain()
  expect((await member.post(`/sends/${again.id}/cancel`)).body.code).toBe('send_begun')
  expect(inbox.received.length).toBe(received + 2)
})

it('never reaches more than was agreed to, and counts who went by another way meanwhile as there already [WHK-18]', async () => {
  const { team, inbox, heard, push, member } = await scene()
  expect((await member.post('/sends', { send: push, goes: 1 })).body).toMatchObject({
    code: 'preview_outdated',
    goes: 2,
  })
  const received = inbox.received.length
  await planned(member, push, 2)
  await ok(team.post(`/sources/${heard.id}/push`, { leadIds: heard.leadIds }))
  await world.advance('10s')
  await world.drain()
  expect(inbox.received.length).toBe(received + 2)
  expect(await latest(member)).toMatchObject({ state: 'done', counts: { sent: 0, already: 2 } })
  const replay = { kind: 'replay', ownerId: heard.id, states: ['sent'], since: '2020-01-01T00:00:00Z' }
  expect(await previewed(member, replay)).toMatchObject({ goes: 3 })
  await planned(member, replay, 3)
  await world.advance('10s')
  await world.drain()
  expect(inbox.received.length).toBe(received + 5)
  expect(new Set(inbox.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
})

it('says that the address went within the ten seconds, and sends nothing', async () => {
  const { team, inbox, heard, push, member } = await scene()
  const received = inbox.received.length
  await planned(member, push, 2)
  await ok(team.put(`/sources/${heard.id}/webhook`, { webhookUrl: '' }))
  await world.advance('10s')
  await world.drain()
  expect(inbox.received.length).toBe(received)
  expect(await latest(member)).toMatchObject({ state: 'done', counts: { sent: 0, failed: 2 } })
})

it('to a campaign names who is in it, and sends nobody twice although the worker dies after the call [OUT-06, OUT-10]', async () => {
  const { team, key, campaignId, heard, silent, member } = await scene()
  await ok(team.post('/integrations/outreach/send', { campaignId, leadIds: heard.leadIds.slice(0, 1) }))
  const send = { kind: 'campaign', campaignId, leads: { by: 'ids', ids: [...heard.leadIds, ...silent.leadIds] } }
  expect(await previewed(member, send)).toMatchObject({
    total: 5,
    goes: 4,
    lines: [
      { reason: 'now', count: 4 },
      { reason: 'in_campaign', count: 1 },
    ],
    campaign: { id: campaignId, name: 'Autumn' },
  })
  await planned(member, send, 4)
  expect(handlesIn(world, key, campaignId)).toHaveLength(1)
  await world.arm('send.answered', 1)
  await world.move('10s')
  // The fault may hit a worker of the long run or the drain, whichever is first.
  await workThrough(world, 'send.answered', 1)
  await world.drain()
  expect(handlesIn(world, key, campaignId)).toHaveLength(5)
  expect(timesSent(world, key, campaignId)).toBe(5)
  expect(await latest(member)).toMatchObject({ state: 'done', counts: { already: 4 } })
  const closed = { kind: 'campaign', campaignId: 'nothing', leads: { by: 'source', sourceId: heard.id } }
  expect((await member.post('/sends/preview', { send: closed })).status).toBe(404)
  expect((await member.post('/sends/preview', { send: { kind: 'push' } })).status).toBe(400)
})

it('to a campaign that does not answer counts everybody: who is undecided, and who is there by another way [OUT-13, OUT-15]', async () => {
  const { team, key, campaignId, heard, silent, member } = await scene()
  await planned(
    member,
    { kind: 'campaign', campaignId, leads: { by: 'ids', ids: [...heard.leadIds, ...silent.leadIds] } },
    5,
  )
  await ok(team.post('/integrations/outreach/send', { campaignId, leadIds: heard.leadIds.slice(0, 2) }))
  world.network.fault({
    vendor: 'heyreach',
    operation: 'AddLeadsToCampaignV2',
    kind: 'lost_reply',
    times: 1,
    match: { campaignId },
  })
  await world.advance('10s')
  expect(await latest(member)).toMatchObject({
    state: 'done',
    counts: { sent: 0, already: 2, undecided: 3, failed: 0 },
  })
  await world.advance('11m')
  expect([handlesIn(world, key, campaignId).length, timesSent(world, key, campaignId)]).toEqual([5, 5])
})
