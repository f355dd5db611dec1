/** Feeds contain posts of others that their owner liked or commented on; nobody pays for those. */
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { leadsOf, likes, people, statusOf, sweep, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

type Kind = 'profile' | 'company'
const authorOf = (kind: Kind, name: string) => (kind === 'profile' ? name : { company: name })

function feed(kind: Kind, by: Kind = kind): { name: string; own: string[] } {
  const [name, other] = [world.handle('owner'), world.handle('other')]
  const post = (author: ReturnType<typeof authorOf>, fans: number, more: object = {}) =>
    world.network.seedPost({ author, reactions: likes(people(world, fans)), comments: [], ...more }).id
  const own = [post(authorOf(kind, name), 2), post(authorOf(kind, name), 2)]
  post(authorOf(by, other), 4, { shownBy: [authorOf(kind, name)] })
  return { name, own }
}

function later(kind: Kind, name: string): void {
  world.network.seedPost({ author: authorOf(kind, name), reactions: likes(people(world, 1)), comments: [] })
  world.network.seedPost({
    author: authorOf(kind, world.handle('other')),
    reactions: likes(people(world, 3)),
    comments: [],
    shownBy: [authorOf(kind, name)],
  })
}

const named = { 'by id and handle': () => {}, 'by handle alone': () => world.network.fault({ kind: 'bare_handles' }) }
const vendors = {
  primary: () => {},
  fallback: () => {
    for (const operation of ['profile-posts', 'company-posts']) world.network.fault({ kind: 'html_200', operation })
  },
}
/** Every two of kind, way to name and vendor. */
const cases = [
  { kind: 'profile', how: 'by id and handle', vendor: 'primary' },
  { kind: 'profile', how: 'by handle alone', vendor: 'fallback' },
  { kind: 'company', how: 'by id and handle', vendor: 'fallback' },
  { kind: 'company', how: 'by handle alone', vendor: 'primary' },
] as const

async function spent(team: Team, of: () => Promise<unknown>): Promise<number> {
  const before = await team.balance()
  await of()
  return before - (await team.balance())
}

describe.each(cases)('a $kind whose feed the $vendor serves, authors named $how', ({ kind, how, vendor }) => {
  const stage = () => {
    named[how]()
    vendors[vendor]()
    return feed(kind)
  }

  it('is charged for the people of its own posts alone, at the first sync and at later ones [FIX-00, CRD-13]', async () => {
    const team = await world.team({ credits: 100 })
    const { name } = stage()
    expect(await spent(team, () => sweep(world, team, name, {}, kind))).toBe(4)
    expect(await statusOf(team, name, kind)).toMatchObject({
      state: 'completed',
      capture: { stoppedBy: 'exhausted', creditsSpent: 4, leadRowsCaptured: 4, coverage: { declared: 4, captured: 4 } },
    })
    later(kind, name)
    expect(await spent(team, () => world.advance('24h'))).toBe(1)
    expect(await leadsOf(team, name)).toHaveLength(5)
  })

  it('watched for posts only is charged for its own posts alone [FIX-00, CRD-13]', async () => {
    const team = await world.team({ credits: 100 })
    const { name } = stage()
    const watch = { mode: 'posts_only', postsPerSync: 10, confirmSpend: true }
    expect(await spent(team, () => sweep(world, team, name, watch, kind))).toBe(2)
    later(kind, name)
    expect(await spent(team, () => world.advance('24h'))).toBe(1)
  })

  it('is read for its own posts alone, and those are charged [FIX-00]', async () => {
    const team = await world.team({ credits: 100 })
    const { name, own } = stage()
    const answer = await team.get(`/${kind}/${name}/posts?posts=5&confirmSpend=true`)
    expect([answer.status, answer.body.creditsCharged, await team.balance()]).toEqual([200, 2, 98])
    expect(answer.body.posts.map((post: { urn: string }) => post.urn).sort()).toEqual(
      own.map((id) => `urn:li:activity:${id}`).sort(),
    )
  })
})

it('posts of a page in the feed of a person, and of people in that of a page, are neither [FIX-00]', async () => {
  const team = await world.team({ credits: 100 })
  for (const [kind, by] of [
    ['profile', 'company'],
    ['company', 'profile'],
  ] as const) {
    const { name } = feed(kind, by)
    expect(await spent(team, () => sweep(world, team, name, {}, kind))).toBe(4)
  }
})

it('a tracked source lists posts of its own alone to a posts job [FIX-00]', async () => {
  const team = await world.team({ credits: 100 })
  const { name } = feed('profile')
  await track(team, name)
  const { jobId } = (await team.post('/profile/posts', { username: name })).body
  await world.drain()
  expect((await team.get(`/jobs/${jobId}/status`)).body.result.posts).toHaveLength(2)
})
