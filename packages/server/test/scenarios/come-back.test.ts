/** Answers about an outside system that is held, or that asked callers to wait, give the true cause and `Retry-After`. */
import { describe, expect, it } from 'vitest'
import { memberOf } from '../dashboard/stage.ts'
import { useWorld, type Answer } from '../world/world.ts'
import { capture, connect, fans, handlesIn, seedCampaign, type Connected } from './outreach-stage.ts'

// Without workers: the drain does all work.
const world = useWorld({ breaker: true, config: { roles: ['http'] } })

const home = '/integrations/outreach'
const person = () => ({ profileUrl: `https://www.linkedin.com/in/${world.handle('some')}`, name: 'Some One' })

/** Status, seconds of `Retry-After` and message. */
const told = ({ status, headers, body }: Answer): [number, number | null, string] => {
  const seconds = headers.get('retry-after')
  return [status, seconds === null ? null : Number(seconds), body.error]
}

/** Every route on which a caller waits for the outreach platform. */
async function everyRoute({ team, campaignId }: Connected): Promise<readonly (() => Promise<Answer>)[]> {
  const source = await capture(world, team, fans(1))
  const member = await memberOf(world, team, 'member')
  return [
    () => team.get(`${home}/campaigns`),
    () => team.post(`${home}/send`, { campaignId, people: [person()] }),
    () => team.put(`/sources/${source.id}/outreach`, { campaignId }),
    () => team.put('/agent', { outreach: { campaignId } }),
    () => member.post('/sends/preview', { send: { kind: 'people', campaignId, people: [person()] } }),
  ]
}

describe('the outreach platform', () => {
  it('that takes no more calls is 502 on every route, with its own wait and that cause [FIX-08, OUT-16, ERR-22]', async () => {
    const stage = await connect(world)
    const routes = await everyRoute(stage)
    for (const ask of routes) {
      world.network.fault({ vendor: 'heyreach', kind: 'status_429', retryAfterS: 240 })
      expect(told(await ask())).toEqual([502, 240, expect.stringContaining('takes no more calls')])
      world.network.clearFaults()
      await world.database.pool.query('delete from vendor_breaker')
    }
  })

  it('that is held after failures is not asked, and the answer says so and when it is tried again [FIX-08, ERR-22]', async () => {
    const stage = await connect(world)
    const routes = await everyRoute(stage)
    world.network.fault({ vendor: 'heyreach', kind: 'status_503' })
    for (let calls = 0; calls < 3; calls += 1) await stage.team.get(`${home}/campaigns`)
    for (const ask of routes)
      expect(told(await ask())).toEqual([502, 60, expect.stringContaining('failed several times in a row')])
    world.network.clearFaults()
    await world.database.pool.query('delete from vendor_breaker')
    world.network.fault({ vendor: 'heyreach', kind: 'status_429', retryAfterS: 900 })
    for (let calls = 0; calls < 5; calls += 1) await stage.team.get(`${home}/campaigns`)
    world.network.clearFaults()
    for (const ask of routes) {
      const [status, seconds, message] = told(await ask())
      expect([status, seconds! > 890 && seconds! <= 905, message]).toEqual([
        502,
        true,
        expect.stringContaining('takes no more calls'),
      ])
    }
    await world.database.pool.query('delete from vendor_breaker')
  })

  it('that once gave no answer is 502 without a time to come back [FIX-08, ERR-22]', async () => {
    const { team } = await connect(world)
    world.network.fault({ vendor: 'heyreach', kind: 'status_500' })
    expect(told(await team.get(`${home}/campaigns`))).toEqual([502, null, expect.stringContaining('did not answer')])
    world.network.clearFaults()
  })

  it('whose campaign ends midway: 502 says that, and partial what was added before [FIX-08, G106, OUT-16]', async () => {
    for (const [change, cause] of [
      [(key: string, id: number) => world.network.outreach.setStatus(key, id, 'FINISHED'), 'takes no more leads'],
      [
        (key: string, id: number) => void (world.network.outreach.campaign(key, id)!.accountIds.length = 0),
        'no sender account',
      ],
    ] as const) {
      const { team, key } = await connect(world)
      const campaignId = seedCampaign(world, key)
      world.network.hold({ vendor: 'heyreach', operation: 'AddLeadsToCampaignV2' })
      const asked = team.post(`${home}/send`, { campaignId, people: Array.from({ length: 150 }, person) })
      await world.network.untilWaiting(1, { operation: 'AddLeadsToCampaignV2' })
      // After the first hundred people, before the campaign is read again.
      world.network.release()
      world.network.hold({ vendor: 'heyreach', operation: 'GetById' })
      await world.network.untilWaiting(1, { operation: 'GetById' })
      change(key, Number(campaignId))
      world.network.release()
      const answer = await asked
      expect(told(answer)).toEqual([502, null, expect.stringContaining(cause)])
      expect(answer.body.error).not.toContain('did not answer')
      expect(answer.body.partial).toMatchObject({ sent: 100, added: 100, recorded: 100 })
      expect(handlesIn(world, key, campaignId)).toHaveLength(100)
    }
  })
})

describe('the network', () => {
  it('that takes no more calls says when to come back on every route that waits for it [FIX-08, ERR-22, ERR-25]', async () => {
    const team = await world.team({ credits: 100 })
    for (const vendor of ['harvestapi', 'linkdapi'] as const)
      world.network.fault({ vendor, kind: 'status_429', retryAfterS: 90 })
    const handle = world.handle('somebody')
    for (const [ask, status] of [
      [() => team.get(`/profile/${handle}/urn`), 502],
      [() => team.get(`/profile/${handle}/posts?posts=1&confirmSpend=true`), 502],
      [() => team.post('/enrich/profile', { username: handle }), 502],
      [() => team.post('/post/track', { postUrl: 'urn:li:activity:7395000000000000777' }), 503],
    ] as const) {
      expect(told(await ask())).toEqual([status, 90, expect.any(String)])
      await world.database.pool.query('delete from vendor_breaker')
    }
    world.network.clearFaults()
    expect(await team.balance()).toBe(100)
  })

  it('that does not answer about a post is 503 with a time to come back all the same [FIX-08, ERR-25]', async () => {
    const team = await world.team()
    for (const vendor of ['harvestapi', 'linkdapi'] as const) world.network.fault({ vendor, kind: 'status_500' })
    expect(told(await team.post('/post/track', { postUrl: 'urn:li:activity:7395000000000000778' }))).toEqual([
      503,
      5,
      expect.any(String),
    ])
    world.network.clearFaults()
    await world.database.pool.query('delete from vendor_breaker')
  })
})
