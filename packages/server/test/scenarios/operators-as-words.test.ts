/** AND, OR and NOT as ordinary words: Discover keywords and agent topics, as both vendors receive them (G94, G147). */
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { agentOf, ok, put, sourcesOf, start as startAgent } from './agent-stage.ts'
import { discover, handlesOf, seedWriters, topicOf } from './discover-stage.ts'
import { estimate, search, send } from './keyword-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const terms = () => [
  ...new Set(
    world.network
      .calls({ operation: 'post-search' })
      .map(({ vendor, query }) => `${vendor}: ${query.search ?? query.keyword}`),
  ),
]
const linkdTerms = () => [
  ...new Set(world.network.calls({ vendor: 'linkdapi' }).flatMap(({ query }) => query.keyword ?? [])),
]

describe('a Discover keyword that reads like an expression', () => {
  it.each([['harvestapi'], ['linkdapi']])('finds by its words, not the union of them, at %s [G94]', async (vendor) => {
    const team = await world.team()
    const [one, two] = [topicOf(world), topicOf(world)]
    seedWriters(world, one, [{ engagements: [10] }, { engagements: [20], topic: two }])
    const [both] = seedWriters(world, one, [{ engagements: [5], topic: `${one} or ${two}` }])
    world.network.clearCalls()
    if (vendor === 'linkdapi')
      world.network.fault({ kind: 'status_503', vendor: 'harvestapi', operation: 'post-search' })
    const run = await discover(world, team, { keywords: [`${one} OR ${two}`], maxInfluencers: 10 })
    world.network.clearFaults()
    expect([run.state, run.keywords, handlesOf(run)]).toEqual(['done', [`${one} OR ${two}`], [both]])
    if (vendor === 'harvestapi') expect(terms()).toEqual([`harvestapi: ${one} or ${two}`])
    else expect(linkdTerms()).toEqual([`${one} or ${two}`])
  })
})

describe('an agent’s topic that reads like an expression', () => {
  it('is searched by its words, beside a search of the team that is that expression [G94, G147]', async () => {
    const team = await world.team()
    const [one, two] = [topicOf(world), topicOf(world)]
    const expression = await search(team, { expression: `${one} OR ${two}` })
    world.network.clearCalls()
    await put(team, { topics: [`${one} OR ${two}`], dailyCredits: 100 })
    const { launch } = await ok(startAgent(team))
    expect(launch).toMatchObject({ created: 1, reused: 0, failed: [] })
    const own = (await sourcesOf(team, 'keyword')).filter(({ id }) => id !== expression.id)
    expect(own.map(({ username, keywords }) => ({ username, keywords }))).toEqual([
      { username: `${one} or ${two}`, keywords: [`${one} or ${two}`] },
    ])
    expect((await agentOf(team)).profile.topics).toEqual([`${one} OR ${two}`])
    await world.drain()
    expect(terms().filter((term) => term.includes(' or ') || term.includes(' OR '))).toEqual([
      `harvestapi: ${one} or ${two}`,
    ])
    const again = await ok(startAgent(team))
    expect(again.launch).toMatchObject({ failed: [] })
    expect(await sourcesOf(team, 'keyword')).toHaveLength(2)
  })
})

describe('an alternative of exclusions alone', () => {
  it('is taken when OR NOT is spelled out, with a warning in the estimate and the answer, and told by no other [G147]', async () => {
    const team = await world.team()
    const [one, two] = [topicOf(world), topicOf(world)]
    const warned = [{ field: 'expression', message: expect.stringContaining(`NOT ${two}`) }]
    const body = { expression: `${one} OR NOT ${two}` }
    expect((await estimate(team, body)).body.warnings).toEqual(warned)
    for (const status of [201, 200]) {
      const answer = await send(team, body)
      expect([answer.status, answer.body.warnings]).toEqual([status, warned])
    }
    for (const plain of [{ expression: `${one} AND NOT ${two}` }, { keywords: [one] }]) {
      expect((await estimate(team, plain)).body).not.toHaveProperty('warnings')
      expect((await send(team, plain)).body).not.toHaveProperty('warnings')
    }
  })
})

describe('countries that name none', () => {
  it('are taken as written and told by Discover and the agent, with what to write instead [DIS-21, DIS-22]', async () => {
    const team = await world.team()
    world.network.seedSearch({ generated: false })
    const countries = ['America', 'the united states of america', 'zzz']
    const warnings = [
      { field: 'countries', message: expect.stringMatching(/^"America".*United States/) },
      { field: 'countries', message: expect.stringMatching(/^"zzz".*nobody matches/) },
    ]
    const made = await team.post('/discover', { keywords: [topicOf(world)], countries, confirmSpend: true })
    expect([made.status, made.body.countries, made.body.warnings]).toEqual([
      201,
      ['America', 'United States', 'zzz'],
      warnings,
    ])
    expect((await put(team, { countries })).warnings).toEqual(warnings)
    expect(await put(team, { countries: ['Germany'] })).not.toHaveProperty('warnings')
    expect(await put(team, { titles: ['CMO'] })).not.toHaveProperty('warnings')
  })
})
