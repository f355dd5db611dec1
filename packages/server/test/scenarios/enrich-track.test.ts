import { describe, expect, it } from 'vitest'
import { jobOf, kinds, leadsOf, silent, sourceOf, sourcesOf, syncOf, track } from '../world/tracking.ts'
import { useWorld } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const synced = 'Already tracked and synced; the settings apply from the next scheduled run.'

describe('a first track', () => {
  it.each([
    { ...kinds[0], ids: 'ENR-01, ENR-03, ENR-09, ENR-44, ENR-46, JOB-01' },
    { ...kinds[1], ids: 'ENR-02, ENR-03, ENR-09, ENR-44, ENR-46, JOB-01' },
  ])(
    '$route answers a job that is polled to its end, and the source is listed with its queued sync [$ids]',
    async ({ route, family, type }) => {
      const team = await world.team()
      const username = silent(world, type)
      const answer = await team.post(route, { username, saveTrackedProfile: true })
      expect([answer.status, Object.keys(answer.body).sort()]).toEqual([200, ['jobId', 'syncId']])
      expect(answer.body.jobId).toMatch(uuid)
      expect(answer.body.syncId).toMatch(uuid)
      expect(await sourcesOf(team)).toMatchObject([{ type, username, status: 'active' }])
      expect((await team.get(`/${family}/${username}/sync`)).body).toMatchObject({
        syncId: answer.body.syncId,
        state: 'queued',
        isFinal: false,
        type,
        username,
      })
      expect((await jobOf(team, answer.body.jobId)).status).toBe('pending')
      await world.drain()
      expect((await jobOf(team, answer.body.jobId)).status).toBe('completed')
      expect((await team.get(`/${family}/${username}/sync`)).body).toMatchObject({
        syncId: answer.body.syncId,
        isFinal: true,
        state: 'completed',
      })
    },
  )

  it('captures all engagement of recent posts in the background: first an empty list, in the end all leads [ENR-10, ENR-11]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    const [ann, ben] = [world.handle('ann'), world.handle('ben')]
    world.network.seedPost({
      author,
      reactions: 3,
      comments: [{ person: ann, text: 'First', replies: [{ person: ben, text: 'Second' }] }],
    })
    world.network.seedPost({ author, reactions: 2 })
    const { syncId } = await track(team, author)
    const { id } = await sourceOf(team, author)
    const early = await team.get(`/leads?profileId=${id}`)
    expect([early.status, early.body.leads, early.body.total]).toEqual([200, [], 0])

    world.network.hold({ operation: 'post-comments' })
    const drained = world.drain()
    await world.network.untilWaiting(1, { operation: 'post-comments' })
    expect(await syncOf(team, author)).toMatchObject({
      syncId,
      state: 'capturing',
      isFinal: false,
      progress: { postsTotal: 2, postsProcessed: 1, leadsCaptured: 5 },
    })
    expect((await team.get(`/leads?profileId=${id}`)).body.total).toBe(5)
    world.network.release()
    await drained

    expect(await syncOf(team, author)).toMatchObject({
      syncId,
      state: 'completed',
      isFinal: true,
      capture: { stoppedBy: 'exhausted', creditsSpent: 7, leadRowsCaptured: 7 },
    })
    expect(
      (await leadsOf(team, author))
        .map((lead) => lead.commentText)
        .filter(Boolean)
        .sort(),
    ).toEqual(['First', 'Second'])
  })

  it('stores just the settings it names, the rest by default, and echoes what was named of four [ENR-12, ENR-14, ENR-17, ENR-18, ENR-21, ENR-23, ENR-25, ENR-32, ENR-36, ENR-41, ENR-42, ENR-43, ENR-61]', async () => {
    const defaults = {
      mode: 'engagers',
      postsPerSync: null,
      creditCapPerSync: null,
      captureReplies: true,
      enrichLeads: true,
      firstSyncPosts: null,
      firstSyncDays: null,
    }
    const team = await world.team()
    for (const settings of [
      {},
      { captureReplies: false },
      { enrichLeads: false },
      { creditCapPerSync: 1 },
      { creditCapPerSync: 2_147_483_647 },
      { creditCapPerSync: null },
      { mode: 'engagers' },
      { firstSyncPosts: 1 },
      { firstSyncPosts: 50 },
      { firstSyncPosts: null },
      { firstSyncDays: 1 },
      { firstSyncDays: 90 },
      { firstSyncDays: null },
      { creditCapPerSync: 9, enrichLeads: true, firstSyncPosts: 2, firstSyncDays: 3 },
      { mode: 'posts_only', postsPerSync: 1, confirmSpend: true },
      { mode: 'posts_only', postsPerSync: 60, confirmSpend: true },
    ]) {
      const four = ['creditCapPerSync', 'enrichLeads', 'firstSyncPosts', 'firstSyncDays']
      const echoed = Object.entries(settings).filter(([name]) => four.includes(name))
      for (const { route, type } of kinds) {
        const username = silent(world, type)
        const { jobId: _job, syncId: _sync, ...rest } = await track(team, username, settings, route)
        expect([settings, rest]).toEqual([settings, Object.fromEntries(echoed)])
        const { confirmSpend: _, ...stored } = settings as Record<string, unknown>
        expect(await sourceOf(team, username)).toMatchObject({ type, ...defaults, ...stored })
      }
    }
  })
})

describe('tracking again', () => {
  it('a synced source queues nothing, says so, and makes no new sync [ENR-45, ENR-47]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    world.network.seedPost({ author, reactions: 2 })
    const first = await track(team, author)
    await world.drain()
    const status = await syncOf(team, author)
    const again = await track(team, author, { creditCapPerSync: 7 })
    expect([again.syncId, again.syncNotQueuedReason]).toEqual([null, synced])
    world.network.seedPost({ author, reactions: 2 })
    await world.drain()
    expect(await syncOf(team, author)).toEqual(status)
    expect(status.syncId).toBe(first.syncId)
    expect(await leadsOf(team, author)).toHaveLength(2)
    // The settings apply from the next scheduled run.
    expect(await sourceOf(team, author)).toMatchObject({ creditCapPerSync: 7, nextSyncAt: status.nextSyncAt })
    await world.advance('24h')
    expect(await leadsOf(team, author)).toHaveLength(4)
  })

  it('a source whose first sync is under way answers that sync, without a reason [ENR-44, ENR-46, ENR-47]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    world.network.seedPost({ author, reactions: 1 })
    const first = await track(team, author)
    const again = await track(team, author)
    expect(again).toEqual({ jobId: again.jobId, syncId: first.syncId })
    expect(again.jobId).not.toBe(first.jobId)
    await world.drain()
    const { rows } = await world.database.pool.query('select id from sync where team_id = $1', [team.id])
    expect(rows).toEqual([{ id: first.syncId }])
  })

  it('a source that never finished a sync gets a new one [ENR-44, ENR-45]', async () => {
    const [team, author] = [await world.team(), world.handle('author')]
    world.network.seedPerson({ handle: author, exists: false })
    const first = await track(team, author)
    await world.drain()
    expect(await syncOf(team, author)).toMatchObject({ state: 'failed', capture: { stoppedBy: null } })
    world.network.seedPerson({ handle: author, exists: true })
    world.network.seedPost({ author, reactions: 1 })
    const again = await track(team, author)
    expect(again.syncId).toMatch(uuid)
    expect(again.syncId).not.toBe(first.syncId)
    expect(again).not.toHaveProperty('syncNotQueuedReason')
    await world.drain()
    expect(await syncOf(team, author)).toMatchObject({ syncId: again.syncId, state: 'completed' })
  })

  it('bare leaves every stored setting as it is; a named one replaces its own [ENR-21, ENR-18]', async () => {
    const team = await world.team()
    const username = silent(world)
    const settings = {
      creditCapPerSync: 50,
      captureReplies: false,
      enrichLeads: false,
      firstSyncPosts: 3,
      firstSyncDays: 9,
    }
    await track(team, username, settings)
    await track(team, username)
    expect(await sourceOf(team, username)).toMatchObject(settings)
    await track(team, username, { creditCapPerSync: null })
    expect(await sourceOf(team, username)).toMatchObject({ ...settings, creditCapPerSync: null })
    await track(team, username, { captureReplies: true, firstSyncPosts: null })
    expect(await sourceOf(team, username)).toMatchObject({
      ...settings,
      creditCapPerSync: null,
      captureReplies: true,
      firstSyncPosts: null,
    })
  })

  it('twice at once makes one source and one sync [ENR-09, ENR-44]', async () => {
    const team = await world.team()
    const username = silent(world)
    const answers = await Promise.all([1, 2, 3, 4].map(() => track(team, username)))
    expect(new Set(answers.map((answer) => answer.syncId)).size).toBe(1)
    expect(await sourcesOf(team)).toHaveLength(1)
  })
})
