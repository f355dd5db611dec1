import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { jobOf, silent, sourceOf, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const about = ['jobId', 'type', 'status', 'createdAt', 'finishedAt']

describe('a job', () => {
  it('that succeeds goes from pending to running to completed, with a result and never an error [JOB-01..JOB-04, JOB-07]', async () => {
    const team = await world.team()
    const { jobId } = await track(team, silent(world))
    expect(jobId).toMatch(uuid)
    const pending = await team.get(`/jobs/${jobId}/status`)
    expect([pending.status, Object.keys(pending.body).sort(), pending.body]).toMatchObject([
      200,
      [...about].sort(),
      { jobId, type: 'enrich_profile', status: 'pending', finishedAt: null },
    ])

    world.network.hold({ operation: 'profile' })
    const drained = world.drain()
    await world.network.untilWaiting(1, { operation: 'profile' })
    const running = await jobOf(team, jobId)
    expect([running.status, Object.keys(running).sort()]).toEqual(['running', [...about].sort()])
    world.network.release()
    await drained

    const completed = await jobOf(team, jobId)
    expect([completed.status, Object.keys(completed).sort()]).toEqual(['completed', [...about, 'result'].sort()])
    expect(completed.result).toMatchObject({ creditsCharged: 0 })
    expect(completed.finishedAt).toBe((await world.now()).toISOString())
  })

  it('that fails has an error from then on and never a result [JOB-02, JOB-03, JOB-05, JOB-07]', async () => {
    const team = await world.team()
    const { jobId } = await track(team, world.handle('nobody'))
    await world.drain()
    const failed = await jobOf(team, jobId)
    expect([failed.status, Object.keys(failed).sort()]).toEqual(['failed', [...about, 'error'].sort()])
    expect(failed.error).toEqual({ status: 404, error: 'Profile not found' })
  })

  it('that is final never changes again, whatever happens to what it was about [JOB-06]', async () => {
    const team = await world.team()
    const [person, ghost] = [silent(world), world.handle('nobody')]
    const ids = [
      (await track(team, person)).jobId,
      (await track(team, ghost)).jobId,
      (await team.post('/enrich/profile', { username: silent(world) })).body.jobId,
    ]
    await world.drain()
    const final = await Promise.all(ids.map((id) => jobOf(team, id)))
    expect(final.map((job) => job.status)).toEqual(['completed', 'failed', 'failed'])
    world.network.seedPerson({ handle: person, name: 'Renamed', posts: [] })
    await track(team, person, { creditCapPerSync: 5 })
    await world.advance('25h')
    await team.del(`/profile/${person}`)
    await world.advance('40d')
    expect(await Promise.all(ids.map((id) => jobOf(team, id)))).toEqual(final)
  })

  it('of a team that lapses waits, and is worked on when the team is served again [JOB-03]', async () => {
    const team = await world.team()
    const { jobId } = await track(team, silent(world))
    await team.change({ status: 'expired' })
    await world.drain()
    await team.change({ status: 'active' })
    expect((await jobOf(team, jobId)).status).toBe('pending')
    await world.drain()
    expect((await jobOf(team, jobId)).status).toBe('completed')
  })

  it('that the vendors put off is asked for again when they say, not before, and ends at its third try [JOB-03, JOB-05]', async () => {
    const team = await world.team()
    world.network.fault({ kind: 'status_429', operation: 'profile', retryAfterS: 120 })
    world.network.fault({ kind: 'status_429', operation: 'profile/full', retryAfterS: 120 })
    const { jobId } = await track(team, silent(world))
    const tries = async (by: string): Promise<[boolean, string]> => {
      world.network.clearCalls()
      await world.advance(by)
      const asked = world.network.calls().some(({ operation }) => operation.startsWith('profile'))
      return [asked, (await jobOf(team, jobId)).status]
    }
    expect(await tries('0s')).toEqual([true, 'running'])
    expect(await tries('110s')).toEqual([false, 'running'])
    expect(await tries('15s')).toEqual([true, 'running'])
    expect(await tries('110s')).toEqual([false, 'running'])
    expect(await tries('15s')).toEqual([true, 'failed'])
    expect((await jobOf(team, jobId)).error).toMatchObject({ status: 502, code: 'provider_unavailable' })
  })

  it('is a sync as well: polled under its id, final when its capture is [JOB-02, JOB-04, JOB-05]', async () => {
    const team = await world.team()
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: 2 })
    await track(team, author)
    await world.drain()
    const { id } = await sourceOf(team, author)
    const { body: queued } = await team.post(`/sources/${id}/sync`, {})
    expect([queued.queued, queued.jobId, (await jobOf(team, queued.jobId)).status]).toEqual([
      true,
      queued.syncId,
      'pending',
    ])
    await world.drain()
    expect(await jobOf(team, queued.jobId)).toMatchObject({
      type: 'sync',
      status: 'completed',
      result: { sourceId: id, stoppedBy: 'exhausted', creditsSpent: 0 },
    })
    const { body: second } = await team.post(`/sources/${id}/sync`, {})
    await team.del(`/profile/${author}`)
    expect(await jobOf(team, second.jobId)).toMatchObject({ status: 'failed', error: { code: 'untracked' } })
  })
})

describe('what is no job of the team', () => {
  it('an unknown, malformed or foreign id is the same 404 [JOB-10]', async () => {
    const [team, other] = [await world.team(), await world.team()]
    const { jobId, syncId } = await track(other, silent(world))
    await world.drain()
    expect((await other.get(`/jobs/${jobId}/status`)).status).toBe(200)
    const bodies = []
    for (const id of [randomUUID(), jobId, syncId, 'no-uuid', '0', team.id, `${jobId}0`]) {
      const { status, body } = await team.get(`/jobs/${id}/status`)
      expect([id, status]).toEqual([id, 404])
      const { requestId: _, ...rest } = body
      bodies.push(rest)
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })
})

describe('the end of a job', () => {
  it('is never pushed: the webhook of the source it was about hears nothing, of success or failure [JOB-11]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const [author, fan] = [world.handle('author'), world.handle('fan')]
    world.network.seedPost({ author, reactions: [{ person: fan }] })
    await track(team, author)
    await world.drain()
    await team.put(`/profile/${author}/webhook`, { webhookUrl: inbox.url, syncEvents: true })
    const ids = [(await track(team, author)).jobId, (await team.post('/enrich/profile', { username: fan })).body.jobId]
    world.network.seedPerson({ handle: fan, exists: false })
    await world.drain()
    expect(await Promise.all(ids.map(async (id) => (await jobOf(team, id)).status))).toEqual(['completed', 'failed'])
    expect(inbox.received).toEqual([])
    // The webhook works: a new lead arrives.
    world.network.seedPost({ author, reactions: 1 })
    await world.advance('24h')
    expect(inbox.received.map(({ body }) => body.event)).toContain('lead.detected')
    for (const { raw } of inbox.received) for (const id of ids) expect(raw.toString()).not.toContain(id)
  })
})
