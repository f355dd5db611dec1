import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import { likes, people, sourceOf, statusOf, sweep, teamAndPost, track } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
const hourMs = 3_600_000

describe('a sync started by hand', () => {
  it('runs now, is charged like any sync and reported under the id it was given [SYN-25, SYN-26, SYN-34]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    const fans = people(world, 4)
    world.network.seedPost({ author, reactions: likes(fans.slice(0, 2)) })
    const { sourceId } = await sweep(world, team, author)
    world.network.seedPost({ author, reactions: likes(fans) })
    const answer = await team.post(`/sources/${sourceId}/sync`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      sourceId,
      syncId: answer.body.syncId,
      jobId: answer.body.syncId,
      queued: true,
      nextSyncAt: answer.body.nextSyncAt,
    })
    await world.drain()
    expect(await statusOf(team, author)).toMatchObject({
      syncId: answer.body.syncId,
      state: 'completed',
      capture: { creditsSpent: 2, leadRowsCaptured: 4 },
    })
    expect(await team.balance()).toBe(10_000 - 4)
  })

  it('is not doubled: while one is in flight, every further call gets that one with queued false [SYN-27]', async () => {
    const { team, author } = await teamAndPost(world, { reactions: likes(people(world, 2)) })
    world.network.hold({ operation: 'profile-posts' })
    const { syncId } = await track(team, author)
    const { id } = await sourceOf(team, author)
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'profile-posts' })
    expect((await team.post(`/sources/${id}/sync`)).body).toMatchObject({ syncId, jobId: syncId, queued: false })
    world.network.release()
    await world.drain()
    world.network.hold({ operation: 'profile-posts' })
    // The drain starts work as soon as the first request has queued it.
    world.beginDrain()
    const answers = await Promise.all(Array.from({ length: 12 }, () => team.post(`/sources/${id}/sync`)))
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map((answer) => answer.body.syncId)).size).toBe(1)
    expect(answers.filter((answer) => answer.body.queued)).toHaveLength(1)
    world.network.release()
    await world.drain()
    const { rows } = await world.database.pool.query('select count(*)::int as runs from sync where source_id = $1', [
      id,
    ])
    expect(rows[0]).toEqual({ runs: 2 })
  })

  it('moves the next scheduled sync to at least a day after its own start [SYN-28]', async () => {
    const { team, author } = await teamAndPost(world, { reactions: 1 })
    const { sourceId } = await sweep(world, team, author)
    await world.advance('10h')
    const { nextSyncAt } = (await team.post(`/sources/${sourceId}/sync`)).body
    expect(nextSyncAt).toBe(new Date((await world.now()).getTime() + 24 * hourMs).toISOString())
    await world.drain()
    const { syncId } = await statusOf(team, author)
    await world.advance('23h')
    expect((await statusOf(team, author)).syncId).toBe(syncId)
    await world.advance('1h')
    expect((await statusOf(team, author)).syncId).not.toBe(syncId)
  })

  it('is 402 at balance 0, naming it, and changes nothing; one in flight is still answered [SYN-27, CRD-14]', async () => {
    const { team, author } = await teamAndPost(world, { reactions: likes(people(world, 1)) }, { credits: 1 })
    const before = await sweep(world, team, author)
    const refused = await team.post(`/sources/${before.sourceId}/sync`)
    expect([refused.status, refused.body.code, refused.body.remainingBalance]).toEqual([
      402,
      'insufficient_enriching_credits',
      0,
    ])
    expect(await statusOf(team, author)).toEqual(before)
    const [poor, other] = [await world.team({ credits: 1 }), world.handle('author')]
    world.network.hold({ operation: 'profile-posts' })
    const { syncId } = await track(poor, other)
    world.beginDrain()
    await world.network.untilWaiting(1, { operation: 'profile-posts' })
    await poor.change({ credits: 0 })
    expect([
      (await poor.post(`/sources/${(await sourceOf(poor, other)).id}/sync`)).body,
      await poor.balance(),
    ]).toMatchObject([{ syncId, queued: false }, 0])
    world.network.release()
    await world.drain()
  })

  it("is 404 for an unknown, malformed, untracked or another team's source [SYN-30]", async () => {
    const [team, other] = [await world.team(), await world.team()]
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: 1 })
    const { sourceId } = await sweep(world, team, author)
    expect((await other.post(`/sources/${sourceId}/sync`)).status).toBe(404)
    for (const id of [randomUUID(), 'nonsense']) expect((await team.post(`/sources/${id}/sync`)).status).toBe(404)
    await team.del(`/profile/${author}`)
    expect((await team.post(`/sources/${sourceId}/sync`)).status).toBe(404)
  })

  it('a plan without capture tracks and says why nothing is swept; by hand it is 403, by itself none starts [SYN-25, SYN-08, SYN-21, G31]', async () => {
    const { team, author } = await teamAndPost(world, { reactions: 1 }, { captureAllowed: false })
    const tracked = await track(team, author)
    expect([tracked.syncId, typeof tracked.syncNotQueuedReason]).toEqual([null, 'string'])
    const { id } = await sourceOf(team, author)
    expect((await team.post(`/sources/${id}/sync`)).status).toBe(403)
    world.network.clearCalls()
    await world.advance('48h')
    expect(await statusOf(team, author)).toMatchObject({
      syncId: null,
      state: 'idle',
      isFinal: true,
      progress: { postsTotal: 0, postsProcessed: 0, leadsCaptured: 0, leadsTotal: 0, leadsEnriched: 0 },
      capture: { stoppedBy: null, creditsSpent: null, leadRowsCaptured: null, coverage: null },
      enrichment: { pending: 0, completed: 0, failed: 0, skipped: 0 },
      startedAt: null,
      finishedAt: null,
    })
    expect(world.network.calls({ operation: 'profile-posts', match: { profilePublicIdentifier: author } })).toEqual([])
    await team.change({ captureAllowed: true })
    await world.drain()
    expect((await statusOf(team, author)).state).toBe('completed')
  })
})
