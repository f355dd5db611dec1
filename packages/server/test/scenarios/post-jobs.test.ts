/** Post jobs: posts of tracked people and pages, page by page, through a worker (specification «Post and engagement jobs»). */
import { describe, expect, it } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

type Post = { urn: string; text: string | null }

async function tracked(team: Team, posts: number, kind: 'profile' | 'company' = 'profile'): Promise<string> {
  const name = world.handle(kind)
  const seeds = Array.from({ length: posts }, (_, at) => ({
    postedAt: new Date(Date.UTC(2026, 8, 1 + at)).toISOString(),
    text: `post ${at}`,
  }))
  if (kind === 'profile') world.network.seedPerson({ handle: name, posts: seeds })
  else world.network.seedCompany({ slug: name, posts: seeds })
  await team.post(`/enrich/${kind}`, { username: name, saveTrackedProfile: true, firstSyncPosts: 1 })
  await world.drain()
  return name
}

async function run(team: Team, kind: 'profile' | 'company', body: Record<string, unknown>) {
  const { status, body: answer } = await team.post(`/${kind}/posts`, body)
  expect([status, Object.keys(answer)]).toEqual([200, ['jobId']])
  await world.drain()
  return (await team.get(`/jobs/${answer.jobId}/status`)).body
}

const listCalls = () =>
  world.network
    .calls()
    .filter(
      (call) =>
        call.operation.endsWith('-posts') ||
        call.operation.startsWith('posts/all') ||
        call.operation.endsWith('company/posts'),
    ).length

describe('post jobs', () => {
  it.each(['profile', 'company'] as const)(
    '/%s/posts answers a job id at once, and the job ends with the newest posts [PJB-01, PJB-03, PJB-15, JOB-01, CRD-35]',
    async (kind) => {
      const team = await world.team({ credits: 100 })
      const username = await tracked(team, 20, kind)
      const balance = await team.balance()
      world.network.hold()
      const { body } = await team.post(`/${kind}/posts`, { username })
      const waiting = (await team.get(`/jobs/${body.jobId}/status`)).body
      expect(['pending', 'running']).toContain(waiting.status)
      expect(waiting).not.toHaveProperty('result')
      world.network.release()
      await world.drain()
      const job = (await team.get(`/jobs/${body.jobId}/status`)).body
      expect(job).toMatchObject({ status: 'completed', type: `${kind}_posts` })
      expect(Object.keys(job.result).sort()).toEqual(['hasMore', 'paginationToken', 'posts'])
      expect(job.result.posts.map((post: Post) => post.text)).toEqual(
        Array.from({ length: 15 }, (_, at) => `post ${19 - at}`),
      )
      expect(Object.keys(job.result.posts[0]).sort()).toEqual([
        'author',
        'commentsCount',
        'contentType',
        'postedAt',
        'text',
        'totalReactionCount',
        'url',
        'urn',
      ])
      expect(job.result.hasMore).toBe(true)
      expect(await team.balance()).toBe(balance)
      expect((await team.get('/leads')).body.total).toBe(0)
    },
  )

  it('limit bounds a page, and its token continues exactly there, over vendor pages, none asked twice [PJB-03, PJB-04]', async () => {
    const team = await world.team({ credits: 100 })
    const username = await tracked(team, 58)
    const before = listCalls()
    const seen: (string | null)[] = []
    let paginationToken: string | null | undefined
    for (let page = 0; page < 10 && paginationToken !== null; page += 1) {
      const { result } = await run(team, 'profile', {
        username,
        limit: 13,
        ...(paginationToken ? { paginationToken } : {}),
      })
      expect(result.hasMore).toBe(result.paginationToken !== null)
      seen.push(...result.posts.map((post: Post) => post.text))
      paginationToken = result.paginationToken
    }
    expect(seen).toEqual(Array.from({ length: 58 }, (_, at) => `post ${57 - at}`))
    expect(listCalls() - before).toBe(2)
  })

  it('a token within a later page of the vendor outlives that page; a job without one reads afresh [PJB-04]', async () => {
    const team = await world.team({ credits: 100 })
    const username = await tracked(team, 66)
    const texts = ({ posts }: { posts: readonly Post[] }) => posts.map((post) => post.text)
    const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => `post ${from - at}`)
    const shown: (string | null)[] = []
    let token: { paginationToken?: string } = {}
    for (let page = 0; page < 4; page++) {
      const { result } = await run(team, 'profile', { username, limit: 15, ...token })
      shown.push(...texts(result))
      token = { paginationToken: result.paginationToken }
    }
    // The vendor's pages have fifty posts, so this token points to the tenth post of the second.
    expect(shown).toEqual(down(65, 6))
    await world.advance('2h')
    const { result } = await run(team, 'profile', { username, limit: 15, ...token })
    expect(result).toMatchObject({ hasMore: false, paginationToken: null })
    expect(texts(result)).toEqual(down(5, 0))
    world.network.seedPost({ author: username, postedAt: (await world.now()).toISOString(), text: 'fresh' })
    expect(texts((await run(team, 'profile', { username, limit: 1 })).result)).toEqual(['fresh'])
  })

  it('the last page says so, and an author without posts has an empty one [PJB-01]', async () => {
    const team = await world.team({ credits: 100 })
    const two = await run(team, 'profile', { username: await tracked(team, 2), limit: 2 })
    expect(two.result).toMatchObject({ hasMore: false, paginationToken: null })
    expect((await run(team, 'profile', { username: await tracked(team, 0) })).result).toEqual({
      posts: [],
      hasMore: false,
      paginationToken: null,
    })
  })

  it('a token that is made up, bent, of another source or of another team is 400 [PJB-04]', async () => {
    const [team, other] = [await world.team({ credits: 100 }), await world.team({ credits: 100 })]
    const [username, second] = [await tracked(team, 20), await tracked(team, 20)]
    const { result } = await run(team, 'profile', { username, limit: 5 })
    const token: string = result.paginationToken
    await other.post('/enrich/profile', { username, saveTrackedProfile: true })
    await world.drain()
    const bent = `${token.slice(0, -6)}${token.at(-6) === 'A' ? 'B' : 'A'}${token.slice(-5)}`
    for (const [who, body] of [
      [team, { username, paginationToken: '' }],
      [team, { username, paginationToken: 'garbage' }],
      [team, { username, paginationToken: bent }],
      [team, { username, paginationToken: 'A'.repeat(200) }],
      [team, { username, paginationToken: 'x'.repeat(5_000) }],
      [team, { username, paginationToken: 7 }],
      [team, { username: second, paginationToken: token }],
      [other, { username, paginationToken: token }],
    ] as const) {
      const { status, body: answer } = await who.post('/profile/posts', body)
      expect([body, status]).toEqual([body, 400])
      expect(answer.error).toContain('paginationToken')
    }
  })

  it('only a tracked source of that kind: untracked, of the other kind, of another team and unknown are 404 [PJB-02]', async () => {
    const [team, other] = [await world.team({ credits: 100 }), await world.team({ credits: 100 })]
    const [person, company] = [await tracked(team, 1), await tracked(team, 1, 'company')]
    const gone = await tracked(team, 1)
    await team.del(`/profile/${gone}`)
    for (const [who, kind, username] of [
      [team, 'profile', gone],
      [team, 'profile', company],
      [team, 'company', person],
      [other, 'profile', person],
      [team, 'profile', 'nobody-here'],
    ] as const) {
      const { status, body } = await who.post(`/${kind}/posts`, { username })
      expect([username, status, body.jobId]).toEqual([username, 404, undefined])
    }
    const slug = `https://www.linkedin.com/company/${company}/`
    expect((await team.post('/company/posts', { username: slug })).status).toBe(200)
    await world.drain()
  })

  it('a network that does not answer is asked later, and the job fails in the end; one that knows nobody at once [JOB-05]', async () => {
    const team = await world.team({ credits: 100 })
    const username = await tracked(team, 3)
    world.network.fault({ kind: 'status_500' })
    const { body } = await team.post('/profile/posts', { username })
    await world.drain()
    expect((await team.get(`/jobs/${body.jobId}/status`)).body.status).toBe('running')
    await world.advance('30s')
    await world.advance('30s')
    expect((await team.get(`/jobs/${body.jobId}/status`)).body).toMatchObject({
      status: 'failed',
      error: { status: 502, code: 'provider_unavailable' },
    })
    world.network.clearFaults()
    world.network.fault({ kind: 'not_found' })
    expect(await run(team, 'profile', { username })).toMatchObject({ status: 'failed', error: { status: 404 } })
  })

  it('the job route, the charged read and the URN resolver do not collide [UPR-14]', async () => {
    const team = await world.team({ credits: 100 })
    const username = await tracked(team, 3)
    expect(Object.keys((await team.post('/profile/posts', { username })).body)).toEqual(['jobId'])
    expect((await team.get(`/profile/${username}/posts?posts=1`)).status).toBe(409)
    expect((await team.get(`/profile/${username}/urn`)).body.creditsCharged).toBe(0)
    expect((await team.get('/profile/posts/posts?posts=1')).status).toBe(409)
    await world.drain()
  })
})
