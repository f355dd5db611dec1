import { describe, expect, it } from 'vitest'
import { topUp, type Charge } from '../../src/modules/credits/index.ts'
import { preparedAsInService } from '../world/amount.ts'
import { chargeOne } from '../world/charge.ts'
import { useWorld, type Answer, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import { likes, people, sweep } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: preparedAsInService })

const sum = (rows: { credits: number }[]): number => rows.reduce((total, row) => total + row.credits, 0)
const usage = async (team: Team, query = ''): Promise<Answer['body']> => {
  const answer = await team.get(`/credits/usage${query}`)
  expect(answer.status, answer.text).toBe(200)
  expect([sum(answer.body.byDate), sum(answer.body.bySource)]).toEqual([answer.body.total, answer.body.total])
  return answer.body
}
const charge = (team: Team, key: string, category: Charge['category'] = 'posts_read') =>
  world.unit(team, (tx) => chargeOne(tx, team.id, { key, category, sourceId: null, syncId: null }))
const moveTo = async (to: string): Promise<void> =>
  expect((await world.operator('POST', '/operator/clock', { to })).status).toBe(200)

describe('usage', () => {
  it('is broken down by day and source, both summing to the total; the rest by what it was for [CRD-06, CRD-13, CRD-17]', async () => {
    const team = await world.team()
    const [author, slug, watched] = [world.handle('author'), world.handle('page'), world.handle('author')]
    world.network.seedPost({ author, reactions: likes(people(world, 3)) })
    world.network.seedPost({ author: { company: slug }, reactions: likes(people(world, 2)) })
    world.network.seedPost({ author: watched })
    const [person, company] = [await sweep(world, team, author), await sweep(world, team, slug, {}, 'company')]
    await sweep(world, team, watched, { mode: 'posts_only', postsPerSync: 1, confirmSpend: true })
    for (const category of ['posts_read', 'discover', 'enrichment'] as const)
      await charge(team, `${category}:1`, category)
    const today = (await world.now()).toISOString().slice(0, 10)
    const body = await usage(team)
    expect([body.total, body.byDate]).toEqual([9, [{ date: today, credits: 9 }]])
    expect(body.bySource).toEqual(
      expect.arrayContaining([
        { sourceId: person.sourceId, type: 'person', label: author, credits: 3 },
        { sourceId: company.sourceId, type: 'company', label: slug, credits: 2 },
        { sourceId: null, type: 'posts_read', label: null, credits: 1 },
        { sourceId: null, type: 'discover', label: null, credits: 1 },
        { sourceId: null, type: 'enrichment', label: null, credits: 1 },
      ]),
    )
    expect(body.bySource).toHaveLength(6)
  })

  it('defaults to the billing period so far, and counts no top-ups [CRD-05, CRD-06]', async () => {
    const team = await world.team()
    const from = (await world.now()).toISOString()
    await charge(team, 'read:1')
    const { balance } = (await team.get('/credits')).body
    // The same key adds once.
    for (const _ of [1, 2]) await world.unit(team, (tx) => topUp(tx, team.id, { amount: 5, key: 'bought' }))
    expect((await team.get('/credits')).body.balance).toBe(balance + 5)
    await world.move('2d')
    const body = await usage(team)
    expect(body).toMatchObject({ from, to: (await world.now()).toISOString(), total: 1 })
    await world.move('40d')
    expect((await usage(team)).total).toBe(0)
    expect((await usage(team, `?from=${from}`)).total).toBe(1)
  })

  it('counts charges at both ends of the window, and days in UTC [CRD-04, CRD-06]', async () => {
    const team = await world.team()
    await moveTo('2027-03-01T23:59:59.999Z')
    await charge(team, 'read:1')
    await moveTo('2027-03-02T00:00:00.000Z')
    await charge(team, 'read:2')
    await charge(team, 'read:3')
    await moveTo('2027-03-05T12:00:00.000Z')
    const whole = await usage(team, '?from=2027-03-01T00:00:00Z&to=2027-03-31T00:00:00Z')
    expect(whole.byDate).toEqual([
      { date: '2027-03-01', credits: 1 },
      { date: '2027-03-02', credits: 2 },
    ])
    expect((await usage(team, '?from=2027-03-01T23:59:59.999Z&to=2027-03-01T23:59:59.999Z')).total).toBe(1)
    expect((await usage(team, '?from=2027-03-02T00:00:00.000Z&to=2027-03-02T00:00:00.000Z')).total).toBe(2)
    expect((await usage(team, '?from=2027-03-02T00:00:00.001Z')).total).toBe(0)
    // A date means the whole day, also as the end of a window.
    expect((await usage(team, '?from=2027-03-01&to=2027-03-01')).total).toBe(1)
    expect((await usage(team, '?from=2027-03-02&to=2027-03-02')).total).toBe(2)
    expect((await usage(team, '?from=2027-03-01&to=2027-03-02')).total).toBe(3)
    expect((await usage(team, '?from=2027-03-01T00:00:00Z&to=2027-03-01T23:59:59.998Z')).total).toBe(0)
    expect((await usage(team, `?from=${encodeURIComponent('2027-03-02T01:00:00+01:00')}`)).total).toBe(2)
  })

  it('names the end of a window as what is wrong where only the end was sent, and says what to send [CRD-05, CRD-07]', async () => {
    const team = await world.team()
    const start = (await usage(team)).from
    const before = await team.get(`/credits/usage?to=${new Date(Date.parse(start) - 1).toISOString()}`)
    expect([before.status, before.body.error]).toEqual([
      400,
      `\`to\` must not be before ${start}, when the billing period began: send \`from\` too`,
    ])
    const now = (await world.now()).toISOString()
    const after = await team.get(`/credits/usage?from=${new Date(Date.parse(now) + 1).toISOString()}`)
    expect([after.status, after.body.error]).toEqual([
      400,
      `\`from\` must not be after ${now}, which is now: send \`to\` too`,
    ])
    expect((await usage(team, `?to=${start}`)).total).toBe(0)
  })

  it("shows a team its own charges only, a source's also after it was untracked [CRD-06, CRD-32, CRD-36]", async () => {
    const [team, other] = [await world.team(), await world.team()]
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: likes(people(world, 2)) })
    await sweep(world, team, author)
    await team.del(`/profile/${author}`)
    expect((await usage(team)).bySource).toMatchObject([{ type: 'person', label: author, credits: 2 }])
    expect(await usage(other)).toMatchObject({ total: 0, byDate: [], bySource: [] })
  })
})
