/** Engagement jobs run within their request, in the team's turn (specification «Post and engagement jobs»; G81, G84, G138). */
import { afterEach, describe, expect, it } from 'vitest'
import { compose, type Service } from '../../src/composition/compose.ts'
import { inTurn } from '../../src/modules/capture/index.ts'
import { openLog } from '../../src/platform/log.ts'
import type { Refusal } from '../../src/platform/refusal.ts'
import { useWorld, type Answer, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

type SeededPost = Omit<Parameters<typeof world.network.seedPost>[0], 'author'>

async function held(team: Team, post: SeededPost): Promise<string> {
  const seeded = world.network.seedPost({
    author: world.handle('author'),
    postedAt: '2026-11-20T08:00:00.000Z',
    ...post,
  })
  const urn = `urn:li:activity:${seeded.id}`
  const answer = await team.post('/post/track', { postUrl: urn, creditCapPerSync: 1 })
  expect([answer.status, answer.body.error]).toEqual([201, undefined])
  await world.drain()
  world.network.clearCalls()
  return urn
}

const otherNameOf = (urn: string): string =>
  `urn:li:ugcPost:${BigInt(urn.replace('urn:li:activity:', '')) - (89n << 22n)}`

/** Runs an engagement job, which must be finished when it answers. */
async function run(team: Team, route: string, body: Record<string, unknown>): Promise<Answer['body']> {
  const { status, body: answer } = await team.post(`/post/${route}`, body)
  expect([status, answer.error]).toEqual([200, undefined])
  const job = (await team.get(`/jobs/${answer.jobId}/status`)).body
  expect(['completed', 'failed']).toContain(job.status)
  expect(job.finishedAt).not.toBeNull()
  return job
}

const asked = (operation: string) => world.network.calls().filter((call) => call.operation === operation).length
const jobsOf = async (team: Team): Promise<number> =>
  Number(
    (
      await world.database.pool.query(`select count(*) as jobs from job where team_id = $1 and type like 'post_%'`, [
        team.id,
      ])
    ).rows[0].jobs,
  )

describe('reactions', () => {
  it(
    'come a page at a time, each reaction once, with who served them; the job is final at once and free [PJB-06, ' +
      'PJB-07, PJB-09, PJB-14, JOB-08, CRD-35]',
    async () => {
      const team = await world.team({ credits: 1_000 })
      const [ann, acme] = [world.handle('ann'), world.handle('acme')]
      world.network.seedPerson({ handle: ann, name: 'Ann Example', headline: 'Growth' })
      world.network.seedCompany({ slug: acme, name: 'Acme' })
      const urn = await held(team, {
        reactions: [
          { person: ann, type: 'PRAISE' },
          { person: { company: acme } },
          ...Array.from({ length: 118 }, () => ({ person: world.handle('fan') })),
        ],
      })
      const balance = await team.balance()
      const pages = []
      for (const page of [0, 1, 2, 3]) pages.push((await run(team, 'reactions', { postUrn: urn, page })).result)
      expect(pages.map((page) => [page.page, page.reactions.length, page.hasMore, page.total, page.source])).toEqual([
        [0, 50, true, 120, 'primary'],
        [1, 50, true, 120, 'primary'],
        [2, 20, false, 120, 'primary'],
        [3, 0, false, 120, 'primary'],
      ])
      const all = pages.flatMap((page) => page.reactions)
      expect(new Set(all.map((row: { linkedinUrl: string }) => row.linkedinUrl)).size).toBe(120)
      expect(all.find((row: { name: string }) => row.name === 'Ann Example')).toMatchObject({
        headline: 'Growth',
        reactionType: 'Praise',
        linkedinUrn: expect.stringMatching(/^AC/),
        linkedinUrl: expect.stringContaining('/in/'),
      })
      expect(all.find((row: { name: string }) => row.name === 'Acme')).toMatchObject({
        linkedinUrn: null,
        linkedinUrl: expect.stringContaining('/company/'),
      })
      // The two vendor pages are each requested once.
      expect(asked('post-reactions')).toBe(2)
      expect((await run(team, 'reactions', { postUrn: urn })).result).toEqual(pages[0])
      expect(asked('post-reactions')).toBe(2)
      expect(await team.balance()).toBe(balance)
    },
  )

  it('a later page without a source goes to whoever served page 0 within the hour, and to nobody else [PJB-09, PJB-10]', async () => {
    const team = await world.team({ credits: 1_000 })
    const urn = await held(team, { reactions: 120 })
    world.network.fault({ kind: 'status_500', vendor: 'harvestapi', operation: 'post-reactions' })
    const first = (await run(team, 'reactions', { postUrn: urn, source: 'primary' })).result
    expect(first.source).toBe('fallback')
    world.network.clearFaults()
    const [primary, fallback] = [asked('post-reactions'), asked('posts/likes')]
    const second = (await run(team, 'reactions', { postUrn: urn, page: 1 })).result
    expect([second.source, asked('post-reactions') - primary, asked('posts/likes') > fallback]).toEqual([
      'fallback',
      0,
      true,
    ])
    const named = (await run(team, 'reactions', { postUrn: urn, page: 1, source: 'fallback' })).result
    expect(named).toEqual(second)
    // Another `source` than the one that served page 0 does not restart the paging: its pages would overlap and miss people.
    expect((await run(team, 'reactions', { postUrn: urn, page: 1, source: 'primary' })).result).toEqual(second)
    expect((await run(team, 'reactions', { postUrn: urn, page: 2 })).result.source).toBe('fallback')
    expect(asked('post-reactions') - primary).toBe(0)
    const seen = new Set(
      [...first.reactions, ...second.reactions].map((row: { linkedinUrl: string }) => row.linkedinUrl),
    )
    expect(seen.size).toBe(100)
    await world.move('61m')
    expect((await run(team, 'reactions', { postUrn: urn, page: 1 })).result.source).toBe('primary')
    await world.move('61m')
    expect((await run(team, 'reactions', { postUrn: urn, page: 1, source: 'fallback' })).result.source).toBe('fallback')
  })

  it('a page far past the declared total is empty, for one page of the vendor [PJB-07, PJB-11]', async () => {
    const team = await world.team({ credits: 1_000 })
    const urn = await held(team, { reactions: 450, comments: 450 })
    for (const [route, more, operation, list] of [
      ['reactions', {}, 'post-reactions', 'reactions'],
      ['comments', { includeReplies: false, size: 1 }, 'post-comments', 'comments'],
    ] as const) {
      for (const page of [2_147_483_647, 100_000_000]) {
        const { status, result } = await run(team, route, { postUrn: urn, page, ...more })
        expect([status, result]).toMatchObject(['completed', { page, [list]: [], total: 450, hasMore: false }])
      }
      expect(asked(operation)).toBe(1)
    }
  })

  it('a vendor that served page 0 and then fails fails the job; what it had served is not asked for again [PJB-10, JOB-05]', async () => {
    const team = await world.team({ credits: 1_000 })
    const urn = await held(team, { reactions: 150 })
    await run(team, 'reactions', { postUrn: urn })
    world.network.fault({ kind: 'status_500', vendor: 'harvestapi', operation: 'post-reactions' })
    expect(await run(team, 'reactions', { postUrn: urn, page: 2 })).toMatchObject({
      status: 'failed',
      error: { status: 502, code: 'provider_unavailable' },
    })
    expect((await run(team, 'reactions', { postUrn: urn, page: 1 })).status).toBe('completed')
    expect(asked('posts/likes')).toBe(0)
  })
})

describe('comments', () => {
  const replied = () => {
    const replies = (count: number, name: string) =>
      Array.from({ length: count }, (_, at) => ({ person: world.handle('replier'), text: `${name} reply ${at}` }))
    return {
      comments: [
        { person: world.handle('a'), text: 'first', at: '2026-11-20T11:00:00.000Z', replies: replies(14, 'first') },
        { person: world.handle('b'), text: 'second', at: '2026-11-20T10:00:00.000Z' },
        { person: world.handle('c'), text: 'third', at: '2026-11-20T09:00:00.000Z', replies: replies(2, 'third') },
      ],
    }
  }

  it('come fifty a page with their replies, each behind its comment, of people and companies alike [PJB-11, PJB-14, CRD-35]', async () => {
    const team = await world.team({ credits: 1_000 })
    const urn = await held(team, replied())
    const balance = await team.balance()
    const job = await run(team, 'comments', { postUrn: urn })
    const { result } = job
    expect([job.type, result]).toMatchObject(['post_comments', { postUrn: urn, page: 0, size: 50, hasMore: false }])
    expect(result.comments).toHaveLength(19)
    const rows: { isReply: boolean; text: string; parentId: string }[] = result.comments
    expect(rows.filter(({ isReply }) => !isReply).map(({ text }) => text)).toEqual(['first', 'second', 'third'])
    expect(rows.slice(1, 15).every(({ parentId }) => parentId === result.comments[0].id)).toBe(true)
    expect(result.comments[0]).toEqual({
      id: expect.any(String),
      isReply: false,
      parentId: null,
      postedAt: '2026-11-20T11:00:00.000Z',
      text: 'first',
      author: expect.objectContaining({ linkedinUrl: expect.stringContaining('linkedin.com/in/') }),
    })
    expect(await run(team, 'company-comments', { postUrn: urn })).toMatchObject({
      type: 'post_company_comments',
      result,
    })
    expect(await team.balance()).toBe(balance)
  })

  it('replies that were read before a fault are kept: the next job asks for what is missing alone [PJB-11, JOB-05]', async () => {
    const team = await world.team({ credits: 1_000 })
    const replies = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ person: world.handle('replier'), text: `reply ${at}` }))
    const urn = await held(team, {
      comments: [
        { person: world.handle('a'), text: 'first', at: '2026-11-20T11:00:00.000Z', replies: replies(9) },
        { person: world.handle('b'), text: 'second', at: '2026-11-20T10:00:00.000Z', replies: replies(24) },
      ],
    })
    world.network.fault({ kind: 'status_500', operation: 'post-comment-replies', match: { page: '2' } })
    expect(await run(team, 'comments', { postUrn: urn })).toMatchObject({ status: 'failed', error: { status: 502 } })
    world.network.clearFaults()
    world.network.clearCalls()
    expect((await run(team, 'comments', { postUrn: urn })).result.comments).toHaveLength(2 + 9 + 24)
    expect([asked('post-comments'), asked('post-comment-replies')]).toEqual([0, 3])
  })

  it.each(['harvestapi', 'linkdapi'])(
    'total counts replies with them, and the top level alone without, which asks for none, on every page, served by %s [G162, PJB-13]',
    async (vendor) => {
      const team = await world.team({ credits: 1_000 })
      const urn = await held(team, replied())
      if (vendor === 'linkdapi') world.network.fault({ kind: 'html_200', operation: 'post-comments' })
      const read = async (more: object) => (await run(team, 'comments', { postUrn: urn, ...more })).result
      const without = await read({ includeReplies: false })
      expect(without.comments.map((row: { text: string }) => row.text)).toEqual(['first', 'second', 'third'])
      expect(asked('post-comment-replies')).toBe(0)
      expect([without.total, (await read({})).total, (await read({ size: 2, page: 1 })).total]).toEqual([3, 19, 19])
    },
  )

  it('pages of any size cover every comment once, from the same pages of the vendor [PJB-11]', async () => {
    const team = await world.team({ credits: 1_000 })
    const urn = await held(team, { comments: 130 })
    const all: string[] = []
    for (let page = 0; ; page += 1) {
      const { result } = await run(team, 'comments', { postUrn: urn, page, size: 27 })
      all.push(...result.comments.map((row: { id: string }) => row.id))
      expect(result.hasMore).toBe(all.length < 130)
      if (!result.hasMore) break
    }
    expect(new Set(all).size).toBe(130)
    expect(all).toHaveLength(130)
    expect(
      (await run(team, 'comments', { postUrn: urn, page: 2, size: 50 })).result.comments.map(
        (row: { id: string }) => row.id,
      ),
    ).toEqual(all.slice(100))
    expect(asked('post-comments')).toBe(2)
  })
})

describe('what is refused', () => {
  const urn = 'urn:li:activity:7395000000000000001'

  it('a post not held is 404 without a job: unknown, another team’s, untracked, or swept for engagers only [PJB-06]', async () => {
    const [team, other] = [await world.team({ credits: 100 }), await world.team({ credits: 100 })]
    const foreign = await held(other, { reactions: 2 })
    const gone = await held(team, { reactions: 2 })
    const routes = ['reactions', 'comments', 'company-comments']
    for (const route of routes)
      expect((await run(team, route, { postUrn: otherNameOf(gone) })).status).toBe('completed')
    const jobs = await jobsOf(team)
    await team.del(`/post/${gone}`)
    const author = world.handle('author')
    const swept = world.network.seedPost({ author, reactions: 2 })
    await team.post('/enrich/profile', { username: author, saveTrackedProfile: true })
    await world.drain()
    for (const route of routes)
      for (const postUrn of [urn, foreign, gone, otherNameOf(gone), `urn:li:activity:${swept.id}`])
        expect([route, postUrn, (await team.post(`/post/${route}`, { postUrn })).status]).toEqual([route, postUrn, 404])
    expect(await jobsOf(team)).toBe(jobs)
  })

  it('a post that a posts-only watch has found is held, also when the watch is untracked [PJB-06, SRC-13]', async () => {
    const team = await world.team({ credits: 100 })
    const author = world.handle('author')
    world.network.seedPost({ author, postedAt: '2026-11-20T08:00:00.000Z', reactions: 3 })
    await team.post('/enrich/profile', {
      username: author,
      saveTrackedProfile: true,
      mode: 'posts_only',
      postsPerSync: 5,
      confirmSpend: true,
    })
    await world.drain()
    const { sources } = (await team.get('/sources')).body
    const { posts } = (await team.get(`/sources/${sources[0].id}/posts`)).body
    expect((await run(team, 'reactions', { postUrn: posts[0].postUrn })).result.reactions).toHaveLength(3)
    await team.del(`/profile/${author}`)
    expect((await run(team, 'comments', { postUrn: posts[0].postUrn })).status).toBe('completed')
  })

  it('a network that does not answer, or has lost the post, fails the job, which stays as it is [JOB-08, JOB-05]', async () => {
    const team = await world.team({ credits: 100 })
    const urnHeld = await held(team, { reactions: 3 })
    world.network.fault({ kind: 'status_500' })
    const failed = await run(team, 'reactions', { postUrn: urnHeld })
    expect(failed).toMatchObject({ status: 'failed', error: { status: 502, code: 'provider_unavailable' } })
    world.network.clearFaults()
    world.network.fault({ kind: 'not_found' })
    expect(await run(team, 'comments', { postUrn: urnHeld })).toMatchObject({
      status: 'failed',
      error: { status: 404 },
    })
    world.network.clearFaults()
    await world.drain()
    expect((await team.get(`/jobs/${failed.jobId}/status`)).body).toEqual(failed)
  })
})

describe('turns', () => {
  const ticketsOf = async (team: Team): Promise<number> =>
    (
      await world.database.pool.query('select count(*)::integer as tickets from engagement_ticket where team_id = $1', [
        team.id,
      ])
    ).rows[0].tickets
  const second: { service?: Service } = {}
  afterEach(async () => {
    await second.service?.stop()
    delete second.service
  })

  it('one at a time per team, twenty wait, the next is 429, no job, not counted; other teams go on [JOB-09, FIX-06, G155]', async () => {
    const [team, other] = [await world.team({ credits: 100 }), await world.team({ credits: 100 })]
    const [urn, theirs] = [await held(team, { reactions: 3 }), await held(other, { reactions: 2 })]
    const commented = await held(team, { comments: 2 })
    world.network.hold({ operation: 'post-reactions', match: { post: urn.replace('urn:li:activity:', '') } })
    const first = team.post('/post/reactions', { postUrn: urn })
    await world.network.untilWaiting(1)
    const waiting = Array.from({ length: 20 }, () => team.post('/post/comments', { postUrn: commented }))
    await expect.poll(() => ticketsOf(team), { timeout: 45_000 }).toBe(21)
    const used = async (): Promise<number> =>
      (
        await world.database.pool.query<{ used: number }>(
          `select coalesce(sum(used), 0)::integer as used from rate_window where team_id = $1 and bucket = 'writes'`,
          [team.id],
        )
      ).rows[0]!.used
    const usedBefore = await used()
    const refused = await team.post('/post/reactions', { postUrn: urn })
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect([usedBefore > 0, await used()]).toEqual([true, usedBefore])
    const shown = (name: string) => Number(refused.headers.get(`x-ratelimit-${name}`))
    expect(shown('remaining')).toBe(shown('limit') - usedBefore)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await jobsOf(team)).toBe(0)
    // While the team's first read runs, none of its others is sent; the other team is not delayed.
    expect(asked('post-comments')).toBe(0)
    expect((await run(other, 'reactions', { postUrn: theirs })).status).toBe('completed')
    world.network.release()
    const answers = await Promise.all([first, ...waiting])
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    for (const { body } of answers) expect((await team.get(`/jobs/${body.jobId}/status`)).body.status).toBe('completed')
    expect(await ticketsOf(team)).toBe(0)
  })

  it('also over two processes on one database [JOB-09]', async () => {
    const team = await world.team({ credits: 100 })
    const [one, two] = [await held(team, { reactions: 3 }), await held(team, { comments: 3 })]
    second.service = await compose({ ...world.service.config, roles: ['http'] }, openLog('silent'), {
      connection: world.database.connection,
      poolSize: 6,
      network: world.service.network,
    })
    await second.service.start()
    const url = second.service.http.address()
    world.network.hold({ operation: 'post-reactions' })
    const first = team.post('/post/reactions', { postUrn: one })
    await world.network.untilWaiting(1)
    const elsewhere = fetch(`${url}/api/v1/post/comments`, {
      method: 'POST',
      headers: { 'x-api-key': team.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ postUrn: two }),
    })
    await expect.poll(() => ticketsOf(team)).toBe(2)
    expect(asked('post-comments')).toBe(0)
    world.network.release()
    expect([(await first).status, (await elsewhere).status]).toEqual([200, 200])
    expect(asked('post-comments')).toBe(1)
  })

  it('whoever has waited too long is refused, and the ticket of a dead process does not hold the team up for ever', async () => {
    const team = await world.team({ credits: 100 })
    const { service } = world
    // A clock that only waiting moves.
    let nowMs = Date.now()
    const deps = {
      db: service.database.root,
      unitOfWork: service.unitOfWork,
      system: {
        nowMs: () => nowMs,
        sleep: async (ms: number) => void (nowMs += ms),
        expire: () => new Promise<void>(() => {}),
        every: () => () => {},
      },
    }
    const bounds = { waiting: 20, waitMs: 150, leaseMs: 2_000 }
    const turn = <T>(work: () => Promise<T>, waitMs = bounds.waitMs): Promise<T> =>
      world.inShardOf(team, () => inTurn(deps, { teamId: team.id, work, bounds: { ...bounds, waitMs } }))
    const { promise, resolve } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const under = turn(() => {
      begun.resolve()
      return promise
    })
    await begun.promise
    await expect(turn(async () => 'served')).rejects.toMatchObject({
      key: 'rate_limited',
    } satisfies Partial<Refusal>)
    // The holder does not renew its ticket, as if its process had died.
    expect(await turn(async () => 'served', 10_000)).toBe('served')
    resolve()
    await under
  })
})
