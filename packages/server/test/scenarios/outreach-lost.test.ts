import { describe, expect, it } from 'vitest'
import type { FaultPoint } from '../../src/platform/faults.ts'
import { useWorld, drainOnlyUnlessLongRun, type Answer } from '../world/world.ts'
import { refusedWithoutTrace } from '../world/tracking.ts'
import {
  add,
  addsTo,
  capture,
  connect,
  expectSentOnce,
  expireLeases,
  fans,
  handlesIn,
  membersOf,
  named,
  ok,
  refusal,
  timesSent,
  type Connected,
} from './outreach-stage.ts'
import { armedTimes } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const path = '/integrations/outreach/send'
const people = (count: number, prefix = world.handle('lost')) => named(count, prefix)

const handlesOf = (list: readonly { profileUrl: string }[]) =>
  list.map(({ profileUrl }) => profileUrl.split('/in/')[1]!)

const sendTo = ({ team, campaignId }: Connected, list: unknown[]): Promise<Answer> =>
  team.post(path, { campaignId, people: list })

async function ledger({ team, campaignId }: Connected): Promise<Record<string, number>> {
  const { rows } = await world.database.pool.query(
    'select state, count(*)::int as count from outreach_send where team_id = $1 and campaign_id = $2 group by state order by state',
    [team.id, campaignId],
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** Moves past the time at which uncertain people are looked up. */
const settle = () => world.advance('11m')

describe('sends that race', () => {
  it('send everybody once between them, and count everybody [OUT-13]', async () => {
    const stage = await connect(world)
    const source = await capture(world, stage.team, fans(30))
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        ok(
          stage.team.post(path, {
            campaignId: stage.campaignId,
            leadIds: index % 2 ? source.leadIds : source.leadIds.toReversed(),
          }),
        ),
      ),
    )
    const sum = (name: string) => answers.reduce((total, answer) => total + answer[name], 0)
    expect([sum('sent'), sum('added'), sum('recorded'), sum('alreadyInCampaign')]).toEqual([30, 30, 30, 150])
    expectSentOnce(world, stage, source.handles)
  })

  it('while another is on its way, its people are not sent; should it fail, they can be [OUT-13]', async () => {
    const stage = await connect(world)
    const list = people(2)
    world.network.hold({ ...add, match: { campaignId: stage.campaignId } })
    const first = sendTo(stage, list)
    await world.network.untilWaiting(1, add)
    expect(await ok(sendTo(stage, list))).toMatchObject({
      sent: 0,
      alreadyInCampaign: 2,
    })
    world.network.fault({ ...add, kind: 'status', status: 400, times: 1 })
    world.network.release()
    expect(await ok(first)).toMatchObject({ sent: 2, failed: 2, added: 0, recorded: 0 })
    expect(await ledger(stage)).toEqual({ failed: 2 })
    expect(await ok(sendTo(stage, list))).toMatchObject({
      added: 2,
      recorded: 2,
    })
  })
})

describe('an answer that is lost', () => {
  it.each([
    ['the connection is cut', {}],
    ['a 500 comes instead', { status: 500 }],
  ])(
    'after the people were added (%s): 502 with what is known, and they are never sent again [OUT-13, OUT-15]',
    async (_what, how) => {
      const stage = await connect(world)
      const list = people(150)
      world.network.fault({ ...add, kind: 'lost_reply', times: 1, ...how, match: { campaignId: stage.campaignId } })
      const answer = await sendTo(stage, list)
      expect(refusal(answer)).toEqual([502, undefined])
      expect(answer.body.partial).toMatchObject({ sent: 0, added: 0, recorded: 0, uncertain: 100 })
      expect(await ledger(stage)).toEqual({ uncertain: 100 })
      // People in state `uncertain` are not sent again; the others are.
      expect(await ok(sendTo(stage, list))).toMatchObject({
        sent: 50,
        added: 50,
        alreadyInCampaign: 0,
        uncertain: 100,
      })
      await settle()
      expect(await ledger(stage)).toEqual({ sent: 150 })
      expect(await ok(sendTo(stage, list))).toMatchObject({
        sent: 0,
        alreadyInCampaign: 150,
        uncertain: 0,
      })
      expectSentOnce(world, stage, handlesOf(list))
    },
  )

  it.each([
    ['after some were added: those found in the campaign are sent, the others', 'lost_reply', { sent: 2, failed: 1 }],
    ['before anybody was added: they are found missing, and', 'reset', { failed: 3 }],
  ] as const)('%s go with a new call [OUT-13]', async (_when, kind, found) => {
    const stage = await connect(world)
    const list = people(3)
    world.network.fault({ ...add, kind, times: 1 })
    expect((await sendTo(stage, list)).status).toBe(502)
    expect(await ok(sendTo(stage, list))).toMatchObject({ sent: 0, alreadyInCampaign: 0, uncertain: 3 })
    world.network.outreach.removeLead(stage.key, Number(stage.campaignId), list[1]!.profileUrl)
    await settle()
    expect(await ledger(stage)).toEqual(found)
    expect(await ok(sendTo(stage, list))).toMatchObject({ added: found.failed, alreadyInCampaign: 3 - found.failed })
    expectSentOnce(world, stage, handlesOf(list))
  })

  it('of people sent by a member id whom it does not find: they may be listed by handle, so they are never sent again [OUT-13]', async () => {
    const stage = await connect(world)
    const memberId = 'ACoAAB7654321zyxwvutsrqponmlkjihgfedcbaz'
    const byId = { profileUrl: `https://www.linkedin.com/in/${memberId}`, name: 'Person of an id' }
    const list = [...people(2), byId]
    world.network.fault({ ...add, kind: 'lost_reply', times: 1 })
    expect((await sendTo(stage, list)).status).toBe(502)
    for (const { profileUrl } of [list[0]!, byId])
      expect(world.network.outreach.removeLead(stage.key, Number(stage.campaignId), profileUrl)).toBe(true)
    await settle()
    expect(await ledger(stage)).toEqual({ failed: 1, sent: 1, uncertain: 1 })
    await world.advance('7h')
    expect(await ok(sendTo(stage, list))).toMatchObject({
      sent: 1,
      added: 1,
      alreadyInCampaign: 1,
      uncertain: 1,
    })
    expect(timesSent(world, stage.key, stage.campaignId)).toBe(2)
  })

  it('of a lead whose address is a member id although their handle is known: the same [OUT-13]', async () => {
    const stage = await connect(world)
    const { leadIds } = await capture(world, stage.team, fans(2))
    const profileUrl = 'https://www.linkedin.com/in/ACoAAB7654321zyxwvutsrqponmlkjihgfedcbaq'
    await world.database.pool.query('update lead set linkedin_url = $3 where team_id = $1 and id = $2', [
      stage.team.id,
      leadIds[0],
      profileUrl,
    ])
    world.network.fault({ ...add, kind: 'lost_reply', times: 1 })
    expect((await stage.team.post(path, { campaignId: stage.campaignId, leadIds })).status).toBe(502)
    for (const lead of membersOf(world, stage.key, stage.campaignId).slice())
      expect(world.network.outreach.removeLead(stage.key, Number(stage.campaignId), lead.profileUrl)).toBe(true)
    await settle()
    expect(await ledger(stage)).toEqual({ failed: 1, uncertain: 1 })
  })

  it('that comes only after its people were looked up changes nothing: what the campaign said stands [OUT-13]', async () => {
    const stage = await connect(world)
    const list = people(2)
    world.network.hold({ ...add, match: { campaignId: stage.campaignId } })
    const late = sendTo(stage, list)
    await world.network.untilWaiting(1, add)
    // Expires the sender's lease, as if it had died.
    await expireLeases(world)
    await world.drain()
    await settle()
    expect(await ledger(stage)).toEqual({ failed: 2 })
    world.network.fault({ ...add, kind: 'reset', times: 1, match: { campaignId: stage.campaignId } })
    world.network.release()
    expect((await late).body).toMatchObject({ partial: { added: 0, uncertain: 2 } })
    expect(await ledger(stage)).toEqual({ failed: 2 })
    expect(await ok(sendTo(stage, list))).toMatchObject({ added: 2 })
    expect(timesSent(world, stage.key, stage.campaignId)).toBe(2)
  })
})

describe('a platform that fails midway', () => {
  it('after the first hundred: 502 with partial saying what was added, and the rest can be sent [OUT-15, ERR-22]', async () => {
    const stage = await connect(world)
    const list = people(250)
    world.network.hold({ ...add, match: { campaignId: stage.campaignId } })
    const asked = stage.team.post(path, {
      campaignId: stage.campaignId,
      people: [...list, { profileUrl: 'https://example.com/nobody' }],
    })
    await world.network.untilWaiting(1, add)
    world.network.fault({
      kind: 'status_429',
      vendor: 'heyreach',
      operation: 'GetById',
      match: { campaignId: stage.campaignId },
    })
    world.network.release()
    const answer = await asked
    expect(refusal(answer)).toEqual([502, undefined])
    expect(answer.body.partial).toEqual({
      sent: 100,
      added: 100,
      updated: 0,
      failed: 0,
      skippedNoLinkedin: 1,
      alreadyInCampaign: 0,
      uncertain: 0,
      skippedExcluded: 0,
      notFound: 0,
      recorded: 100,
    })
    world.network.clearFaults()
    expect(await ok(sendTo(stage, list))).toMatchObject({
      added: 150,
      alreadyInCampaign: 100,
    })
    expect(timesSent(world, stage.key, stage.campaignId)).toBe(250)
  })

  it.each([
    ['a 503', { kind: 'status_503' }],
    ['a flood', { kind: 'huge_body', bytes: 6_000_000 }],
  ] as const)('before anybody was sent (%s) is 502 and leaves no trace [OUT-15, ERR-22]', async (_what, fault) => {
    const stage = await connect(world)
    world.network.fault({ vendor: 'heyreach', operation: 'GetById', ...fault })
    expect(
      refusal(
        await refusedWithoutTrace(world, () =>
          stage.team.post(path, { campaignId: stage.campaignId, people: people(1) }),
        ),
      ),
    ).toEqual([502, undefined])
  })

  it('with too many calls at the add: certainly not done, so they can be sent at once [OUT-15]', async () => {
    const stage = await connect(world)
    const list = people(2)
    world.network.fault({ ...add, kind: 'status_429' })
    const answer = await sendTo(stage, list)
    expect([answer.status, answer.body.partial]).toMatchObject([502, { sent: 0, added: 0 }])
    expect(await ledger(stage)).toEqual({})
    world.network.clearFaults()
    expect(await ok(sendTo(stage, list))).toMatchObject({ added: 2 })
  })

  it('that rejects the key midway is 409 before anybody was sent, and the key is known to be bad [ERR-20, OUT-16]', async () => {
    const stage = await connect(world)
    world.network.fault({ ...add, kind: 'status', status: 401, times: 1 })
    expect(refusal(await stage.team.post(path, { campaignId: stage.campaignId, people: people(1) }))).toEqual([
      409,
      'invalid_key',
    ])
    expect((await ok(stage.team.get('/integrations/outreach'))).keyRejected).toBe(true)
    expect(await ledger(stage)).toEqual({})
  })

  it('that takes nobody: all have failed and can be sent again; with some taken nobody knows who failed [OUT-10, OUT-24]', async () => {
    const stage = await connect(world)
    const [ghost, mute, good] = ['ghost', 'mute', 'good'].map((prefix) => people(1, `${prefix}-${world.handle()}`)[0]!)
    const send = (list: unknown[]) => ok(sendTo(stage, list))
    for (const unlucky of [ghost, mute])
      for (let again = 0; again < 2; again++)
        expect(await send([unlucky])).toMatchObject({
          sent: 1,
          added: 0,
          failed: 1,
          recorded: 0,
          alreadyInCampaign: 0,
        })
    expect(await send([ghost, mute, good])).toMatchObject({ sent: 3, added: 1, failed: 2, recorded: 3 })
    expect(await send([ghost, mute, good])).toMatchObject({ sent: 0, recorded: 0, alreadyInCampaign: 3 })
  })
})

describe('a service that dies', () => {
  it.each([
    ['outreach.claimed', 0],
    ['outreach.answered', 3],
    ['outreach.before-commit', 3],
  ] as const)(
    'at %s: the people are looked up before anybody sends them again, and end in the campaign once [OUT-13]',
    async (point: FaultPoint, added) => {
      const stage = await connect(world)
      const source = await capture(world, stage.team, fans(3))
      await world.arm(point)
      const send = (): Promise<Answer> =>
        stage.team.post(path, { campaignId: stage.campaignId, leadIds: source.leadIds })
      expect((await send()).status).toBe(500)
      expect([membersOf(world, stage.key, stage.campaignId).length, await ledger(stage)]).toEqual([
        added,
        { sending: 3 },
      ])
      expect(await ok(send())).toMatchObject({ sent: 0, alreadyInCampaign: 3 })
      await expireLeases(world)
      await world.drain()
      expect(await ledger(stage)).toEqual({ uncertain: 3 })
      expect(await ok(send())).toMatchObject({ sent: 0, alreadyInCampaign: 0, uncertain: 3 })
      await world.arm('outreach.looked-up')
      await world.move('11m')
      const drained = world.drain().catch(() => undefined)
      await expect.poll(() => armedTimes(world, 'outreach.looked-up'), { timeout: 20_000 }).toBe(0)
      await expireLeases(world)
      await drained
      await world.drain()
      expect(await ledger(stage)).toEqual(added === 0 ? { failed: 3 } : { sent: 3 })
      expect(await ok(send())).toMatchObject(added === 0 ? { added: 3 } : { sent: 0, alreadyInCampaign: 3 })
      expectSentOnce(world, stage, source.handles)
    },
  )
})

describe('a worker that was overtaken', () => {
  it('leaves a rule to whoever has it by now, and its people as they are [OUT-13]', async () => {
    const [stage, other] = [await connect(world), await connect(world)]
    const read = { vendor: 'heyreach', operation: 'GetById', match: { campaignId: stage.campaignId } }
    const adding = { ...add, match: { campaignId: stage.campaignId } }
    const queued = async () =>
      (
        await world.database.pool.query(
          'select person_urn, due_at from outreach_queue where team_id = $1 order by person_urn',
          [stage.team.id],
        )
      ).rows
    const captured = capture(world, stage.team, fans(2), {
      before: async (id) => {
        await ok(stage.team.put(`/sources/${id}/outreach`, { campaignId: stage.campaignId }))
        // The first worker's read of the campaign hangs until released; the second's answers at once.
        world.network.fault({ ...read, kind: 'hang', times: 1 })
      },
    })
    await world.network.untilWaiting(1, read)
    world.network.hold(adding)
    await expect.poll(async () => (await queued()).length).toBe(2)
    await expireLeases(world)
    world.beginDrain()
    await world.network.untilWaiting(1, adding)
    const before = await queued()
    world.network.release(read)
    // A whole send, which takes longer than what the first worker has left to do.
    await ok(other.team.post(path, { campaignId: other.campaignId, people: people(1) }))
    expect(await queued()).toEqual(before)
    world.network.release()
    const { handles } = await captured
    expect(handlesIn(world, stage.key, stage.campaignId)).toEqual([...handles].toSorted())
    expect([addsTo(world, stage.campaignId), timesSent(world, stage.key, stage.campaignId)]).toEqual([1, 2])
  })
})
