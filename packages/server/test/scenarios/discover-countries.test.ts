import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { discover, handlesOf, runOf, seedWriters, start, topicOf } from './discover-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const lookUps = () => world.network.calls({ operation: 'profile' }).length

describe('a country list', () => {
  it('lets in only people of such a profile, best first; look-ups are free [DIS-17..DIS-19, DIS-22, DIS-24, DIS-25, CRD-24]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    const [mexican, german, american, , briton] = seedWriters(world, topic, [
      { engagements: [10], country: 'MX' },
      { engagements: [50], country: 'DE' },
      { engagements: [40], country: 'US' },
      { engagements: [60], country: null },
      { engagements: [30], country: 'GB' },
      { engagements: [90], country: 'FR' },
    ])
    const run = await discover(world, team, {
      keywords: [topic],
      countries: ['  méxico ', 'USA', 'uk'],
      maxInfluencers: 2,
    })
    expect(run).toMatchObject({
      countries: ['Mexico', 'United States', 'United Kingdom'],
      state: 'done',
      found: 2,
      qualified: 3,
      countryChecked: 6,
      countryMatched: 3,
    })
    expect(handlesOf(run)).toEqual([american, briton])
    expect([german, mexican].some((handle) => handlesOf(run).includes(handle!))).toBe(false)
    expect(await team.balance()).toBe(10_000 - 2)
  })
  it('with Niger, America or Korea means none that is called like it: nobody is added, nothing charged, though all were looked up [DIS-20, DIS-21, CRD-24]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    seedWriters(
      world,
      topic,
      ['NG', 'US', 'KR'].map((country) => ({ engagements: [10], country })),
    )
    const countries = ['Niger', 'America', 'Korea']
    expect(await discover(world, team, { keywords: [topic], countries })).toMatchObject({
      state: 'done',
      found: 0,
      qualified: 0,
      countryChecked: 3,
      countryMatched: 0,
    })
    expect(await team.balance()).toBe(10_000)
  })
  it('stops looking after 100 people for up to 20, best average first, though the next would have fitted [DIS-23]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    seedWriters(world, topic, [
      ...Array.from({ length: 101 }, (_, n) => ({ engagements: [300 - n], country: 'FR' })),
      { engagements: [1], country: 'DE' },
    ])
    world.network.clearCalls()
    expect(
      await discover(world, team, { keywords: [topic], countries: ['Germany'], maxInfluencers: 20 }),
    ).toMatchObject({ state: 'done', found: 0, countryChecked: 100, countryMatched: 0 })
    expect(lookUps()).toBe(100)
  })
  it('asks nobody twice: neither who was looked up by an earlier run, nor for enrichment [DIS-23, DIS-27]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    seedWriters(world, topic, [
      { engagements: [10], country: 'DE', title: 'Head of Sales' },
      { engagements: [20], country: 'FR' },
    ])
    world.network.clearCalls()
    const run = await discover(world, team, { keywords: [topic], countries: ['Germany'] })
    expect(run).toMatchObject({ found: 1, countryChecked: 2 })
    expect(run.influencers[0]).toMatchObject({ country: 'Germany', jobTitle: 'Head of Sales' })
    expect(await discover(world, team, { keywords: [topic], countries: ['France', 'Germany'] })).toMatchObject({
      found: 2,
      countryChecked: 2,
      countryMatched: 2,
    })
    expect(lookUps()).toBe(2)
  })
  it('asks anew for whom an earlier run has looked up a month ago: people move [DIS-19, DIS-23]', async () => {
    const team = await world.team()
    const [before, now] = [topicOf(world), topicOf(world)]
    const [handle] = seedWriters(world, before, [{ engagements: [10], country: 'DE' }])
    const french = { countries: ['France'] }
    expect(await discover(world, team, { keywords: [before], ...french })).toMatchObject({
      countryChecked: 1,
      found: 0,
    })
    await world.move('30d')
    seedWriters(world, now, [{ handle: handle!, engagements: [10], country: 'FR' }])
    world.network.clearCalls()
    expect(await discover(world, team, { keywords: [now], ...french })).toMatchObject({ countryChecked: 1, found: 1 })
    expect(lookUps()).toBe(1)
  })
  it('shows how far it has come while it runs, and adds nobody before all are looked up [DIS-10, DIS-23, DIS-25]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    const handles = seedWriters(
      world,
      topic,
      [60, 50, 40, 30, 20, 10].map((engagement) => ({ engagements: [engagement], country: 'DE' })),
    )
    const fifth = world.network.person(handles[4]!)!.id
    world.network.hold({ operation: 'profile', match: { profileId: fifth } })
    const { id } = await start(team, { keywords: [topic], countries: ['Germany'], maxInfluencers: 1 })
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'profile' })
    expect(await runOf(team, id)).toMatchObject({
      state: 'running',
      found: 0,
      countryChecked: 4,
      countryMatched: 4,
      qualified: 4,
      influencers: [],
    })
    world.network.release()
    await world.drain()
    expect(await runOf(team, id)).toMatchObject({
      state: 'done',
      found: 1,
      countryChecked: 6,
      countryMatched: 6,
      qualified: 6,
    })
  })
  it('writes down whom it could look up when another look-up fails, and asks only for that one again [DIS-23]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    const handles = seedWriters(
      world,
      topic,
      [40, 30, 20, 10].map((engagement) => ({ engagements: [engagement], country: 'DE' })),
    )
    const match = { profileId: world.network.person(handles[1]!)!.id }
    world.network.fault({ kind: 'status_503', operation: 'profile', match })
    world.network.fault({ kind: 'status_503', vendor: 'linkdapi' })
    const { id } = await start(team, { keywords: [topic], countries: ['Germany'] })
    await world.drain()
    expect(await runOf(team, id)).toMatchObject({ state: 'running', found: 0, countryChecked: 3 })
    world.network.clearFaults()
    world.network.clearCalls()
    await world.advance('15s')
    expect(await runOf(team, id)).toMatchObject({ state: 'done', found: 4, countryChecked: 4 })
    expect(world.network.calls({ operation: 'profile' }).map((call) => call.query.profileId)).toEqual([match.profileId])
  })
  it('passes over a person whom the network knows no more [DIS-24]', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    const [gone, here] = seedWriters(world, topic, [
      { engagements: [30], country: 'DE' },
      { engagements: [20], country: 'DE' },
    ])
    world.network.fault({
      kind: 'not_found',
      operation: 'profile',
      match: { profileId: world.network.person(gone!)!.id },
    })
    const run = await discover(world, team, { keywords: [topic], countries: ['Germany'] })
    expect(run).toMatchObject({ state: 'done', found: 1, countryChecked: 2, countryMatched: 1 })
    expect(handlesOf(run)).toEqual([here])
  })
})
