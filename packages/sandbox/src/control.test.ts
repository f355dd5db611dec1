import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestSandbox, type TestSandbox } from './testing/client.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.world.reset())
afterAll(() => sandbox.close())

const POST = '7500000000000000001'

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
})
