/** Events about posts and syncs (specification «Events»; G48, G135). */
import { sql } from 'kysely'
import { events, eventExamples, postDetected, syncCompleted, syncFailed, type EventName } from '@les/contract'
import { describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { ok, trackWith } from './fit-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

async function watch(
  team: Team,
  texts: readonly string[],
  hook: Record<string, unknown>,
  route: 'profile' | 'company' = 'profile',
) {
  const username = world.handle('watched')
  const author = route === 'company' ? { company: username } : username
  for (const text of texts) world.network.seedPost({ author, text, reactions: [], comments: [] })
  world.network.hold()
  await ok(
    team.post(`/enrich/${route}`, {
      username,
      saveTrackedProfile: true,
      mode: 'posts_only',
      postsPerSync: 10,
      confirmSpend: true,
    }),
  )
  await ok(team.put(`/${route}/${username}/webhook`, hook))
  world.network.release()
  await world.drain()
  const { sources } = (await team.get('/sources')).body
  return {
    id: sources.find((source: { username: string }) => source.username === username).id as string,
    username,
    author,
  }
}

const again = async (team: Team, source: { id: string }) => {
  await world.move('25h')
  await ok(team.post(`/sources/${source.id}/sync`))
  await world.drain()
}

describe('post.detected', () => {
  it('is not sent of somebody who is excluded, nor after an objection, by whichever of their names; the posts are kept [EXC-07, PRV-10]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const source = await watch(team, ['first'], { webhookUrl: inbox.url })
    expect(inbox.received).toHaveLength(1)
    expect((await team.post('/privacy/objections', { profileUrl: source.username })).status).toBe(201)
    world.network.seedPost({ author: source.author, text: 'second', reactions: [], comments: [] })
    await again(team, source)
    expect((await ok(team.get(`/sources/${source.id}/posts`))).posts).toHaveLength(2)
    expect(inbox.received).toHaveLength(1)
  })

  it.each(['profile', 'company'] as const)(
    'is sent once for each new post of a posts-only watch of a %s [WHK-11]',
    async (route) => {
      const team = await world.team()
      const inbox = await world.inbox()
      const source = await watch(team, ['first', 'second'], { webhookUrl: inbox.url }, route)
      expect(inbox.received.map(({ body }) => body.post.text).sort()).toEqual(['first', 'second'])
      for (const { body, headers } of inbox.received) {
        const payload = postDetected.parse(body)
        expect(payload.source).toEqual({
          id: source.id,
          type: route === 'profile' ? 'person' : 'company',
          username: source.username,
        })
        expect([payload.id, payload.event]).toEqual([headers['x-service-delivery'], headers['x-service-event']])
        expect(payload.post).toMatchObject({
          postUrn: expect.stringMatching(/^urn:li:activity:\d+$/),
          url: expect.any(String),
          totalReactionCount: 0,
          commentsCount: 0,
          detectedAt: (await world.now()).toISOString(),
        })
        expect(payload.post.author!.name).toEqual(expect.any(String))
      }
      await world.move('1h')
      world.network.seedPost({
        author: source.author,
        text: 'third',
        postedAt: (await world.now()).toISOString(),
        reactions: [],
        comments: [],
      })
      await again(team, source)
      expect(inbox.received.map(({ body }) => body.post.text).sort()).toEqual(['first', 'second', 'third'])
    },
  )

  it('is not sent without autoSend or a URL, and a push never sends it [WHK-09, WHK-11]', async () => {
    for (const over of [{ autoSend: false }, { webhookUrl: '' }]) {
      const team = await world.team()
      const inbox = await world.inbox()
      const source = await watch(team, ['first'], { webhookUrl: inbox.url, ...over })
      await ok(team.put(`/profile/${source.username}/webhook`, { webhookUrl: inbox.url, autoSend: true }))
      expect(await ok(team.post(`/profile/${source.username}/push`))).toMatchObject({ queued: 0, considered: 0 })
      await world.drain()
      expect(inbox.received).toEqual([])
    }
  })
})

describe('sync events', () => {
  const sync = { webhookUrl: '', syncEvents: true, autoSend: false }

  it('tell a sync with its figures, its cap too, and posts whose engagers could not be read, as complete [WHK-12]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const source = await trackWith(world, team, [{ title: 'CTO' }, { title: 'Baker' }], {
      hook: { ...sync, webhookUrl: inbox.url },
      settings: { creditCapPerSync: 1 },
    })
    expect(inbox.received).toHaveLength(1)
    const { body, headers } = inbox.received[0]!
    expect(syncCompleted.parse(body)).toEqual(body)
    expect(headers['x-service-event']).toBe('sync.completed')
    const { syncId, finishedAt } = await ok(team.get(`/sources/${source.id}/sync`))
    expect(body).toMatchObject({
      event: 'sync.completed',
      source: { id: source.id, type: 'person', username: source.username },
      sync: {
        syncId,
        state: 'completed',
        stoppedBy: 'credits',
        creditsSpent: 1,
        leadRowsCaptured: 1,
        finishedAt,
        errorCode: null,
      },
    })
    const username = world.handle('empty')
    world.network.seedPost({ author: username, reactions: [], comments: [], declaredReactions: 9 })
    world.network.hold()
    await ok(team.post('/enrich/profile', { username, saveTrackedProfile: true }))
    await ok(team.put(`/profile/${username}/webhook`, { ...sync, webhookUrl: inbox.url }))
    world.network.release()
    await world.drain()
    expect(inbox.received.at(-1)!.body).toMatchObject({
      event: 'sync.completed',
      sync: {
        state: 'completed',
        stoppedBy: 'capture_empty',
        errorCode: 'capture_empty',
        leadRowsCaptured: 0,
        error: expect.any(String),
      },
    })
  })

  it('tell that a sync has failed: no such profile, or the subscription ended [WHK-12]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    for (const why of ['provider_error', 'subscription_inactive']) {
      const username = world.handle('failing')
      world.network.seedPost({ author: username, reactions: [{ person: world.handle('engager') }], comments: [] })
      world.network.hold()
      await ok(team.post('/enrich/profile', { username, saveTrackedProfile: true }))
      await ok(team.put(`/profile/${username}/webhook`, { ...sync, webhookUrl: inbox.url }))
      if (why === 'provider_error') world.network.fault({ kind: 'not_found' })
      else {
        world.beginDrain()
        await world.network.untilWaiting(1)
        await team.change({ status: 'expired' })
      }
      world.network.release()
      await world.drain()
      world.network.clearFaults()
      const { body } = inbox.received.at(-1)!
      expect(syncFailed.parse(body)).toEqual(body)
      expect(body).toMatchObject({
        event: 'sync.failed',
        source: { username },
        sync: { state: 'failed', stoppedBy: null, errorCode: why, error: expect.any(String) },
      })
    }
    expect(inbox.received).toHaveLength(2)
  })

  it('are not sent without syncEvents or a URL, nor for a run that untracking ends [WHK-12]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const source = await trackWith(world, team, [{ title: 'CTO' }], { hook: { ...sync, webhookUrl: inbox.url } })
    expect(inbox.received).toHaveLength(1)
    for (const change of [{ syncEvents: false }, { webhookUrl: '' }]) {
      await ok(team.put(`${source.path}/webhook`, change))
      await again(team, source)
      expect(inbox.received).toHaveLength(1)
    }
    await ok(team.put(`${source.path}/webhook`, { ...sync, webhookUrl: inbox.url }))
    world.network.hold()
    await world.move('25h')
    await ok(team.post(`/sources/${source.id}/sync`))
    world.beginDrain()
    await world.network.untilWaiting(1)
    await ok(team.del(source.path))
    world.network.release()
    await world.drain()
    expect(inbox.received).toHaveLength(1)
  })

  it('are not sent for a run that is found on a source which something else has ended [WHK-12, TRK-32]', async () => {
    const team = await world.team()
    const inbox = await world.inbox()
    const source = await trackWith(world, team, [{ title: 'CTO' }], { hook: { ...sync, webhookUrl: inbox.url } })
    await world.move('25h')
    await ok(team.post(`/sources/${source.id}/sync`))
    await sql`update source set status = 'inactive' where team_id = ${team.id}`.execute(world.database.bare)
    await world.drain()
    const { rows } = await sql`select state from sync where team_id = ${team.id} order by created_at`.execute(
      world.database.bare,
    )
    expect(rows).toEqual([{ state: 'captured' }, { state: 'untracked' }])
    expect(inbox.received).toHaveLength(1)
    const { rows: queued } = await sql`select 1 from delivery where team_id = ${team.id}`.execute(world.database.bare)
    expect(queued).toHaveLength(1)
  })
})

describe('the reference', () => {
  it('has an example of every event that its schema accepts [WHK-11, WHK-12]', () => {
    for (const name of Object.keys(events) as EventName[])
      expect(events[name].parse(eventExamples[name])).toEqual(eventExamples[name])
  })
})
