/** Costs per reply and per meeting, with hand-computed figures for every grouping. */
import { describe, expect, it } from 'vitest'
import { running, seedTopicPost, topicsOf } from '../scenarios/agent-stage.ts'
import { onlySeeded, search, topic } from '../scenarios/keyword-run-stage.ts'
import { sourceOf, likes, track } from '../scenarios/sync-stage.ts'
import { useWorld, drainOnlyUnlessLongRun, type Answer, type Team } from '../world/world.ts'
import { capture, ok, record, urlOf } from './stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const summary = (team: Team, query = ''): Promise<Answer['body']> => ok(team.get(`/results/summary?${query}`))
const day = (date: number, hour = 12) => `2026-11-${date}T${hour}:00:00.000Z`

const none = {
  credits: 0,
  people: 0,
  fitPeople: 0,
  sent: 0,
  accepted: 0,
  replied: 0,
  meetings: 0,
  won: 0,
  amount: 0,
  currency: null,
  otherAmounts: [],
  costPerReply: null,
  costPerMeeting: null,
}
const whole = { ...none, key: null, label: 'All' }

/** Two sources that both charged for `both` (of 3 and 2 people), captured on 21 November, with results on the 25th and 28th. */
async function twoSources() {
  const team = await world.team()
  const [both, quiet, talker, buyer] = Array.from({ length: 4 }, () => world.handle('fan')) as [
    string,
    string,
    string,
    string,
  ]
  const first = await capture(world, team, [
    { handle: both, title: 'Head of Growth' },
    { handle: quiet },
    { handle: talker },
  ])
  const second = await capture(world, team, [{ handle: both, title: 'Head of Growth' }, { handle: buyer }])
  await ok(
    team.put(`/sources/${first.id}/icp`, { rules: [{ column: 'jobTitle', operator: 'contains', value: 'growth' }] }),
  )
  await world.drain()
  const reported = (handle: string, outcome: string, at: string, more: object = {}) => ({
    profileUrl: urlOf(handle),
    outcome,
    at,
    ...more,
  })
  await record(
    team,
    ...[both, quiet, talker, buyer].map((handle) => reported(handle, 'sent', day(25))),
    reported(both, 'sent', day(26)),
    reported(talker, 'accepted', day(25, 13)),
    reported(talker, 'replied', day(25, 14)),
    reported(both, 'replied', day(28)),
    reported(both, 'replied', day(28, 15)),
    reported(both, 'meeting', day(28, 16)),
    reported(buyer, 'won', day(28, 10), { amount: 50.5, currency: 'usd' }),
    reported(both, 'won', day(28, 17), { amount: 100, currency: 'EUR' }),
    reported(both, 'won', day(28, 18), { amount: 25 }),
    reported(quiet, 'lost', day(28), { amount: 999, currency: 'EUR' }),
  )
  return { team, both, quiet, talker, buyer, first, second }
}

describe('by source', () => {
  it('a result counts for each source that charged for the person, and once in total; counts are people [RSL-04]', async () => {
    const { team, first, second } = await twoSources()
    const { rows, total } = await summary(team)
    expect(rows).toEqual([
      {
        key: first.id,
        label: first.username,
        credits: 3,
        people: 3,
        fitPeople: 1,
        sent: 3,
        accepted: 1,
        replied: 2,
        meetings: 1,
        won: 1,
        amount: 125,
        currency: 'EUR',
        otherAmounts: [],
        costPerReply: 1.5,
        costPerMeeting: 3,
      },
      {
        key: second.id,
        label: second.username,
        credits: 2,
        people: 2,
        fitPeople: 0,
        sent: 2,
        accepted: 0,
        replied: 1,
        meetings: 1,
        won: 2,
        // Amounts without a currency count in the currency of the first result that has one.
        amount: 75.5,
        currency: 'USD',
        otherAmounts: [{ currency: 'EUR', amount: 100 }],
        costPerReply: 2,
        costPerMeeting: 2,
      },
    ])
    expect(total).toEqual({
      key: null,
      label: 'All',
      credits: 5,
      people: 4,
      fitPeople: 1,
      sent: 4,
      accepted: 1,
      replied: 2,
      meetings: 1,
      won: 2,
      amount: 75.5,
      currency: 'USD',
      otherAmounts: [{ currency: 'EUR', amount: 100 }],
      costPerReply: 2.5,
      costPerMeeting: 5,
    })
  })

  it('from and to bound charges by when they were made, and results by when they happened [RSL-04]', async () => {
    const { team, first, second } = await twoSources()
    const figures = async (query: string) => {
      const { rows, total } = await summary(team, query)
      return [...rows, total].map((row: Answer['body']) => [
        row.key,
        row.credits,
        row.people,
        row.replied,
        row.won,
        row.costPerReply,
      ])
    }
    expect(await figures('to=2026-11-25')).toEqual([
      [first.id, 3, 3, 1, 0, 3],
      [second.id, 2, 2, 0, 0, null],
      [null, 5, 4, 1, 0, 5],
    ])
    expect(await figures('from=2026-11-26')).toEqual([
      [first.id, 0, 0, 1, 1, 0],
      [second.id, 0, 0, 1, 2, 0],
      [null, 0, 0, 1, 2, 0],
    ])
    expect(await figures('from=2026-11-29')).toEqual([[null, 0, 0, 0, 0, null]])
    expect((await team.get('/results/summary?from=2026-11-26&to=2026-11-25')).status).toBe(400)
  })

  it('is empty for a team without charges and results, and of no other team [RSL-04]', async () => {
    await twoSources()
    expect(await summary(await world.team())).toEqual({ rows: [], total: whole })
  })

  it('a group that is none is refused with those that there are [RSL-04]', async () => {
    const answer = await (await world.team()).get('/results/summary?groupBy=country')
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.stringContaining('source, keyword, topic, post or criteria'),
    ])
  })
})

describe('by criteria', () => {
  it('sources with the same criteria are one group, a person whom both charged counts once in it [RSL-04]', async () => {
    const { team, second } = await twoSources()
    const words = 'jobTitle contains “growth”'
    const figures = async () =>
      (await summary(team, 'groupBy=criteria')).rows.map((row: Answer['body']) => [
        row.key === null ? null : 'some',
        row.label,
        row.credits,
        row.people,
        row.replied,
        row.costPerReply,
      ])
    expect(await figures()).toEqual([
      ['some', words, 3, 3, 2, 1.5],
      [null, 'No criteria', 2, 2, 1, 2],
    ])
    await ok(
      team.put(`/sources/${second.id}/icp`, { rules: [{ column: 'jobTitle', operator: 'contains', value: 'growth' }] }),
    )
    expect(await figures()).toEqual([['some', words, 5, 4, 2, 2.5]])
  })
})

describe('by keyword, topic and post', () => {
  it('a search is known by its words, other sources are in none of its rows [RSL-04]', async () => {
    const { team } = await twoSources()
    onlySeeded(world)
    const [word, fans] = [topic(world), [world.handle('fan'), world.handle('fan')]]
    world.network.seedPost({
      author: world.handle('author'),
      text: `${word} today`,
      reactions: likes(fans),
      comments: [],
    })
    await search(team, { keywords: [word], captureEngagers: true, name: 'Growth talk', enrichLeads: true })
    await world.drain()
    await record(team, { profileUrl: urlOf(fans[0]!), outcome: 'replied' })
    const { rows } = await summary(team, 'groupBy=keyword')
    expect(rows).toEqual([
      expect.objectContaining({
        key: word,
        label: 'Growth talk',
        replied: 1,
        people: rows[0].credits,
        costPerReply: rows[0].credits,
      }),
    ])
    expect(rows[0].credits).toBeGreaterThanOrEqual(2)
  })

  it('a topic is what an agent follows a source for [RSL-04]', async () => {
    const team = await world.team({ credits: 5_000 })
    const topics = topicsOf(world, 1)
    const [fan] = seedTopicPost(world, `${topics[0]} today`, [{}, {}])
    await running(world, team, { topics })
    await record(team, { profileUrl: urlOf(fan!), outcome: 'meeting' })
    const { rows } = await summary(team, 'groupBy=topic')
    expect(
      rows.map((row: Answer['body']) => [row.key, row.label, row.meetings, row.costPerMeeting === row.credits]),
    ).toEqual([[topics[0], topics[0], 1, true]])
  })

  it('a post is that on which the person was captured first [RSL-04]', async () => {
    const team = await world.team()
    const [author, a, b, c] = [
      world.handle('author'),
      ...Array.from({ length: 3 }, () => world.handle('fan')),
    ] as string[]
    const one = world.network.seedPost({ author: author!, reactions: likes([a!]), comments: [] }).id
    const two = world.network.seedPost({ author: author!, reactions: likes([b!, c!]), comments: [] }).id
    await track(team, author!)
    await world.drain()
    await record(team, { profileUrl: urlOf(b!), outcome: 'replied' }, { profileUrl: urlOf(c!), outcome: 'sent' })
    const { rows, total } = await summary(team, 'groupBy=post')
    expect(
      rows.map((row: Answer['body']) => [row.key, row.credits, row.people, row.sent, row.replied, row.costPerReply]),
    ).toEqual([
      [`urn:li:activity:${two}`, 2, 2, 1, 1, 2],
      [`urn:li:activity:${one}`, 1, 1, 0, 0, null],
    ])
    expect(total).toMatchObject({ credits: 3, people: 3, replied: 1, costPerReply: 3 })
    expect(await sourceOf(team, author!)).toBeDefined()
  })
})
