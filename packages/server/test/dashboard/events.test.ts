import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Visitor } from '../../src/edge/dashboard/visitor.ts'
import { makeEvents, streamLimits, type Events } from '../../src/edge/dashboard/events.ts'
import { systemClock, type SystemClock } from '../../src/platform/clock.ts'
import { openLog } from '../../src/platform/log.ts'
import { createWorld, useWorld, type World } from '../world/world.ts'
import { memberOf, type MemberBrowser } from './stage.ts'

/** The periods of all running timers. */
const repeating = new Set<{ readonly ms: number }>()
const quick: SystemClock = {
  ...systemClock,
  every: (ms, work) => {
    const [one, stop] = [{ ms }, systemClock.every(ms / 20, work)]
    repeating.add(one)
    return () => {
      repeating.delete(one)
      stop()
    }
  },
}
const world = useWorld({ overrides: { system: quick } })

const looks = () => [...repeating].filter(({ ms }) => ms === 1_000).length
/** How many one-second timers run while nobody listens. */
let others = 0
beforeAll(() => {
  others = looks()
})

type Stream = {
  readonly status: number
  readonly headers: Headers
  readonly text: () => string
  /** Resolves once all these topics were named since the stream opened or the previous call; rejects if the stream ends. */
  until(...topics: string[]): Promise<void>
  readonly ended: Promise<void>
  leave(): void
}

const cookieOf = ({ cookies }: MemberBrowser) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

async function listen(place: Pick<World, 'url'>, member: MemberBrowser, teamId: string): Promise<Stream> {
  const leaving = new AbortController()
  const response = await fetch(`${place.url}/app/api/teams/${teamId}/events`, {
    headers: { cookie: cookieOf(member), 'sec-fetch-site': 'same-origin' },
    signal: leaving.signal,
  })
  let text = ''
  let read = 0
  let wake = Promise.withResolvers<void>()
  const follow = async (): Promise<void> => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      wake.resolve()
      wake = Promise.withResolvers()
    }
  }
  const ended = follow().catch(() => {})
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    ended,
    until: async (...wanted) => {
      const missing = new Set(wanted)
      for (;;) {
        const end = text.lastIndexOf('\n\n') + 2
        for (const [, json] of text.slice(read, Math.max(end, read)).matchAll(/^data: (.*)$/gm))
          for (const topic of (JSON.parse(json!) as { topics: string[] }).topics) missing.delete(topic)
        read = Math.max(end, read)
        if (missing.size === 0) return
        if ((await Promise.race([wake.promise, ended.then(() => 'ended')])) === 'ended')
          throw new Error(`the stream ended before ${[...missing].join(', ')} had changed; it said ${text}`)
      }
    },
    leave: () => leaving.abort(),
  }
}

async function scene() {
  const team = await world.team()
  return { team, member: await memberOf(world, team, 'viewer') }
}

describe('live updates', () => {
  it('tell of a sync that was started over the API: sources, syncs, leads and credits; another team hears nothing', async () => {
    const [{ team, member }, other] = [await scene(), await scene()]
    const [mine, theirs] = [await listen(world, member, team.id), await listen(world, other.member, other.team.id)]
    expect([mine.status, mine.headers.get('content-type'), mine.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ])
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: 12 })
    await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })
    await world.drain()
    await mine.until('sources', 'syncs', 'leads', 'credits', 'settings')
    // A stream that has received a later event has received no earlier one of the other team.
    await other.team.post('/keys', { name: 'Other' })
    await theirs.until('settings')
    expect(theirs.text()).not.toMatch(/leads|credits|syncs/)
    mine.leave()
    theirs.leave()
  })

  it('tell what happens by itself later: deliveries, a new post, a failing endpoint', async () => {
    const { team, member } = await scene()
    const [inbox, author] = [await world.inbox(), world.handle('author')]
    world.network.seedPost({ author, reactions: 3 })
    await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })
    await world.drain()
    const source = (await team.get('/sources')).body.sources[0].id
    const stream = await listen(world, member, team.id)
    await team.put(`/sources/${source}/webhook`, { webhookUrl: inbox.url })
    await stream.until('deliveries', 'settings')
    await team.post(`/sources/${source}/push`)
    await world.drain()
    await stream.until('deliveries', 'leads')
    inbox.answer(410)
    world.network.seedPost({ author, postedAt: (await world.now()).toISOString(), reactions: 1 })
    await world.advance('25h')
    await stream.until('syncs', 'leads', 'credits', 'deliveries')
    expect((await team.get(`/leads?profileId=${source}`)).body.total).toBe(4)
    expect(inbox.received).toHaveLength(4)
    stream.leave()
  })

  it('are for members alone', async () => {
    const { team, member } = await scene()
    const stranger = await memberOf(world, await world.team(), 'owner')
    expect((await listen(world, stranger, team.id)).status).toBe(404)
    for (const [headers, status] of [
      [{}, 401],
      [{ 'x-api-key': team.apiKey }, 401],
      [{ cookie: cookieOf(member), 'sec-fetch-site': 'cross-site' }, 403],
    ] as const)
      expect((await fetch(`${world.url}/app/api/teams/${team.id}/events`, { headers })).status).toBe(status)
  })

  it('end when the person is no member any more, and when the session is over; others go on', async () => {
    const { team, member: stays } = await scene()
    const [removed, signedOut] = [await memberOf(world, team, 'member'), await memberOf(world, team, 'member')]
    const streams = {
      stays: await listen(world, stays, team.id),
      removed: await listen(world, removed, team.id),
      signedOut: await listen(world, signedOut, team.id),
    }
    await sql`delete from sign_in.membership where user_id = ${removed.userId}`.execute(world.database.root)
    await streams.removed.ended
    expect((await signedOut.send('POST', '/app/api/auth/sign-out', {})).status).toBe(200)
    await streams.signedOut.ended
    await team.post('/keys', { name: 'Another' })
    await streams.stays.until('settings')
    streams.stays.leave()
  })

  it('are 20 a person at most; one that has gone makes room', async () => {
    const { team, member } = await scene()
    const streams = await Promise.all(Array.from({ length: streamLimits.person }, () => listen(world, member, team.id)))
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
    expect((await listen(world, member, team.id)).status).toBe(429)
    const colleague = await listen(world, await memberOf(world, team, 'viewer'), team.id)
    expect(colleague.status).toBe(200)
    streams[0]!.leave()
    const again = await vi.waitFor(async () => {
      const stream = await listen(world, member, team.id)
      expect(stream.status).toBe(200)
      return stream
    }, 20_000)
    for (const stream of [...streams, colleague, again]) stream.leave()
  })

  it('are looked for while somebody listens, and at no other time', async () => {
    const { team, member } = await scene()
    await expect.poll(looks).toBe(others)
    const [one, two] = [await listen(world, member, team.id), await listen(world, member, team.id)]
    expect(looks()).toBe(others + 1)
    one.leave()
    await team.post('/keys', { name: 'Seen' })
    await two.until('settings')
    two.leave()
    await expect.poll(looks).toBe(others)
  })
})

describe('the streams of a process', () => {
  const visitor = (teamId: string, person: string) =>
    ({
      person: { id: person, sessionId: person, email: '', name: '' },
      team: { id: teamId },
      role: 'viewer',
    }) as unknown as Visitor
  const unread = (writableLength = 0) =>
    Object.assign(new EventEmitter(), {
      headersSent: false,
      destroyed: false,
      writableLength,
      written: '',
      ended: false,
      writeHead(this: { headersSent: boolean }) {
        this.headersSent = true
      },
      write(this: { written: string }, text: string) {
        this.written += text
      },
      end(this: EventEmitter & { ended: boolean }) {
        this.ended = true
        this.emit('close')
      },
      destroy(this: EventEmitter & { destroyed: boolean }) {
        this.destroyed = true
        this.emit('close')
      },
    })
  const open = () =>
    makeEvents({
      db: world.database.root,
      shards: world.service.shards,
      system: quick,
      log: openLog('silent'),
      signIn: { stillIn: async (_db, present) => present.map(() => true) },
    })
  const request = { socket: new EventEmitter().setMaxListeners(0) } as unknown as IncomingMessage
  const serve = (events: Events, teamId: string, person: string, response: ReturnType<typeof unread>) =>
    events.serve(request, response as unknown as ServerResponse, visitor(teamId, person))

  it('are 100 for a team and 500 in all at most, and none once it stops', async () => {
    const events = open()
    const teams = await Promise.all(
      Array.from({ length: streamLimits.process / streamLimits.team }, () => world.team()),
    )
    const [{ id }] = teams as [(typeof teams)[0]]
    const responses = Array.from({ length: streamLimits.process }, () => unread())
    for (const [index, response] of responses.entries()) {
      if (index === streamLimits.team)
        await expect(serve(events, id, 'one of the team more', unread())).rejects.toMatchObject({ key: 'rate_limited' })
      await serve(events, teams[Math.floor(index / streamLimits.team)]!.id, `person ${index}`, response)
    }
    await expect(serve(events, id, 'one more', unread())).rejects.toMatchObject({ key: 'unavailable' })
    responses[0]!.emit('close')
    await serve(events, id, 'one more', unread())
    events.close()
    expect(responses.slice(1).every(({ ended }) => ended)).toBe(true)
    await expect(serve(events, id, 'late', unread())).rejects.toMatchObject({ key: 'unavailable' })
  })
})

it('a service that stops ends all streams, and does not wait for them', async () => {
  const own = await createWorld({ overrides: { system: quick } })
  const team = await own.team()
  const member = await memberOf(own, team, 'owner')
  const streams = [await listen(own, member, team.id), await listen(own, member, team.id)]
  // No client leaves: if closing waited for them, the test would time out.
  await own.close()
  expect(await Promise.all(streams.map(({ ended }) => ended.then(() => 'ended')))).toEqual(['ended', 'ended'])
})
