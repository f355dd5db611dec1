import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { refusedWithoutTrace } from '../world/tracking.ts'
import { capture, connect, ok, refusal, seedCampaign, storeKey } from './outreach-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const home = '/integrations/outreach'
const campaigns = `${home}/campaigns`

describe('the connection', () => {
  it('of a fresh team is none; a stored key makes it, a removed one ends it [OUT-02]', async () => {
    const team = await world.team()
    expect(await ok(team.get(home))).toEqual({
      connected: false,
      connectedAt: null,
      keyRejected: false,
      resultsUrl: null,
      autoPush: [],
    })
    await storeKey(world, team, 'a-good-key')
    expect(await ok(team.get(home))).toEqual({
      connected: true,
      connectedAt: (await world.now()).toISOString(),
      keyRejected: false,
      resultsUrl: expect.stringContaining('/hooks/outreach/'),
      autoPush: [],
    })
    await storeKey(world, team, null)
    expect(await ok(team.get(home))).toMatchObject({ connected: false, connectedAt: null, resultsUrl: null })
  })

  it('knows that its key is rejected until another is stored, or the platform takes it again [OUT-02, OUT-03, ERR-20]', async () => {
    const { team, key } = await connect(world)
    world.network.outreach.rejectKey(key)
    expect(await ok(team.get(home))).toMatchObject({ connected: true, keyRejected: false })
    expect(refusal(await team.get(campaigns))).toEqual([409, 'invalid_key'])
    expect(await ok(team.get(home))).toMatchObject({ connected: true, keyRejected: true })
    await storeKey(world, team, `${key}-new`)
    expect(await ok(team.get(home))).toMatchObject({ connected: true, keyRejected: false })
    await storeKey(world, team, key)
    expect(refusal(await team.get(campaigns))).toEqual([409, 'invalid_key'])
    world.network.outreach.rejectKey(key, false)
    await ok(team.get(campaigns))
    expect(await ok(team.get(home))).toMatchObject({ keyRejected: false })
  })

  it('that is replaced while its key is being refused is not taken for refused [OUT-02, OUT-23]', async () => {
    const { team, key, campaignId } = await connect(world)
    const source = await capture(world, team, [])
    await ok(team.put(`/sources/${source.id}/outreach`, { campaignId }))
    world.network.hold({ vendor: 'heyreach' })
    world.network.fault({ vendor: 'heyreach', kind: 'status', status: 401, times: 1 })
    const asked = team.get(campaigns)
    await world.network.untilWaiting(1, { vendor: 'heyreach' })
    await storeKey(world, team, `${key}-new`)
    world.network.release()
    expect(refusal(await asked)).toEqual([409, 'invalid_key'])
    expect(await ok(team.get(home))).toMatchObject({ keyRejected: false, autoPush: [{ state: 'active' }] })
  })

  it('of one team is not that of another [AUT-11]', async () => {
    const [one, two] = [await connect(world), await connect(world)]
    const source = await capture(world, one.team, [])
    await ok(one.team.put(`/sources/${source.id}/outreach`, { campaignId: one.campaignId }))
    expect((await ok(two.team.get(home))).autoPush).toEqual([])
    expect((await ok(two.team.get(campaigns))).campaigns.map((each: { id: string }) => each.id)).not.toContain(
      one.campaignId,
    )
    expect(
      refusal(
        await two.team.post(`${home}/send`, {
          campaignId: one.campaignId,
          people: [{ profileUrl: 'https://www.linkedin.com/in/x', name: 'X Y' }],
        }),
      ),
    ).toEqual([404, undefined])
  })
})

describe('the campaigns', () => {
  it('are those that are not over, with ids of digits, senders, and whether they take leads [OUT-04, OUT-05]', async () => {
    const { team, key } = await connect(world, { name: 'Mine', accountIds: [7, 8] })
    for (const status of ['FINISHED', 'CANCELED', 'FAILED']) seedCampaign(world, key, { name: status, status })
    const list = (await ok(team.get(campaigns))).campaigns
    expect(list.find((each: { name: string }) => each.name === 'Mine')).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Mine',
      status: 'IN_PROGRESS',
      accountIds: [7, 8],
      canTakeLeads: true,
    })
    expect(
      Object.fromEntries(
        list
          .filter(({ id }: { id: string }) => Number(id) < 2_000)
          .map((each: Record<string, unknown>) => [each.id, [each.status, each.canTakeLeads]]),
      ),
    ).toEqual({
      1001: ['IN_PROGRESS', true],
      1002: ['PAUSED', true],
      1003: ['DRAFT', false],
      1004: ['SCHEDULED', true],
      1006: ['IN_PROGRESS', false],
    })
    expect(list.map((each: { name: string }) => each.name)).not.toContain('FINISHED')
  })

  it('are read live, all pages of them [OUT-03, OUT-05]', async () => {
    const { team, key, campaignId } = await connect(world)
    for (let made = 0; made < 230; made++) seedCampaign(world, key)
    expect((await ok(team.get(campaigns))).campaigns).toHaveLength(236)
    world.network.outreach.setStatus(key, Number(campaignId), 'FINISHED')
    expect((await ok(team.get(campaigns))).campaigns).toHaveLength(235)
  })

  it('are 409 without a connection or with a rejected key, 502 when the platform fails [OUT-03, ERR-20, ERR-22]', async () => {
    const fresh = await world.team()
    expect(refusal(await refusedWithoutTrace(world, () => fresh.get(campaigns)))).toEqual([409, 'not_connected'])
    await storeKey(world, fresh, 'bad-key')
    expect(refusal(await fresh.get(campaigns))).toEqual([409, 'invalid_key'])
    const { team } = await connect(world)
    for (const fault of [
      { kind: 'status_500' },
      { kind: 'status_429' },
      { kind: 'html_200' },
      { kind: 'truncated_json' },
      { kind: 'reset' },
      { kind: 'status', status: 422 },
    ] as const) {
      world.network.fault({ vendor: 'heyreach', ...fault })
      const answer = await refusedWithoutTrace(world, () => team.get(campaigns))
      expect(refusal(answer)).toEqual([502, undefined])
      world.network.clearFaults()
    }
    // A key without access to the workspace is refused like a wrong one.
    world.network.fault({ vendor: 'heyreach', kind: 'status', status: 403 })
    expect(refusal(await team.get(campaigns))).toEqual([409, 'invalid_key'])
    world.network.clearFaults()
  })
})

describe('the key', () => {
  it('is bound to its team [AUT-17]', async () => {
    const [one, two] = [await connect(world), await connect(world)]
    const { pool } = world.database
    const sealed = async (teamId: string) =>
      (await pool.query(`select sealed from team_credential where team_id = $1 and kind = 'outreach'`, [teamId]))
        .rows[0].sealed as Buffer
    const own = await sealed(two.team.id)
    await pool.query(`update team_credential set sealed = $1 where team_id = $2`, [
      await sealed(one.team.id),
      two.team.id,
    ])
    expect((await two.team.get(campaigns)).status).toBe(500)
    await pool.query(`update team_credential set sealed = $1 where team_id = $2`, [own, two.team.id])
    await ok(two.team.get(campaigns))
  })
})
