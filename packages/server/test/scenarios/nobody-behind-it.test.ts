/** What a vendor serves about one post: rows without a person, and unreadable answers. */
import { afterEach, describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { leadsOf, likes, people, statusOf, sweep } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
afterEach(() => world.network.clearFaults())

const calls = (vendor: string) => world.network.calls({ vendor }).filter(({ operation }) => !/profile$/.test(operation))

function author(first: object): { name: string; odd: string } {
  const name = world.handle('author')
  world.network.seedPost({ author: name, reactions: likes(people(world, 3)), comments: [] })
  const odd = world.network.seedPost({ author: name, reactions: [], comments: [], ...first }).id
  return { name, odd }
}
const both = [
  ['harvestapi', 'post-reactions', 'post-comments', 'post'],
  ['linkdapi', 'posts/likes', 'posts/comments', 'urn'],
] as const

function about(post: string, fault: object, vendors: readonly (typeof both)[number][] = both): void {
  for (const [vendor, reactions, comments, key] of vendors)
    for (const operation of [reactions, comments])
      world.network.fault({ kind: 'null_fields', vendor, operation, match: { [key]: post }, ...fault })
}

const nextDay = async (team: Team, name: string, until = '24h'): Promise<void> => {
  world.network.seedPost({ author: name, reactions: likes(people(world, 2)), comments: [] })
  await world.advance(until)
  expect(await leadsOf(team, name, '&includeSyncing=true')).toHaveLength(5)
}

describe.each([
  ['reaction', { reactions: likes(['ghost-of-somebody']) }],
  ['comment', { comments: [{ person: 'ghost-of-somebody', text: 'Hello' }] }],
] as const)('a post whose only %s has nobody behind it', (_kind, engagement) => {
  it('is declared and not captured: the run ends with the others’ people, no other vendor is asked [WLD-01, SYN-15]', async () => {
    const team = await world.team({ credits: 100 })
    const { name, odd } = author(engagement)
    about(odd, {})
    world.network.clearCalls()
    expect(await sweep(world, team, name)).toMatchObject({
      state: 'completed',
      stoppedBy: 'exhausted',
      errorCode: null,
      capture: { leadRowsCaptured: 3, creditsSpent: 3, coverage: { declared: 4, captured: 3 } },
    })
    expect(calls('linkdapi')).toEqual([])
    await nextDay(team, name)
  })
})

it.each([
  ['harvestapi', both],
  ['linkdapi', [both[1]]],
] as const)(
  'of a page of rows, only those with nobody behind them are left out, of %s [WLD-01]',
  async (vendor, vendors) => {
    if (vendor === 'linkdapi')
      world.network.fault({ kind: 'html_200', vendor: 'harvestapi', operation: 'post-reactions' })
    const team = await world.team({ credits: 100 })
    const { name, odd } = author({ reactions: likes(people(world, 4)) })
    about(odd, { rows: 1 }, vendors)
    expect((await sweep(world, team, name)).capture).toMatchObject({ stoppedBy: 'exhausted', leadRowsCaptured: 6 })
  },
)

it('a post of a feed with nobody behind it is not the owner’s, and the rest of the feed is read [WLD-01, FIX-00]', async () => {
  const team = await world.team({ credits: 100 })
  const { name } = author({ reactions: likes(people(world, 4)) })
  world.network.fault({ kind: 'null_fields', operation: 'profile-posts', rows: 1 })
  expect((await sweep(world, team, name)).capture).toMatchObject({ stoppedBy: 'exhausted', leadRowsCaptured: 3 })
})

describe('an answer about one post that nobody can read', () => {
  it.each(['missing_fields', 'truncated_json'] as const)(
    'does not keep the other posts waiting nor the run open: it is left out, and the run says so [WLD-01, SYN-17] (%s)',
    async (kind) => {
      const team = await world.team({ credits: 100 })
      const { name, odd } = author({ reactions: likes(people(world, 4)) })
      about(odd, { kind, ...(kind === 'missing_fields' ? { fields: ['actor'] } : {}) })
      await sweep(world, team, name)
      expect(await leadsOf(team, name, '&includeSyncing=true')).toHaveLength(3)
      for (const hours of ['1h', '6h']) await world.advance(hours)
      expect(await statusOf(team, name)).toMatchObject({
        state: 'completed',
        stoppedBy: 'provider_limit',
        errorCode: null,
        capture: { leadRowsCaptured: 3 },
      })
      await nextDay(team, name, '17h')
    },
  )
  it('is asked for again when it was a slip: nobody is missing and nobody is charged twice [WLD-01, CRD-14]', async () => {
    const team = await world.team({ credits: 100 })
    const { name, odd } = author({ reactions: likes(people(world, 4)) })
    about(odd, { kind: 'truncated_json', times: 1 })
    await sweep(world, team, name)
    await world.advance('1m')
    expect((await statusOf(team, name)).capture).toMatchObject({ stoppedBy: 'exhausted', leadRowsCaptured: 7 })
    expect(await team.balance()).toBe(93)
  })
  it('ends a run that can read nothing else on the day it began, and the next one begins a day after [WLD-01, SYN-22]', async () => {
    const team = await world.team({ credits: 100 })
    const name = world.handle('author')
    const odd = world.network.seedPost({ author: name, reactions: likes(people(world, 2)), comments: [] }).id
    about(odd, { kind: 'missing_fields', fields: ['actor'] })
    await sweep(world, team, name)
    for (const hours of ['1h', '6h']) await world.advance(hours)
    expect(await statusOf(team, name)).toMatchObject({ state: 'failed', errorCode: 'provider_error' })
    world.network.clearFaults()
    await world.advance('17h')
    expect((await statusOf(team, name)).capture).toMatchObject({ stoppedBy: 'exhausted', leadRowsCaptured: 2 })
  })
})
