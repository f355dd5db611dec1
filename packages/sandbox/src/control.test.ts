import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSandbox, TEST_NOW, type TestSandbox } from './testing/client.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.world.reset())
afterAll(() => sandbox.close())

const POST = '7500000000000000001'
const reactions = (page = 1): Promise<any> => sandbox.harvest('/linkedin/post-reactions', { post: POST, page })
const likes = (start = 0): Promise<any> => sandbox.linkd('/api/v1/posts/likes', { urn: POST, start })
const ids = (answer: any): string[] => answer.json.elements.map((row: any) => row.actor.id)

describe('control over HTTP', () => {
  it('seeds people, companies and posts, and shows them', async () => {
    expect(
      (await sandbox.control('POST', 'people', { handle: 'jane-doe', name: 'Jane D', country: 'IT' })).json,
    ).toMatchObject({ name: 'Jane D', place: { country: 'Italy' } })
    expect((await sandbox.control('POST', 'companies', { slug: 'acme', employees: 12 })).json).toMatchObject({
      slug: 'acme',
      size: { start: 11, end: 50 },
    })
    const post = await sandbox.control('POST', 'posts', {
      author: 'jane-doe',
      id: POST,
      reactions: 5,
      comments: [{ person: 'bob-c', replies: [{ person: 'jane-doe' }] }],
    })
    expect(post.json).toMatchObject({
      id: POST,
      urn: `urn:li:activity:${POST}`,
      reactions: 5,
      comments: 1,
      replies: 1,
      author: { slug: 'jane-doe' },
    })
    expect((await sandbox.control('GET', 'people/jane-doe/posts')).json.posts).toEqual([post.json])
    expect((await sandbox.control('GET', `posts/${POST}`)).json).toEqual(post.json)
    expect((await sandbox.control('GET', 'people/jane-doe')).json.name).toBe('Jane D')
    expect((await sandbox.control('GET', 'companies/acme')).json.employees).toBe(12)
    expect((await sandbox.control('GET', 'companies/acme/posts')).json.posts.length).toBeGreaterThan(20)
  })

  it('answers nonsense with 400, 404 or 405 and an error', async () => {
    const answers = [
      await sandbox.control('POST', 'people', {}),
      await sandbox.control('POST', 'people', '{oops'),
      await sandbox.control('POST', 'posts', { author: 'nobody-x' }),
      await sandbox.control('POST', 'faults', { kind: 'sneeze' }),
      await sandbox.control('POST', 'clock', { to: 'tomorrow' }),
      await sandbox.control('POST', 'clock', { to: '2027-01-01T00:00:00Z' }),
      await sandbox.control('POST', 'hold', { vender: 'x' }),
      await sandbox.control('GET', 'people/nobody-x'),
      await sandbox.control('GET', 'weather'),
      await sandbox.control('DELETE', 'people'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 400, 404, 404, 405])
    for (const { json } of answers) expect(typeof json.error).toBe('string')
  })

  it('moves its own clock, and the world with it', async () => {
    const beganMs = Date.now()
    const own = await startTestSandbox({ now: undefined as never })
    const told = Date.parse((await own.control('GET', 'clock')).json.now)
    expect(told).toBeGreaterThanOrEqual(beganMs)
    expect(told).toBeLessThanOrEqual(Date.now())
    expect((await own.control('POST', 'clock', { to: '2030-01-01T00:00:00Z' })).json.now.slice(0, 16)).toBe(
      '2030-01-01T00:00',
    )
    expect((await own.control('POST', 'clock', { advanceSeconds: 86_400 })).json.now.slice(0, 10)).toBe('2030-01-02')
    const [post] = (await own.harvest('/linkedin/profile-posts', { profile: 'viral-anna' })).json.elements
    expect(post.postedAt.date > '2029-12-31').toBe(true)
    await own.close()
  })

  it('holds matching calls until they are released, one or all', async () => {
    sandbox.world.seedPost({ author: 'jane-doe', id: POST, reactions: 250 })
    await sandbox.control('POST', 'hold', { operation: 'post-reactions', match: { page: 2 } })
    expect((await reactions(1)).status).toBe(200)
    const held = [reactions(2), reactions(2)]
    await sandbox.world.untilWaiting(2)
    expect((await sandbox.control('GET', 'calls?status=waiting')).json.calls).toHaveLength(2)
    await sandbox.control('POST', 'release', { count: 1 })
    expect((await Promise.race(held)).status).toBe(200)
    expect(sandbox.world.waiting()).toBe(1)
    await sandbox.control('POST', 'release', { operation: 'profile' })
    expect(sandbox.world.waiting()).toBe(1)
    await sandbox.control('POST', 'release', {})
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200])
    expect((await reactions(2)).status).toBe(200)
  })
})

describe('faults', () => {
  beforeEach(() => {
    sandbox.world.seedPost({ author: 'jane-doe', id: POST, reactions: 250, comments: [{ person: 'bob-c' }] })
  })

  it('times, vendor, operation and match limit a rule', async () => {
    sandbox.world.fault({
      kind: 'status_500',
      vendor: 'harvestapi',
      operation: 'post-reactions',
      match: { post: POST, page: '2' },
      times: 2,
    })
    const statuses = [
      (await reactions(1)).status,
      (await likes()).status,
      (await reactions(2)).status,
      (await reactions(2)).status,
      (await reactions(2)).status,
    ]
    expect(statuses).toEqual([200, 200, 500, 500, 200])
    expect(sandbox.world.faults()[0]?.played).toBe(2)
  })

  it("per_minute counts calls on the world's clock", async () => {
    sandbox.world.fault({ kind: 'per_minute', vendor: 'linkdapi', limit: 2 })
    expect([
      (await likes()).status,
      (await likes()).status,
      (await likes()).status,
      (await reactions()).status,
    ]).toEqual([200, 200, 429, 200])
    sandbox.clock.ms += 61_000
    expect((await likes()).status).toBe(200)
    sandbox.clock.ms = TEST_NOW
  })

  it('endless serves the first page for every other, and claims more each time', async () => {
    const one = ids(await reactions(1))
    sandbox.world.fault({ kind: 'endless' })
    for (const page of [2, 50]) {
      const again = await reactions(page)
      expect([ids(again), again.json.pagination.totalPages > page]).toEqual([one, true])
    }
    const { data } = (await likes(5_000)).json
    expect([data.likes.length, data.pages * 10 > 5_000]).toEqual([10, true])
  })

  it('hang never answers until released, and notices a client that leaves', async () => {
    sandbox.world.fault({ kind: 'hang', times: 2 })
    const answer = reactions()
    await sandbox.world.untilWaiting()
    expect(sandbox.world.calls().at(-1)?.status).toBe('hanging')
    sandbox.world.release()
    expect((await answer).status).toBe(200)
    await expect(
      fetch(`${sandbox.addresses.harvestapi}/linkedin/post?url=${POST}`, {
        headers: { 'x-api-key': 'k' },
        signal: AbortSignal.timeout(50),
      }),
    ).rejects.toThrow()
    await expect.poll(() => sandbox.world.calls().at(-1)?.status).toBe('gone')
    expect(sandbox.world.waiting()).toBe(0)
  })

  it('a closing sandbox lets hanging calls go', async () => {
    const other = await startTestSandbox()
    other.world.fault({ kind: 'hang' })
    const call = expect(other.harvest('/linkedin/profile', { query: 'jane-doe' })).rejects.toThrow()
    await other.world.untilWaiting()
    await other.close()
    await call
  })
})
