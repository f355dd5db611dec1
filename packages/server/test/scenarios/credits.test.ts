/** The balance: its figures, its reads, and what thousands of charges at once do to it. */
import { describe, expect, it } from 'vitest'
import { chargeOne } from '../../src/modules/credits/index.ts'
import { amount } from '../world/amount.ts'
import { useWorld, type Team } from '../world/world.ts'
import { likes, people, sweep } from './sync-stage.ts'

const world = useWorld()

const charge = (team: Team, key: string) =>
  world.service.unitOfWork((tx) =>
    chargeOne(tx, team.id, { key, category: 'posts_read', sourceId: null, syncId: null }),
  )

/** Does so many pieces of work, so many at a time. */
async function inLanes<T>(count: number, lanes: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < count) done.push(await work(next++))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return done
}

const tally = (outcomes: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(outcomes, (outcome) => outcome)].map(([outcome, list]) => [outcome, list.length]))

describe('the balance', () => {
  it('has six figures: allowance, what is used of it, what is left, top-ups beside it [CRD-02, CRD-01]', async () => {
    const team = await world.team({ credits: 10, plan: 'starter' })
    const now = await world.now()
    const nextReset = new Date(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, now.getUTCDate(), now.getUTCHours()),
    ).toISOString()
    expect((await team.get('/credits')).body).toEqual({
      balance: 10,
      used: 0,
      limit: 10,
      remaining: 10,
      plan: 'starter',
      nextReset,
    })
    for (let at = 0; at < 4; at += 1) await charge(team, `read:a:post:${at}`)
    expect((await team.get('/credits')).body).toMatchObject({ balance: 6, used: 4, limit: 10, remaining: 6 })
    await team.change({ grantCredits: 5 })
    expect((await team.get('/credits')).body).toMatchObject({ balance: 11, used: 4, limit: 10, remaining: 6 })
    for (let at = 4; at < 12; at += 1) await charge(team, `read:a:post:${at}`)
    expect((await team.get('/credits')).body).toMatchObject({ balance: 3, used: 12, limit: 10, remaining: 0 })
  })

  it('begins at 10,000 for a paying team and at 1,000 for a trial, which ends instead of renewing [CRD-02]', async () => {
    const [paying, trial] = [await world.team(), await world.team({ status: 'trial' })]
    expect((await paying.get('/credits')).body).toMatchObject({ balance: 10_000, limit: 10_000, remaining: 10_000 })
    const { body } = await world.operator('GET', `/operator/teams/${trial.id}`)
    expect((await trial.get('/credits')).body).toMatchObject({
      balance: 1_000,
      plan: 'trial',
      nextReset: body.team.trialEndsAt,
    })
    expect((await trial.change({ grantCredits: 7 })).body.team.credits).toMatchObject({
      balance: 1_007,
      nextReset: body.team.trialEndsAt,
    })
  })

  it('is free to read, by its figures and by its usage, also at 0 [CRD-03]', async () => {
    const team = await world.team({ credits: 1 })
    await charge(team, 'read:a:post:1')
    for (const path of ['/credits', '/credits/usage', '/keys']) expect((await team.get(path)).status, path).toBe(200)
    expect((await team.get('/credits')).body).toMatchObject({ balance: 0, used: 1 })
  })

  const enough = amount(500, 5_000)
  it(`of ${enough} allows exactly ${enough} of ${2 * enough} charges at once, and is never negative [CRD-01, CRD-02]`, async () => {
    const team = await world.team({ credits: enough })
    const outcomes = await inLanes(2 * enough, 10, (at) => charge(team, `read:storm:post:${at}`))
    expect(tally(outcomes)).toEqual({ charged: enough, insufficient: enough })
    expect((await team.get('/credits')).body).toMatchObject({ balance: 0, used: enough, remaining: 0 })
    expect((await team.get('/credits/usage')).body.total).toBe(enough)
  }, 60_000)

  it('is charged once for a business fact, however many ask for it at once [CRD-14, CRD-18]', async () => {
    const team = await world.team({ credits: 100 })
    const outcomes = await inLanes(400, 10, (at) => charge(team, `read:same:post:${at % 20}`))
    expect([tally(outcomes), await team.balance()]).toEqual([{ charged: 20, known: 380 }, 80])
  })

  it('is shared by syncs that run at once: together they spend what there is and no more [CRD-01, CRD-13, SYN-14]', async () => {
    const team = await world.team({ credits: 150 })
    const authors = people(world, 5, 'author')
    for (const author of authors) world.network.seedPost({ author, reactions: 50 })
    world.network.hold({ operation: 'post-reactions' })
    for (const username of authors)
      await team.post('/enrich/profile', { username, saveTrackedProfile: true, enrichLeads: false })
    await world.network.untilWaiting(4, { operation: 'post-reactions' })
    world.network.release()
    await world.drain()
    const statuses = await Promise.all(authors.map(async (author) => (await team.get(`/profile/${author}/sync`)).body))
    expect(statuses.reduce((sum, status) => sum + status.capture.creditsSpent, 0)).toBe(150)
    expect(
      statuses.filter((status) => status.errorCode === 'insufficient_enriching_credits').length,
    ).toBeGreaterThanOrEqual(2)
    expect(await team.balance()).toBe(0)
  })

  it('is not touched by looking companies up and by enriching what was captured [CRD-28]', async () => {
    const team = await world.team({ credits: 100 })
    const [author, slug] = [world.handle('author'), world.handle('employer')]
    const fans = people(world, 3)
    for (const handle of fans) world.network.seedPerson({ handle, company: slug, title: 'Engineer', country: 'DE' })
    world.network.seedPost({ author, reactions: likes(fans) })
    await sweep(world, team, author)
    expect(await team.balance()).toBe(97)
  })
})
