import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { leadsOf, likes, people, resweep, sourceOf, statusOf, sweep, teamAndPost, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const ending = (status: {
  capture: { stoppedBy: unknown; creditsSpent: unknown; leadRowsCaptured: unknown }
  stoppedBy: unknown
  errorCode: unknown
  state: unknown
}) => [status.state, status.capture.stoppedBy, status.stoppedBy, status.errorCode]

describe('how a sync ends', () => {
  it('supply equal to the cap is exhausted, one more row is the cap, and is never stored [SYN-14, SYN-15, SYN-19, SYN-06, FIX-12]', async () => {
    const team = await world.team()
    const [equal, beyond] = people(world, 2, 'author')
    world.network.seedPost({ author: equal!, reactions: likes(people(world, 3)) })
    world.network.seedPost({ author: beyond!, reactions: likes(people(world, 4)) })
    const [exact, capped] = [
      await sweep(world, team, equal!, { creditCapPerSync: 3 }),
      await sweep(world, team, beyond!, { creditCapPerSync: 3 }),
    ]
    expect(ending(exact)).toEqual(['completed', 'exhausted', 'exhausted', null])
    expect(ending(capped)).toEqual(['completed', 'credits', 'credit_cap', null])
    expect([
      exact.capture.leadRowsCaptured,
      capped.capture.leadRowsCaptured,
      (await leadsOf(team, beyond!)).length,
    ]).toEqual([3, 3, 3])
    // A post with captured people counts as processed, finished or not.
    expect(capped.progress).toMatchObject({ postsTotal: 1, postsProcessed: 1, leadsCaptured: 3 })
    expect((await sourceOf(team, beyond!)).lastRun).toMatchObject({ stoppedBy: 'credit_cap', creditsSpent: 3 })
  })

  it('the cap binds the second sync too, which goes on where known rows end [SYN-05, SYN-14, CRD-14]', async () => {
    const { team, author } = await teamAndPost(world, { reactions: likes(people(world, 5)) })
    await sweep(world, team, author, { creditCapPerSync: 2 })
    const second = await resweep(world, team, author)
    expect([...ending(second), second.capture.leadRowsCaptured]).toEqual([
      'completed',
      'credits',
      'credit_cap',
      null,
      2,
    ])
    const third = await resweep(world, team, author)
    expect([...ending(third), third.capture.leadRowsCaptured]).toEqual(['completed', 'exhausted', 'exhausted', null, 1])
    expect(await team.balance()).toBe(10_000 - 5)
  })

  it('posts that declare engagement nobody can read end capture_empty, as a completed run [SYN-16, SYN-18]', async () => {
    const { team, author } = await teamAndPost(world, {
      reactions: [],
      comments: [],
      declaredReactions: 40,
      declaredComments: 3,
    })
    const status = await sweep(world, team, author)
    expect(ending(status)).toEqual(['completed', 'capture_empty', 'capture_empty', 'capture_empty'])
    expect(status.capture).toMatchObject({
      creditsSpent: 0,
      leadRowsCaptured: 0,
      coverage: { declared: 43, captured: 0 },
    })
    expect(status.isFinal).toBe(true)
  })

  it('posts that declare nothing, an author without posts, and known people seen again end exhausted [SYN-15]', async () => {
    const team = await world.team()
    const [quiet, silent, known] = people(world, 3, 'author')
    world.network.seedPerson({ handle: silent!, posts: [] })
    world.network.seedPost({ author: quiet!, reactions: [], comments: [] })
    world.network.seedPost({ author: known!, reactions: likes(people(world, 2)) })
    world.network.clearCalls()
    expect(ending(await sweep(world, team, quiet!))).toEqual(['completed', 'exhausted', 'exhausted', null])
    expect(world.network.calls({ operation: 'post-reactions' })).toEqual([])
    expect(ending(await sweep(world, team, silent!))).toEqual(['completed', 'exhausted', 'exhausted', null])
    await sweep(world, team, known!)
    expect(ending(await resweep(world, team, known!))).toEqual(['completed', 'exhausted', 'exhausted', null])
  })

  it('a post with only its author and company pages on it is no failure: they count in coverage only [SYN-15, SYN-12]', async () => {
    const [team, author] = [await world.team({ credits: 10 }), world.handle('author')]
    world.network.seedPost({
      author,
      reactions: [{ person: author }, { person: { company: world.handle('page') } }],
      comments: [{ person: author, text: 'Thanks all' }],
    })
    const status = await sweep(world, team, author)
    expect(ending(status)).toEqual(['completed', 'exhausted', 'exhausted', null])
    expect(status.capture.coverage).toEqual({ declared: 3, captured: 0 })
    expect([await team.balance(), await leadsOf(team, author)]).toEqual([10, []])
  })

  it('a post of 2,400 reactions ends provider_limit with about 1,100 people, and a cap reached first wins [SYN-17, SYN-12]', async () => {
    const team = await world.team()
    const [author, other] = people(world, 2, 'author')
    for (const writer of [author!, other!]) world.network.seedPost({ author: writer, reactions: 2_400 })
    const status = await sweep(world, team, author!, { enrichLeads: false })
    expect(ending(status)).toEqual(['completed', 'provider_limit', 'provider_limit', null])
    expect(status.capture).toMatchObject({
      creditsSpent: 1_100,
      leadRowsCaptured: 1_100,
      coverage: { declared: 2_400, captured: 1_100 },
    })
    const capped = await sweep(world, team, other!, { enrichLeads: false, creditCapPerSync: 100 })
    expect(ending(capped)).toEqual(['completed', 'credits', 'credit_cap', null])
  })

  it('pages without end are left once they show more than the post can have: provider_limit, each person once [SYN-17, CRD-14]', async () => {
    const { team, author } = await teamAndPost(world, { reactions: likes(people(world, 120)) })
    world.network.fault({ kind: 'endless', operation: 'post-reactions' })
    const asked = () => world.network.calls({ vendor: 'harvestapi', operation: 'post-reactions' }).length
    const before = asked()
    const { capture, ...status } = await sweep(world, team, author, { enrichLeads: false })
    expect([...ending({ ...status, capture }), capture.leadRowsCaptured, capture.creditsSpent]).toEqual([
      'completed',
      'provider_limit',
      'provider_limit',
      null,
      100,
      100,
    ])
    // Pages of a hundred: the limit is twice the declared 120 plus a thousand.
    expect(asked() - before).toBe(13)
  })

  it('a balance that runs out midway stops the capture, is never negative, and stores free repeats [SYN-14, CRD-14]', async () => {
    const [team, author] = [await world.team({ credits: 3 }), world.handle('author')]
    const fans = people(world, 5)
    world.network.seedPost({ author, reactions: likes(fans) })
    const status = await sweep(world, team, author)
    expect(ending(status)).toEqual(['completed', 'credits', 'credit_cap', 'insufficient_enriching_credits'])
    expect([status.capture.creditsSpent, status.capture.leadRowsCaptured, await team.balance()]).toEqual([3, 3, 0])
    await team.change({ grantCredits: 1 })
    world.network.seedPost({
      author,
      comments: [
        { person: fans[0]!, text: 'Me again' },
        { person: fans[1]!, text: 'And me' },
      ],
    })
    const second = await resweep(world, team, author)
    expect([second.capture.creditsSpent, second.capture.leadRowsCaptured, await team.balance()]).toEqual([1, 3, 0])
  })

  it('a network that does not answer ends the run failed; numbers and what was captured stay [SYN-22, SYN-23, SYN-08]', async () => {
    const { team, author } = await teamAndPost(world, { reactions: 250 })
    for (const vendor of ['harvestapi', 'linkdapi'])
      world.network.fault({ kind: 'status_500', vendor, match: { page: '2' } })
    await sweep(world, team, author, { enrichLeads: false })
    for (const wait of ['15s', '60s', '5m', '20m']) await world.advance(wait)
    const status = await statusOf(team, author)
    expect(ending(status)).toEqual(['failed', null, null, 'provider_error'])
    expect(status.capture).toMatchObject({ creditsSpent: 100, leadRowsCaptured: 100 })
    expect([status.isFinal, typeof status.error]).toEqual([true, 'string'])
    expect(await team.balance()).toBe(10_000 - 100)
    world.network.clearFaults()
    expect((await resweep(world, team, author)).capture).toMatchObject({ stoppedBy: 'exhausted', creditsSpent: 150 })
  })

  it('a handle that does not exist ends failed at once, without retries, and stays tracked [SYN-22, SYN-23]', async () => {
    const [team, ghost] = [await world.team(), world.handle('ghost')]
    world.network.seedPerson({ handle: ghost, exists: false })
    const status = await sweep(world, team, ghost)
    expect(ending(status)).toEqual(['failed', null, null, 'provider_error'])
    expect(status.capture).toMatchObject({ creditsSpent: 0, leadRowsCaptured: 0 })
    expect((await sourceOf(team, ghost)).status).toBe('active')
    const { jobId } = await track(team, ghost)
    await world.drain()
    expect((await team.get(`/jobs/${jobId}/status`)).body).toMatchObject({ status: 'failed', error: { status: 404 } })
  })

  it('a post that is gone when its engagement is read does not cost the other posts of the run [SYN-02]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    const posts = [2, 3, 4].map((count) =>
      world.network.seedPost({
        author,
        reactions: likes(people(world, count)),
        comments: [{ person: world.handle(), text: 'Hi' }],
      }),
    )
    world.network.fault({ kind: 'not_found', match: { post: posts[1]!.id } })
    const status = await sweep(world, team, author)
    expect(ending(status)).toEqual(['completed', 'exhausted', 'exhausted', null])
    expect(status.capture.leadRowsCaptured).toBe(2 + 4 + 2)
  })

  it('a count no column holds does not stop a sync [SYN-02]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    world.network.seedPost({
      author,
      reactions: likes(people(world, 2)),
      declaredReactions: 9_000_000_000,
      declaredComments: 9_000_000_000,
    })
    expect((await sweep(world, team, author)).capture.leadRowsCaptured).toBe(2)
  })
})
