import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { likes, people, sourceOf, statusOf, sweep, teamAndPost, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

/** Holds only these people's look-ups: the author is looked up too, and the capture may wait for that. */
function holdLookUps(handles: readonly string[]): void {
  for (const handle of handles) {
    const { id } = world.network.seedPerson({ handle })
    world.network.hold({ operation: 'profile', match: { profileId: id } })
  }
}

describe('the sync status', () => {
  it('tells no outcome until the first sync has finished [SYN-08, SYN-10, SYN-12, SYN-13, SYN-21, SYN-34, SYN-35]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    world.network.seedPost({
      author,
      reactions: likes(people(world, 2)),
      comments: [{ person: world.handle(), text: 'Hi' }],
    })
    world.network.hold({ operation: 'profile-posts' })
    const { syncId } = await track(team, author)
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'profile-posts' })
    const running = await statusOf(team, author)
    expect(running).toMatchObject({
      syncId,
      state: 'capturing',
      isFinal: false,
      stoppedBy: null,
      errorCode: null,
      finishedAt: null,
    })
    expect(running.capture).toEqual({ stoppedBy: null, creditsSpent: null, leadRowsCaptured: null, coverage: null })
    expect((await team.get(`/jobs/${syncId}/status`)).body).toMatchObject({ jobId: syncId, status: 'running' })
    world.network.release()
    await world.drain()
    const now = (await world.now()).toISOString()
    expect(await statusOf(team, author)).toEqual({
      syncId,
      sourceId: (await sourceOf(team, author)).id,
      type: 'person',
      username: author,
      state: 'completed',
      isFinal: true,
      progress: { postsTotal: 1, postsProcessed: 1, leadsCaptured: 3, leadsTotal: 3, leadsEnriched: 3 },
      capture: { stoppedBy: 'exhausted', creditsSpent: 3, leadRowsCaptured: 3, coverage: { declared: 3, captured: 3 } },
      enrichment: { pending: 0, completed: 3, failed: 0, skipped: 0 },
      stoppedBy: 'exhausted',
      errorCode: null,
      error: null,
      startedAt: now,
      finishedAt: now,
      nextSyncAt: new Date(Date.parse(now) + 86_400_000).toISOString(),
    })
    expect((await team.get(`/jobs/${syncId}/status`)).body).toMatchObject({
      status: 'completed',
      result: { creditsSpent: 3, leadRowsCaptured: 3 },
    })
  })

  it('stays enriching while captured leads wait for their facts; who has none is failed [SYN-09..SYN-11, SYN-13, SYN-35]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    const fans = people(world, 3)
    world.network.seedPost({ author, reactions: likes(fans) })
    holdLookUps(fans)
    await track(team, author)
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'profile' })
    await expect.poll(async () => (await statusOf(team, author)).state).toBe('enriching')
    const waiting = await statusOf(team, author)
    expect(waiting).toMatchObject({
      isFinal: false,
      stoppedBy: 'exhausted',
      enrichment: { pending: 3, completed: 0 },
      progress: { leadsEnriched: 0, leadsTotal: 3 },
      capture: { stoppedBy: 'exhausted', leadRowsCaptured: 3 },
    })
    world.network.seedPerson({ handle: fans[0]!, exists: false })
    world.network.release()
    await world.drain()
    expect(await statusOf(team, author)).toMatchObject({
      state: 'completed',
      isFinal: true,
      enrichment: { pending: 0, completed: 2, failed: 1 },
      progress: { leadsEnriched: 2 },
      capture: { creditsSpent: 3 },
    })
    expect(await team.balance()).toBe(10_000 - 3)
  })

  it('is the same by handle and by id, for people and for companies, and 404 for anything the team has not tracked [SYN-07]', async () => {
    const [team, other] = [await world.team(), await world.team()]
    const [author, slug] = [world.handle('author'), world.handle('page')]
    world.network.seedPost({ author, reactions: 1 })
    world.network.seedPost({ author: { company: slug }, reactions: 1 })
    const [person, company] = [await sweep(world, team, author), await sweep(world, team, slug, {}, 'company')]
    expect(company).toMatchObject({
      type: 'company',
      state: 'completed',
      capture: { creditsSpent: 1, leadRowsCaptured: 1, stoppedBy: 'exhausted' },
    })
    expect((await team.get(`/sources/${person.sourceId}/sync`)).body).toEqual(person)
    expect((await team.get(`/sources/${company.sourceId}/sync`)).body).toEqual(company)
    const absent = [
      `/profile/${slug}/sync`,
      `/company/${author}/sync`,
      `/sources/${randomUUID()}/sync`,
      '/sources/nonsense/sync',
      `/profile/${world.handle()}/sync`,
    ]
    for (const path of absent) expect((await team.get(path)).status, path).toBe(404)
    for (const path of [`/profile/${author}/sync`, `/sources/${person.sourceId}/sync`])
      expect((await other.get(path)).status, path).toBe(404)
  })

  it('shows the progress of a later run and, until it ends, the outcome of the one before [SYN-08, SYN-12, SYN-21, G131]', async () => {
    const { team, author } = await teamAndPost(world, { reactions: likes(people(world, 2)) })
    const first = await sweep(world, team, author)
    world.network.seedPost({ author, reactions: likes(people(world, 1)) })
    world.network.hold({ operation: 'post-reactions' })
    const { syncId } = (await team.post(`/sources/${first.sourceId}/sync`)).body
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'post-reactions' })
    const during = await statusOf(team, author)
    expect(during).toMatchObject({
      syncId,
      state: 'capturing',
      isFinal: false,
      progress: { postsTotal: 2, leadsCaptured: 0, leadsTotal: 2 },
      stoppedBy: 'exhausted',
      finishedAt: first.finishedAt,
    })
    expect(during.capture).toEqual(first.capture)
    world.network.release()
    await world.drain()
    expect(await statusOf(team, author)).toMatchObject({
      syncId,
      state: 'completed',
      capture: { creditsSpent: 1, leadRowsCaptured: 1, coverage: { declared: 3, captured: 3 } },
    })
  })
})
