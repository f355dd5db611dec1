/** Vendor costs: by team and source, capped by day, reported when a balance is low, compared with what teams pay. */
import { afterEach, describe, expect, it } from 'vitest'
import { openMeter } from '../../src/providers/costs/meter.ts'
import { useWorld, type Answer } from '../world/world.ts'
import { onlySeeded, questions, search, storeKey, topic } from './keyword-run-stage.ts'
import { leadsOf, likes, people, statusOf, sweep, track } from './sync-stage.ts'

const serving = {
  dailyDollars: { harvestapi: 0.2, linkdapi: 0 },
  fallbackPages: 30,
  creditDollars: 0.05,
  operatorMail: 'ops@example.com',
}
const world = useWorld({ breaker: true, config: { roles: ['http'], serving } })
afterEach(() => world.mails.splice(0))

const author = (fans: number): string => {
  const handle = world.handle('author')
  world.network.seedPost({ author: handle, reactions: likes(people(world, fans)), comments: [] })
  return handle
}
const vendors = async (): Promise<Record<string, Answer['body']>> => {
  const { status, body, text } = await world.operator('GET', '/operator/vendors')
  expect(status, text).toBe(200)
  return Object.fromEntries(body.vendors.map((each: { vendor: string }) => [each.vendor, each]))
}

describe('what vendors cost', () => {
  it('is written down whatever one of them claims: what no call costs counts as a call and no money', async () => {
    const meter = openMeter({ db: world.database.root, serviceNow: () => world.now() })
    const provider = world.handle('vendor')
    for (const cost of [1e300, Infinity, NaN, -1, 1_000, null])
      meter.count({ provider, outcome: 'ok', cost, teamCost: cost })
    meter.count({ provider, outcome: 'ok', cost: 999.5, teamCost: 0.25 })
    expect([meter.pending(provider), await meter.flush()]).toEqual([999.5, 1])
    const { rows } = await world.database.pool.query(
      'select calls, micro_dollars as ours, team_micro_dollars as theirs from serving_cost where vendor = $1',
      [provider],
    )
    expect(rows.map((row) => Object.values(row).map(Number))).toEqual([[7, 999_500_000, 250_000]])
  })
  it('is written down by day, team, source and vendor, and held against what the team was charged', async () => {
    const [team, other] = [await world.team({ credits: 100 }), await world.team({ credits: 100 })]
    const name = author(3)
    await sweep(world, team, name)
    const paid = world.network.calls().filter(({ vendor, status }) => vendor === 'harvestapi' && status === 200).length
    const { lines } = (await world.operator('GET', '/operator/costs')).body
    const own = lines.filter((line: Answer['body']) => line.teamId === team.id)
    expect(lines.filter((line: Answer['body']) => line.teamId === other.id)).toEqual([])
    expect(own.reduce((sum: number, line: Answer['body']) => sum + line.calls, 0)).toBe(paid)
    // Listing and sweeping are booked on the source; look-ups of people on none, since several sources may need them.
    expect(new Set(own.map((line: Answer['body']) => line.sourceId === null))).toEqual(new Set([true, false]))
    const dollars = Math.round(paid * 4) / 1000
    const { teams } = (await world.operator('GET', '/operator/margins')).body
    expect(teams.find((each: Answer['body']) => each.teamId === team.id)).toMatchObject({
      credits: 3,
      revenue: 0.15,
      dollars,
      margin: Math.round((0.15 - dollars) * 1e4) / 1e4,
    })
    const csv = await world.operator('GET', '/operator/margins?format=csv')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.text).toMatch(/^teamId,name,credits,revenue,dollars,margin\r\n/)
    expect(csv.text).toContain(`${team.id},`)
    expect((await world.operator('GET', '/operator/costs?from=yesterday')).status).toBe(400)
    expect((await vendors()).harvestapi).toMatchObject({
      key: 'good',
      plan: 'Pro',
      held: null,
      dailyCap: 0.2,
      today: { dollars, errors: { unavailable: 0 } },
    })
  })
  it('is capped by the day: at the cap work waits, callers hear why, the next day it goes on, nothing lost or twice', async () => {
    const team = await world.team({ credits: 500 })
    const name = author(60)
    await track(team, name)
    await world.drain()
    await world.drain()
    // The rest of twenty cents does not pay for sixty people and their companies.
    const waiting = (await leadsOf(team, name)).filter((lead) => lead.enrichmentStatus === 'pending')
    expect(waiting.length).toBeGreaterThan(0)
    expect((await vendors()).harvestapi.held).toMatchObject({ reason: 'cap' })
    const spent = (await vendors()).harvestapi.today.dollars
    await world.advance('1h')
    expect((await vendors()).harvestapi.today.dollars).toBe(spent)
    // Calls in progress when the cap was reached.
    expect(spent).toBeLessThan(0.2 + 0.1)
    const answer = await team.post('/enrich/profile', { username: world.handle('new') })
    expect([answer.status, answer.body.error]).toEqual([
      502,
      expect.stringMatching(/^The network limit for today is reached/),
    ])
    for (let day = 0; day < 4; day += 1) await world.advance('24h')
    expect((await leadsOf(team, name)).map((lead) => lead.enrichmentStatus)).toEqual(Array(60).fill('completed'))
    expect(await statusOf(team, name)).toMatchObject({ errorCode: null })
    expect(await team.balance()).toBe(440)
  })
})

describe('what a team pays an AI vendor with its own key', () => {
  it('is written down, and is no part of the margin', async () => {
    onlySeeded(world)
    const [team, word] = [await world.team({ credits: 100 }), topic(world)]
    world.network.seedPost({ author: world.handle('author'), text: `${word} hiring`, reactions: [], comments: [] })
    await storeKey(world, team)
    const { id } = await search(team, { keyword: word, aiProvider: 'openai', aiPrompt: 'Keep posts about "hiring"' })
    await world.drain()
    const asked = questions(world).length
    expect(asked).toBeGreaterThan(0)
    const { lines } = (await world.operator('GET', '/operator/costs')).body
    const line = lines.find((each: Answer['body']) => each.teamId === team.id && each.vendor === 'openai')
    expect(line).toMatchObject({ calls: asked, dollars: 0, sourceId: id })
    expect(line.teamDollars).toBeGreaterThan(0)
    expect((await world.operator('GET', '/operator/costs?format=csv')).text).toMatch(/,dollars,teamDollars\r\n/)
    const { teams } = (await world.operator('GET', '/operator/margins')).body
    const paidByUs = lines
      .filter((each: Answer['body']) => each.teamId === team.id)
      .reduce((sum: number, each: Answer['body']) => sum + each.dollars, 0)
    expect(teams.find((each: Answer['body']) => each.teamId === team.id).dollars).toBeCloseTo(paidByUs, 4)
  })
})

describe('the balance of a vendor', () => {
  it('is told by mail and in metrics at its marks, each once, and is called empty when it is', async () => {
    await world.service.watchVendors()
    expect(world.mails).toEqual([])
    for (let look = 0; look < 2; look += 1) {
      world.network.fault({ kind: 'status', status: 402, vendor: 'harvestapi', operation: 'my-api-user' })
      await world.service.watchVendors()
    }
    expect(world.mails.map(({ to, subject }) => [to, subject])).toEqual([
      ['ops@example.com', 'The balance of harvestapi is empty'],
    ])
    expect((await vendors()).harvestapi).toMatchObject({ key: 'unknown', balance: 0, daysLeft: 0 })
    expect(await world.service.metrics.text()).toContain('les_vendor_balance_dollars{vendor="harvestapi"} 0')
  })
})
