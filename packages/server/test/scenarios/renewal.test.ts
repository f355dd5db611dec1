/** The billing period: monthly, once, in UTC. */
import { describe, expect, it } from 'vitest'
import { renewDuePeriods } from '../../src/modules/credits/index.ts'
import { openLog } from '../../src/platform/log.ts'
import { chargeOne } from '../world/charge.ts'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

let facts = 0
const charge = (team: Team) =>
  world.unit(team, (tx) =>
    chargeOne(tx, team.id, { key: `read:${++facts}`, category: 'posts_read', sourceId: null, syncId: null }),
  )
const spend = async (team: Team, count: number): Promise<void> => {
  for (let at = 0; at < count; at += 1) expect(await charge(team)).toBe('charged')
}
const moveTo = async (to: string): Promise<void> =>
  expect((await world.operator('POST', '/operator/clock', { to })).status).toBe(200)
const figures = async (team: Team): Promise<unknown[]> => {
  const { balance, used, limit, nextReset } = (await team.get('/credits')).body
  return [balance, used, limit, nextReset]
}
const lines = async (team: Team): Promise<string[]> =>
  (
    await world.database.pool.query(
      `select kind, amount from credit_entry where team_id = $1 and kind <> 'charge' order by created_at, kind desc`,
      [team.id],
    )
  ).rows.map((row) => `${row.kind} ${row.amount}`)

describe('the monthly renewal', () => {
  it('comes at the hour of the first day, on the last day of shorter months; what is left lapses [CRD-02, CRD-05]', async () => {
    await moveTo('2027-01-31T10:30:00.000Z')
    const team = await world.team({ credits: 10 })
    await spend(team, 4)
    expect(await figures(team)).toEqual([6, 4, 10, '2027-02-28T10:30:00.000Z'])
    await moveTo('2027-02-28T10:29:59.999Z')
    await world.drain()
    expect(await figures(team)).toEqual([6, 4, 10, '2027-02-28T10:30:00.000Z'])
    await moveTo('2027-02-28T10:30:00.000Z')
    await world.drain()
    expect(await figures(team)).toEqual([10, 0, 10, '2027-03-31T10:30:00.000Z'])
    await moveTo('2027-03-31T10:30:00.000Z')
    await world.drain()
    expect(await figures(team)).toEqual([10, 0, 10, '2027-04-30T10:30:00.000Z'])
    expect(await lines(team)).toEqual(['grant 10', 'lapse -6', 'grant 10', 'lapse -10', 'grant 10'])
  })

  it('is seen by the first read or charge after it, before the clock has come by, and happens once [CRD-02]', async () => {
    const team = await world.team({ credits: 5 })
    await spend(team, 5)
    expect(await charge(team)).toBe('insufficient')
    await world.move('32d')
    expect((await team.get('/credits')).body).toMatchObject({ balance: 5, used: 0 })
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => charge(team)))
    expect(outcomes.filter((outcome) => outcome === 'charged')).toHaveLength(5)
    await world.drain()
    expect(await lines(team)).toEqual(['grant 5', 'grant 5'])
    expect((await team.get('/credits')).body).toMatchObject({ balance: 0, used: 5 })
  })

  it('that was missed for months comes once, into the running month [CRD-02]', async () => {
    const team = await world.team({ credits: 7 })
    const [, , , first] = await figures(team)
    await world.advance('100d')
    const now = await world.now()
    const [balance, used, , next] = await figures(team)
    expect([balance, used, await lines(team)]).toEqual([7, 0, ['grant 7', 'lapse -7', 'grant 7']])
    expect(Date.parse(next as string)).toBeGreaterThan(now.getTime())
    expect(new Date(next as string).getUTCDate()).toBe(new Date(first as string).getUTCDate())
  })

  it('leaves top-ups alone, which are used after the allowance and never lapse [CRD-02]', async () => {
    const team = await world.team({ credits: 10, grantCredits: 5 })
    await spend(team, 12)
    expect(await team.balance()).toBe(3)
    await world.advance('31d')
    expect((await team.get('/credits')).body).toMatchObject({ balance: 13, used: 0, limit: 10, remaining: 10 })
    await spend(team, 4)
    await world.advance('31d')
    expect(await team.balance()).toBe(13)
    expect(await lines(team)).toEqual(['topup 5', 'grant 10', 'grant 10', 'lapse -6', 'grant 10'])
  })

  it('never comes for a trial; subscribing starts a paid month [CRD-02]', async () => {
    const trialEndsAt = new Date((await world.now()).getTime() + 90 * 86_400_000).toISOString()
    const team = await world.team({ status: 'trial', trialEndsAt })
    await spend(team, 3)
    await world.advance('70d')
    expect(await figures(team)).toEqual([997, 3, 1_000, trialEndsAt])
    await team.change({ status: 'active', plan: 'growth' })
    const [balance, used, limit] = await figures(team)
    expect([balance, used, limit]).toEqual([10_000, 0, 10_000])
    await world.advance('31d')
    expect((await figures(team)).slice(0, 3)).toEqual([10_000, 0, 10_000])
  })

  it('of a team that was on a trial comes by the day on which it subscribed [CRD-02]', async () => {
    await moveTo('2030-03-05T10:00:00.000Z')
    const team = await world.team({ status: 'trial', trialEndsAt: '2030-06-01T00:00:00.000Z' })
    await moveTo('2030-04-17T12:30:00.000Z')
    await team.change({ status: 'active', plan: 'growth' })
    expect(await figures(team)).toEqual([10_000, 0, 10_000, '2030-05-17T12:30:00.000Z'])
    await spend(team, 1)
    await moveTo('2030-05-17T12:29:59.999Z')
    expect(await figures(team)).toEqual([9_999, 1, 10_000, '2030-05-17T12:30:00.000Z'])
    await moveTo('2030-05-17T12:30:00.000Z')
    expect(await figures(team)).toEqual([10_000, 0, 10_000, '2030-06-17T12:30:00.000Z'])
  })

  it('of a trial that had ended before it subscribed is that of any other, not what was left of the trial [CRD-02]', async () => {
    const team = await world.team({ status: 'trial', credits: 5 })
    await spend(team, 4)
    await team.change({ status: 'expired' })
    await world.advance('40d')
    await team.change({ status: 'active', plan: 'growth' })
    expect((await figures(team)).slice(0, 3)).toEqual([10_000, 0, 10_000])
    await spend(team, 2)
    await team.change({ status: 'expired' })
    await team.change({ status: 'active' })
    expect((await figures(team)).slice(0, 3)).toEqual([9_998, 2, 10_000])
    await world.advance('31d')
    expect((await figures(team)).slice(0, 3)).toEqual([10_000, 0, 10_000])
  })

  it('ends although the clock is set back while teams are gone over: who is not due any more waits [CRD-02]', async () => {
    const team = await world.team({ credits: 3 })
    await world.move('32d')
    let looks = 0
    // Time is ahead when the due teams are listed and correct when the first of them is renewed.
    const serviceNow = async () => ((looks += 1) === 1 ? ahead : await world.now())
    const ahead = new Date((await world.now()).getTime() + 40 * 86_400_000)
    await world.drain()
    const { unitOfWork, database } = world.service
    let units = 0
    const renewed = await world.inShardOf(team, () =>
      renewDuePeriods({
        db: database.root,
        unitOfWork: (work) => {
          if ((units += 1) > 50) throw new Error('it goes round in circles')
          return unitOfWork(work)
        },
        serviceNow,
        log: openLog('silent'),
        faultPoint: async () => {},
      }),
    )
    expect([renewed, await lines(team)]).toEqual([0, ['grant 3', 'lapse -3', 'grant 3']])
  })

  it('follows an allowance that the operator has changed: now, and every month from now on [CRD-02]', async () => {
    const team = await world.team({ credits: 10 })
    await spend(team, 6)
    await team.change({ credits: 20 })
    expect((await team.get('/credits')).body).toMatchObject({ balance: 14, used: 6, limit: 20 })
    await team.change({ credits: 4 })
    expect((await team.get('/credits')).body).toMatchObject({ balance: 0, used: 6, limit: 4, remaining: 0 })
    // After raising it again, the balance is as if it had never been lowered.
    await team.change({ credits: 5 })
    expect((await team.get('/credits')).body).toMatchObject({ balance: 0, remaining: 0 })
    await team.change({ credits: 20 })
    expect((await team.get('/credits')).body).toMatchObject({ balance: 14, used: 6, limit: 20, remaining: 14 })
    await team.change({ credits: 4 })
    await world.advance('31d')
    expect((await team.get('/credits')).body).toMatchObject({ balance: 4, used: 0, limit: 4 })
    // Overspending counts for the month before.
    await team.change({ credits: 20 })
    expect((await team.get('/credits')).body).toMatchObject({ balance: 20, used: 0, limit: 20 })
  })
})
