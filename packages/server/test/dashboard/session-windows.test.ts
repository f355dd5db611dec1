/** How much one team's people may request per minute, per day, and at once. */
import { describe, expect, it } from 'vitest'
import { personalLimits } from '../../src/edge/dashboard/windows.ts'
import { teamCallsPerDay } from '../../src/modules/accounts/index.ts'
import { snapshot } from '../world/snapshot.ts'
import { leadsOf, silent, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'
import { memberOf } from './stage.ts'

const world = useWorld()
/** Counters and leases, which do not count as an effect of a request. */
const counters = ['rate_window', 'vendor_slot', 'vendor_minute', 'vendor_limit', 'vendor_day']

/** One after another, because a burst would hit other limits on a busy machine. */
async function often<T>(times: number, ask: (n: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (let n = 0; n < times; n++) answers.push(await ask(n))
  return answers
}
const refusedOf = (answers: readonly { readonly status: number }[]): number =>
  answers.filter(({ status }) => status === 429).length

describe('the windows of signed-in people', () => {
  it('let people read ten and write five times what keys may, in windows of their own, then say when to return [RAT-16]', async () => {
    const team = await world.team({ limits: { reads: 1, writes: 1 } })
    const [one, two] = [await memberOf(world, team, 'viewer'), await memberOf(world, team, 'owner')]
    const reads = await often(12, (n) => (n % 2 ? one : two).get('/members'))
    expect(reads.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = reads.filter(({ status }) => status === 429)
    expect(refused.map(({ body }) => body.code)).toEqual(['rate_limited', 'rate_limited'])
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await one.get('/v1/leads')).status).toBe(429)
    expect((await team.get('/leads')).status).toBe(200)
    expect(refusedOf(await often(6, () => two.post('/v1/keys', { name: 'spare' })))).toBe(1)
    const other = await memberOf(world, await world.team(), 'viewer')
    expect((await other.get('/members')).status).toBe(200)
    await world.move('61s')
    expect((await one.get('/members')).status).toBe(200)
  })

  it('are small for what reaches beyond the service: test events, replays, back-tests, exports and jobs, each its own', async () => {
    const team = await world.team()
    const member = await memberOf(world, team, 'owner')
    const nobody = world.service.ids.uuid(new Date())
    const outsider = await memberOf(world, await world.team(), 'viewer')
    for (let n = 0; n < 12; n++) await outsider.send('POST', `/app/api/teams/${team.id}/webhooks/test`, {})
    expect(refusedOf(await often(12, () => member.post('/webhooks/test', { sourceId: nobody })))).toBe(2)
    expect(refusedOf(await often(32, () => member.post(`/deliveries/${nobody}/replay`)))).toBe(2)
    expect(refusedOf(await often(12, () => member.post('/keyword/backtest', {})))).toBe(2)
    expect(refusedOf(await often(12, () => member.get('/leads/export')))).toBe(2)
    expect(refusedOf(await often(32, () => member.post('/v1/post/reactions', { postUrl: 'nonsense' })))).toBe(2)
    expect((await member.get('/members')).status).toBe(200)
  })
})

describe('the window of a person', () => {
  it('counts what they ask for no team, reads and writes apart; others have their own [RAT-16]', async () => {
    const [busy, other] = [
      await memberOf(world, await world.team(), 'viewer'),
      await memberOf(world, await world.team(), 'viewer'),
    ]
    const writes = await often(personalLimits.writes + 2, () => busy.send('POST', '/app/api/teams', {}))
    expect(refusedOf(writes)).toBe(2)
    const refused = writes.at(-1)!
    expect([refused.body.code, Number(refused.headers.get('retry-after')) > 0]).toEqual(['rate_limited', true])
    expect((await busy.send('GET', '/app/api/me')).status).toBe(200)
    expect((await other.send('POST', '/app/api/teams', {})).status).toBe(400)
    expect((await busy.get('/members')).status).toBe(200)
    await world.move('61s')
    expect((await busy.send('POST', '/app/api/teams', {})).status).toBe(400)
  })
})

describe('the sources of a team', () => {
  it('are at most its figure, of all kinds together; beyond it nothing is written, and untracking makes room', async () => {
    const team = await world.team({ sourceCap: 2, credits: 100 })
    const [one, two, three] = [silent(world), silent(world), silent(world)]
    await track(team, one)
    await track(team, two)
    await world.drain()
    const before = await snapshot(world.database.pool, counters)
    const search = {
      keywords: ['growth'],
      creditCap: 10,
      captureMode: 'depth',
      datePosted: 'PAST_WEEK',
      confirmSpend: true,
    }
    for (const refused of [
      await team.post('/enrich/profile', { username: three, saveTrackedProfile: true }),
      await team.post('/keyword/track', search),
    ])
      expect([refused.status, refused.body.code]).toEqual([403, 'source_limit_reached'])
    expect(await snapshot(world.database.pool, counters)).toEqual(before)
    // Tracking an already tracked source does not count as a new one.
    await track(team, one, { creditCapPerSync: 5 })
    await team.del(`/profile/${one}`)
    await track(team, three)
    const again = await team.post('/enrich/profile', { username: one, saveTrackedProfile: true })
    expect(again.body.code).toBe('source_limit_reached')
    await team.change({ sourceCap: 3 })
    await track(team, one)
  })
})

describe('the calls of the vendors that a team causes in a day', () => {
  it('are at most its figure: requests are told when to return, work waits a day and loses nothing, others go on', async () => {
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: 2 })
    const [team, other] = [await world.team({ credits: 100, vendorCallsPerDay: 1 }), await world.team({ credits: 100 })]
    const first = await team.get(`/profile/${author}/urn`)
    expect(first.status).toBe(200)
    const refused = await team.get(`/profile/${world.handle('nobody')}/urn`)
    expect([refused.status, refused.body.code, refused.body.error]).toEqual([
      502,
      'provider_unavailable',
      expect.stringMatching(/as many calls of the network today as it may: it goes on at \d{4}-\d\d-\d\dT00:00:00/),
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600)
    await track(team, author)
    await track(other, author)
    await world.drain()
    expect([(await leadsOf(team, author)).length, (await leadsOf(other, author)).length]).toEqual([0, 2])
    await team.change({ vendorCallsPerDay: null })
    await world.advance('24h')
    expect((await leadsOf(team, author)).length).toBe(2)
    expect(teamCallsPerDay.trial).toBeLessThan(teamCallsPerDay.other)
  })
})
