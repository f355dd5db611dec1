/** The charged read of anybody's posts: order of checks, hold and settle, its own rate window (specification «Untracked posts read»). */
import { describe, expect, it } from 'vitest'
import { snapshot } from '../world/snapshot.ts'
import { useWorld, type Answer, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

const fields = ['author', 'commentsCount', 'contentType', 'postedAt', 'text', 'totalReactionCount', 'url', 'urn']
const day = (number: number) => new Date(Date.UTC(2026, 10, number)).toISOString()

function author(count: number): string {
  const handle = world.handle('author')
  world.network.seedPerson({
    handle,
    name: 'Ada Author',
    headline: 'Writes',
    posts: Array.from({ length: count }, (_, at) => ({
      postedAt: new Date(Date.UTC(2026, 8, 1 + at)).toISOString(),
      text: `post ${at}`,
      reactions: at,
    })),
  })
  return handle
}

const read = (team: Team, path: string, posts: number | string, rest = '&confirmSpend=true') =>
  team.get(`${path}/posts?posts=${posts}${rest}`)
const holds = async () => (await world.database.pool.query('select amount from credit_hold')).rows
const calls = () => world.network.calls().length

describe('what a read answers', () => {
  it('the newest posts of an untracked handle, every field in every row, one credit each [UPR-01, UPR-03, UPR-07, UPR-08, UPR-10, CRD-25]', async () => {
    const [team, handle] = [await world.team({ credits: 100 }), world.handle('author')]
    world.network.seedPerson({
      handle,
      name: 'Ada Author',
      headline: 'Writes',
      posts: [
        { postedAt: day(3), text: 'newest', reactions: 4, comments: 2, contentType: 'image' },
        { postedAt: day(1), text: 'oldest' },
        { postedAt: day(2), text: null, contentType: 'video' },
      ],
    })
    const { status, body } = await read(team, `/profile/${handle}`, 2)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['captured', 'creditsCharged', 'maxDepth', 'posts'])
    expect(body).toMatchObject({ captured: false, creditsCharged: 2, maxDepth: 60 })
    expect(body.posts.map((post: { postedAt: string }) => post.postedAt)).toEqual([day(3), day(2)])
    for (const post of body.posts) expect(Object.keys(post).sort()).toEqual(fields)
    expect(body.posts[0]).toMatchObject({
      text: 'newest',
      contentType: 'IMAGE',
      totalReactionCount: 4,
      commentsCount: 2,
      author: { name: 'Ada Author', headline: 'Writes' },
    })
    expect(body.posts[0].urn).toMatch(/^urn:li:activity:\d+$/)
    expect(body.posts[1].text).toBeNull()
    expect(await team.balance()).toBe(98)
  })

  it('fewer posts than asked for are charged as returned, over several vendor pages, each once [UPR-08, CRD-25]', async () => {
    const team = await world.team({ credits: 100 })
    const twelve = author(12)
    const { body } = await read(team, `/profile/${twelve}`, 60)
    expect(body.posts).toHaveLength(12)
    expect(body.creditsCharged).toBe(12)
    expect(await team.balance()).toBe(88)
    const many = await read(team, `/profile/${author(58)}`, 57)
    expect(new Set(many.body.posts.map((post: { urn: string }) => post.urn)).size).toBe(57)
    expect(await team.balance()).toBe(31)
    const usage = await team.get('/credits/usage')
    expect(usage.body.bySource).toEqual([{ sourceId: null, type: 'posts_read', label: null, credits: 69 }])
  })

  it('a vendor page that shows posts again is gone beyond: as many different posts as asked for [UPR-08, CRD-25]', async () => {
    const [team, handle] = [await world.team({ credits: 100 }), world.handle('author')]
    const posts = Array.from({ length: 120 }, (_, at) => ({
      postedAt: new Date(Date.UTC(2026, 10, 1, at)).toISOString(),
      text: `post ${at}`,
    }))
    world.network.seedPerson({ handle, posts })
    // Five posts of the second page are new; the others were on the first.
    world.network.fault({
      kind: 'shift_page',
      rows: 45,
      operation: 'profile-posts',
      match: { profilePublicIdentifier: handle },
    })
    const { body } = await read(team, `/profile/${handle}`, 60)
    world.network.clearFaults()
    expect([new Set(body.posts.map(({ urn }: { urn: string }) => urn)).size, body.creditsCharged]).toEqual([60, 60])
    expect(await team.balance()).toBe(40)
  })

  it('an author without posts is an empty answer that costs nothing [UPR-09]', async () => {
    const team = await world.team({ credits: 100 })
    const { status, body } = await read(team, `/profile/${author(0)}`, 10)
    expect([status, body.posts, body.creditsCharged]).toEqual([200, [], 0])
    expect(await team.balance()).toBe(100)
  })

  it('reads a tracked handle too, and a company by slug or address; writes no source, sync or lead [UPR-01, UPR-04, UPR-14]', async () => {
    const [team, slug] = [await world.team({ credits: 1_000 }), world.handle('acme')]
    world.network.seedCompany({ slug, name: 'Acme', posts: [{ postedAt: day(2), text: 'hello', reactions: 3 }] })
    const before = await snapshot(world.database.pool, [
      'credit_account',
      'credit_entry',
      'vendor_slot',
      'vendor_limit',
    ])
    const bySlug = await read(team, `/company/${slug}`, 5)
    const byUrl = await read(
      team,
      `/company/${encodeURIComponent(`https://www.linkedin.com/company/${slug}/posts/`)}`,
      5,
    )
    expect([bySlug.status, byUrl.status]).toEqual([200, 200])
    expect(byUrl.body.posts).toEqual(bySlug.body.posts)
    expect(bySlug.body.posts[0]).toMatchObject({ text: 'hello', author: { name: 'Acme' } })
    expect(
      await snapshot(world.database.pool, ['credit_account', 'credit_entry', 'vendor_slot', 'vendor_limit']),
    ).toEqual(before)
    expect((await team.get('/sources')).body.sources).toEqual([])
    expect((await team.get('/leads')).body.total).toBe(0)
    const tracked = author(2)
    await team.post('/enrich/profile', { username: tracked, saveTrackedProfile: true })
    await world.drain()
    expect((await read(team, `/profile/${tracked}`, 5)).body.creditsCharged).toBe(2)
  })

  it('the same request id twice is two reads, each charged', async () => {
    const team = await world.team({ credits: 100 })
    const handle = author(3)
    for (const left of [97, 94]) {
      const { body } = await team.get(`/profile/${handle}/posts?posts=3&confirmSpend=true`, {
        headers: { 'x-request-id': 'always-the-same' },
      })
      expect(body.creditsCharged).toBe(3)
      expect(await team.balance()).toBe(left)
    }
  })
})

describe('what a read refuses', () => {
  it('without a yes it is 409 with the quote, and nothing is done; with the yes it goes through [UPR-05, SPD-12, ERR-17]', async () => {
    const team = await world.team({ credits: 100 })
    const handle = author(3)
    const [before, called] = [await snapshot(world.database.pool), calls()]
    for (const no of ['', '&confirmSpend=false']) {
      const { status, body } = await read(team, `/profile/${handle}`, 7, no)
      expect(status).toBe(409)
      expect(body).toMatchObject({ code: 'spend_confirmation_required', estimatedCredits: 7, remainingBalance: 100 })
    }
    expect((await read(team, `/profile/${handle}`, 7, '&confirmSpend=1')).status).toBe(400)
    expect(await snapshot(world.database.pool)).toEqual(before)
    expect(calls()).toBe(called)
    expect((await read(team, `/profile/${handle}`, 7)).status).toBe(200)
  })

  it('a balance too small is 402 naming both numbers, after the quote; the last credit may be taken [UPR-06, ERR-12, RAT-14, CRD-25]', async () => {
    const team = await world.team({ credits: 4 })
    const handle = author(4)
    expect((await read(team, `/profile/${handle}`, 5, '')).body).toMatchObject({
      code: 'spend_confirmation_required',
      estimatedCredits: 5,
      remainingBalance: 4,
    })
    const [before, called] = [await snapshot(world.database.pool), calls()]
    const { status, body } = await read(team, `/profile/${handle}`, 5)
    expect(status).toBe(402)
    expect(body).toMatchObject({ code: 'insufficient_enriching_credits', estimatedCredits: 5, remainingBalance: 4 })
    expect(body.error).toMatch(/\b5\b.*\b4\b/)
    expect(calls()).toBe(called)
    expect(await snapshot(world.database.pool)).toEqual(before)
    expect((await read(team, `/profile/${handle}`, 4)).body.creditsCharged).toBe(4)
    expect(await team.balance()).toBe(0)
  })

  it('an unknown handle is 404 and costs nothing', async () => {
    const team = await world.team({ credits: 100 })
    for (const path of ['/profile/nobody-here', '/company/nobody-here']) {
      const { status, body } = await read(team, path, 5)
      expect([status, body.code]).toEqual([404, undefined])
    }
    expect(await holds()).toEqual([])
    expect(await team.balance()).toBe(100)
  })

  it.each(['status_500', 'truncated_json', 'reset'] as const)(
    'a provider that answers with %s is 502 with its own code, and nothing is charged [UPR-13]',
    async (kind) => {
      const team = await world.team({ credits: 100 })
      world.network.fault({ kind })
      const { status, body } = await read(team, `/profile/${author(3)}`, 5)
      expect([status, body.code]).toEqual([502, 'provider_unavailable'])
      expect(await holds()).toEqual([])
      expect(await team.balance()).toBe(100)
    },
  )

  it('a later vendor page that fails fails the whole read: no partial answer is charged [UPR-13]', async () => {
    const team = await world.team({ credits: 100 })
    const handle = author(58)
    world.network.fault({ kind: 'status_500', operation: 'profile-posts', match: { page: 2 } })
    const { status } = await read(team, `/profile/${handle}`, 57)
    expect(status).toBe(502)
    expect(await team.balance()).toBe(100)
  })
})

describe('hold and settle', () => {
  it('credits are held while the network is read, so that two reads at once cannot spend the same ones [UPR-06]', async () => {
    const team = await world.team({ credits: 10 })
    const handle = author(3)
    world.network.hold({ match: { profilePublicIdentifier: handle } })
    const first = read(team, `/profile/${handle}`, 8)
    await world.network.untilWaiting(1, { match: { profilePublicIdentifier: handle } })
    expect(await team.balance()).toBe(2)
    const second = await read(team, `/profile/${handle}`, 8)
    expect([second.status, second.body.remainingBalance]).toEqual([402, 2])
    world.network.release()
    expect((await first).body.creditsCharged).toBe(3)
    expect(await team.balance()).toBe(7)
  })

  it.each([
    ['settled', 3, 7],
    ['given back', 0, 10],
  ] as const)(
    'a read over a renewal is %s of the new month, and nothing of the old one stays [CRD-02, UPR-06]',
    async (how, used, left) => {
      const team = await world.team({ credits: 10 })
      const handle = author(3)
      world.network.hold({ match: { profilePublicIdentifier: handle } })
      const { nextReset } = (await team.get('/credits')).body
      const moveTo = (to: string) => world.operator('POST', '/operator/clock', { to })
      await moveTo(new Date(Date.parse(nextReset) - 60_000).toISOString())
      const under = read(team, `/profile/${handle}`, 8)
      await world.network.untilWaiting(1, { match: { profilePublicIdentifier: handle } })
      await moveTo(nextReset)
      await world.tick()
      expect((await team.get('/credits')).body).toMatchObject({ balance: 2, used: 0, remaining: 10 })
      if (how === 'given back') await world.arm('posts-read.fetched')
      world.network.release()
      expect((await under).status).toBe(how === 'settled' ? 200 : 500)
      if (how === 'given back') await world.advance('5m')
      expect((await team.get('/credits')).body).toMatchObject({ balance: left, used, remaining: left })
      await world.advance('31d')
      expect(await team.balance()).toBe(10)
    },
  )

  it('a process that dies between reading and settling costs the customer nothing: the hold runs out after five minutes', async () => {
    const team = await world.team({ credits: 10 })
    await world.arm('posts-read.fetched')
    expect((await read(team, `/profile/${author(3)}`, 8)).status).toBe(500)
    expect(await team.balance()).toBe(2)
    await world.advance('299s')
    expect(await team.balance()).toBe(2)
    await world.advance('1s')
    expect(await team.balance()).toBe(10)
    expect(await holds()).toEqual([])
  })

  it('a read that fails when it settles gives its hold back at once, so that whoever repeats it can [UPR-06]', async () => {
    const team = await world.team({ credits: 10 })
    const handle = author(8)
    await world.arm('handler')
    expect((await read(team, `/profile/${handle}`, 8)).status).toBe(500)
    expect([await team.balance(), await holds()]).toEqual([10, []])
    expect((await read(team, `/profile/${handle}`, 8)).body.creditsCharged).toBe(8)
    expect(await team.balance()).toBe(2)
  })

  it('a read that takes longer than its hold is paid from what is left, or not answered at all', async () => {
    const slow = async (credits: number) => {
      const team = await world.team({ credits })
      const handle = author(3)
      world.network.hold({ match: { profilePublicIdentifier: handle } })
      const under = read(team, `/profile/${handle}`, 3)
      await world.network.untilWaiting(1, { match: { profilePublicIdentifier: handle } })
      await world.advance('6m')
      return { team, under }
    }
    const paid = await slow(10)
    world.network.release()
    expect((await paid.under).body.creditsCharged).toBe(3)
    expect(await paid.team.balance()).toBe(7)
    const spent = await slow(3)
    const meanwhile = await spent.team.change({ credits: 1 })
    expect(meanwhile.status).toBe(200)
    world.network.release()
    expect((await spent.under).status).toBe(402)
    expect(await spent.team.balance()).toBe(1)
  })

  it('many reads at once charge exactly what they return', async () => {
    const team = await world.team({ credits: 20 })
    const handle = author(3)
    const answers = await Promise.all(Array.from({ length: 9 }, () => read(team, `/profile/${handle}`, 5)))
    const charged = answers
      .filter((answer) => answer.status === 200)
      .reduce((sum, answer) => sum + answer.body.creditsCharged, 0)
    expect(answers.filter((answer) => answer.status !== 200 && answer.status !== 402)).toEqual([])
    expect(charged).toBeGreaterThan(0)
    expect(await team.balance()).toBe(20 - charged)
  })
})

describe('the window of ten', () => {
  const shown = ({ headers }: Answer) =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)))

  it('both routes share ten calls a minute, shown on their answers, refused calls included [RAT-06, RAT-07, RAT-18]', async () => {
    const team = await world.team({ credits: 100, limits: { reads: 120, writes: 60 } })
    const other = await world.team({ credits: 100 })
    for (let call = 1; call <= 10; call += 1) {
      const answer = await read(team, call % 2 === 0 ? '/profile/jane' : '/company/acme', 5, '')
      expect(answer.status).toBe(409)
      expect(shown(answer).slice(0, 2)).toEqual([10, 10 - call])
    }
    for (const path of ['/profile/jane', '/company/acme']) {
      const { status, body, headers } = await read(team, path, 5)
      expect([status, body.code]).toEqual([429, 'rate_limited'])
      expect(headers.get('retry-after')).toBe('60')
      expect(shown({ headers } as Answer).slice(0, 2)).toEqual([10, 0])
    }
    const credits = await team.get('/credits')
    expect(credits.status).toBe(200)
    // Ten posts reads and this request: refusals of the narrower window do not count here.
    expect(shown(credits).slice(0, 2)).toEqual([120, 109])
    expect((await read(other, '/profile/jane', 5, '')).status).toBe(409)
    await world.move('60s')
    expect((await read(team, '/profile/jane', 5, '')).status).toBe(409)
  })

  it('a call that the wide window refuses is not counted in the narrow one [RAT-18]', async () => {
    const team = await world.team({ credits: 100, limits: { reads: 3, writes: 60, untrackedPosts: 10 } })
    for (let call = 0; call < 3; call += 1) await team.get('/credits')
    const refused = await read(team, '/profile/jane', 5, '')
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(shown(refused).slice(0, 2)).toEqual([3, 0])
    const { rows } = await world.database.pool.query(
      `select used from rate_window where team_id = $1 and bucket = 'untrackedPosts'`,
      [team.id],
    )
    expect(rows).toEqual([{ used: 0 }])
  })

  it('the limit can be raised for a team, and ten calls at once are exactly ten [RAT-06]', async () => {
    const raised = await world.team({ credits: 100, limits: { reads: 120, writes: 60, untrackedPosts: 12 } })
    expect(shown(await read(raised, '/profile/jane', 5, '')).slice(0, 2)).toEqual([12, 11])
    const team = await world.team({ credits: 100 })
    const answers = await Promise.all(Array.from({ length: 16 }, () => read(team, '/company/acme', 5, '')))
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(10)
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(6)
  })

  it('a key is asked for before anything else, and other methods on the path count as writes [UPR-14]', async () => {
    const team = await world.team({ credits: 100, limits: { reads: 120, writes: 60 } })
    const anonymous = await team.get('/profile/jane/posts?posts=5', { key: null })
    expect([anonymous.status, shown(anonymous).slice(0, 2)]).toEqual([401, [120, 120]])
    const wrong = await team.post('/profile/jane/posts', {})
    expect([wrong.status, wrong.body.allowed, shown(wrong)[0]]).toEqual([405, ['GET'], 60])
  })
})
