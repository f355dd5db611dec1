import { beforeAll, describe, expect, it } from 'vitest'
import { leadsOf, refusedWithoutTrace, sourceOf, sourcesOf } from '../world/tracking.ts'
import { useWorld, type Team } from '../world/world.ts'

const world = useWorld({ config: { roles: ['http'] } })

const share = (id: string): string => String(BigInt(id) - (89n << 22n))
const names = (id: string) => ({
  activity: `urn:li:activity:${id}`,
  ugcPost: `urn:li:ugcPost:${share(id)}`,
  feed: `https://www.linkedin.com/feed/update/urn:li:activity:${id}/`,
  permalink:
    `https://www.linkedin.com/posts/jane-doe_top-activity-5-market-share-2024-activity-${id}-Xy_9?` +
    'utm_source=share&utm_medium=member_desktop',
})

function seeded(more: Record<string, unknown> = {}) {
  const author = world.handle('author')
  const fans = [world.handle('fan'), world.handle('fan'), world.handle('fan')]
  const post = world.network.seedPost({
    author,
    reactions: fans.map((person) => ({ person })),
    comments: [{ person: fans[0]!, text: 'Yes' }],
    ...more,
  })
  return { author, fans, id: post.id, ...names(post.id) }
}
type Seeded = ReturnType<typeof seeded>

const trackPost = (team: Team, postUrl: unknown, more: Record<string, unknown> = {}) =>
  team.post('/post/track', { postUrl, ...more })
const newTeam = () => world.team({ credits: 100 })
/** One team gets all refusals, because they change nothing. */
let refusedTeam: Team
beforeAll(async () => {
  refusedTeam = await newTeam()
})
const synced = (body: { syncId: string | null }) => expect(body.syncId).toMatch(/^[0-9a-f-]{36}$/)

describe('a post is tracked by', () => {
  const forms: [string, (post: Seeded) => string][] = [
    ['its feed-update address [POS-02]', ({ feed }) => feed],
    ['its share-menu permalink [POS-03]', ({ permalink }) => permalink],
    ['its bare activity URN [POS-04]', ({ activity }) => activity],
    ['its bare ugcPost URN [POS-04, POS-09]', ({ ugcPost }) => ugcPost],
    ['its bare URN between blanks, which are kept [POS-04, POS-10]', ({ activity }) => ` ${activity}\n`],
  ]
  it.each(forms)(
    '%s: 201 with the activity URN, the address as submitted and a sync [POS-08, POS-09, POS-10, POS-26, TRK-42]',
    async (_title, form) => {
      const team = await newTeam()
      const post = seeded()
      const postUrl = form(post)
      const { status, body } = await trackPost(team, postUrl)
      expect([status, body]).toEqual([201, { postUrn: post.activity, postUrl, syncId: body.syncId }])
      synced(body)
      const sources = await sourcesOf(team)
      expect(sources).toMatchObject([
        {
          sourceId: sources[0].id,
          type: 'post',
          username: post.activity,
          postUrl,
          status: 'active',
          mode: 'engagers',
          postsPerSync: null,
          creditCapPerSync: null,
          captureReplies: true,
          enrichLeads: true,
          firstSyncPosts: null,
          firstSyncDays: null,
        },
      ])
      expect((await team.get('/sources?type=post')).body.total).toBe(1)
      expect((await team.get('/sources?type=person')).body.total).toBe(0)
    },
  )
})

describe('what names no post is 400 without a trace and without a call', () => {
  it('be it nothing, a share, a person, another address or a number [POS-01, POS-05, POS-07]', async () => {
    const id = '7395000000000000001'
    world.network.clearCalls()
    for (const postUrl of [
      ...[undefined, '', '   ', null, 5, []],
      `https://www.linkedin.com/feed/update/urn:li:share:${id}`,
      'https://www.linkedin.com/in/jane-doe',
      `https://example.com/feed/update/urn:li:activity:${id}`,
      id,
    ]) {
      const answer = await refusedWithoutTrace(world, () => trackPost(refusedTeam, postUrl))
      expect([answer.status, answer.body.code]).toEqual([400, undefined])
      expect(answer.body.error).toContain('`postUrl`')
    }
    expect(world.network.calls()).toEqual([])
  })

  it('creditCap is a renamed field, other unknown properties are ignored [POS-11, VER-13]', async () => {
    const team = await newTeam()
    const post = seeded()
    const answer = await refusedWithoutTrace(world, () => trackPost(team, post.activity, { creditCap: 5 }))
    expect([answer.status, answer.body.code]).toEqual([400, 'renamed_field'])
    expect((await refusedWithoutTrace(world, () => team.post('/post/track', { creditCap: 5 }))).body.code).toBe(
      'renamed_field',
    )
    expect((await trackPost(team, post.activity, { mode: 'posts_only', foo: 1 })).status).toBe(201)
    expect(await sourcesOf(team)).toMatchObject([{ mode: 'engagers' }])
  })

  it('settings that are none are 400 before the network is asked [POS-12]', async () => {
    const post = seeded()
    world.network.clearCalls()
    for (const more of [
      { creditCapPerSync: 0 },
      { creditCapPerSync: 2_147_483_648 },
      { creditCapPerSync: '5' },
      { captureReplies: null },
      { enrichLeads: 1 },
    ])
      expect((await refusedWithoutTrace(world, () => trackPost(refusedTeam, post.activity, more))).status).toBe(400)
    expect(world.network.calls()).toEqual([])
  })
})

describe('a post is verified first', () => {
  it('one that the network does not have is 400 and leaves no trace [POS-06, POS-07]', async () => {
    const team = await newTeam()
    const gone = seeded({ exists: false })
    for (const form of [gone.feed, gone.permalink, gone.activity, 'urn:li:activity:1', 'urn:li:ugcPost:1']) {
      const answer = await refusedWithoutTrace(world, () => trackPost(team, form))
      expect([answer.status, answer.body.code]).toEqual([400, undefined])
    }
    expect(await sourcesOf(team)).toEqual([])
  })

  it.each(['status_503', 'html_200'] as const)(
    'a network that does not say (%s) is 503 post_resolve_failed and leaves no trace; the same request works later [POS-18, ERR-25]',
    async (kind) => {
      const team = await newTeam()
      const post = seeded()
      world.network.fault({ kind, operation: 'post' })
      world.network.fault({ kind, vendor: 'linkdapi' })
      const answer = await refusedWithoutTrace(world, () => trackPost(team, post.feed))
      expect([answer.status, answer.body.code]).toEqual([503, 'post_resolve_failed'])
      expect(await sourcesOf(team)).toEqual([])
      world.network.clearFaults()
      expect((await trackPost(team, post.feed)).status).toBe(201)
    },
  )

  it('the fallback verifies when the primary does not answer [POS-06]', async () => {
    const team = await newTeam()
    const post = seeded()
    world.network.fault({ kind: 'status_503', vendor: 'harvestapi' })
    const { status, body } = await trackPost(team, post.feed)
    expect([status, body.postUrn]).toEqual([201, post.activity])
  })
})

describe('the settings of a tracked post', () => {
  it('are echoed only when named, null counting as named [POS-11, POS-12]', async () => {
    const team = await newTeam()
    const cases: Record<string, unknown>[] = [
      {},
      { creditCapPerSync: 1 },
      { creditCapPerSync: 2_147_483_647 },
      { creditCapPerSync: null },
      { captureReplies: false },
      { enrichLeads: false },
      { creditCapPerSync: 3, captureReplies: true, enrichLeads: true },
    ]
    for (const named of cases) {
      const post = seeded()
      const { body } = await trackPost(team, post.activity, named)
      const { postUrn: _urn, postUrl: _url, syncId: _sync, ...echoes } = body
      expect(echoes).toEqual(named)
      expect(await sourceOf(team, post.activity)).toMatchObject(named)
    }
  })

  it('change when it is tracked again in any form, which starts no new capture once synced [POS-13, POS-14, POS-16]', async () => {
    const team = await newTeam()
    const post = seeded()
    const first = (await trackPost(team, post.permalink, { creditCapPerSync: 50 })).body
    const again = (await trackPost(team, post.activity, { captureReplies: false })).body
    expect([again.syncId, again.syncNotQueuedReason]).toEqual([first.syncId, undefined])
    await world.drain()
    const { rows: runs } = await world.database.pool.query('select id from sync where team_id = $1', [team.id])
    for (const form of [post.ugcPost, post.feed, post.permalink, post.activity]) {
      const { status, body } = await trackPost(team, form, { enrichLeads: false })
      expect([status, body]).toEqual([
        201,
        {
          postUrn: post.activity,
          postUrl: form,
          syncId: null,
          syncNotQueuedReason: body.syncNotQueuedReason,
          enrichLeads: false,
        },
      ])
      expect(typeof body.syncNotQueuedReason).toBe('string')
    }
    await world.drain()
    expect(await sourcesOf(team)).toMatchObject([
      {
        username: post.activity,
        creditCapPerSync: 50,
        captureReplies: false,
        enrichLeads: false,
        postUrl: post.activity,
      },
    ])
    expect((await world.database.pool.query('select id from sync where team_id = $1', [team.id])).rows).toEqual(runs)
  })

  it('simultaneous first tracks of one post through different forms make one source with one sync [POS-14]', async () => {
    const team = await newTeam()
    const post = seeded()
    const answers = await Promise.all(
      [post.activity, post.ugcPost, post.feed, post.permalink].map((form) => trackPost(team, form)),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.syncId)).size).toBe(1)
    expect(await sourcesOf(team)).toHaveLength(1)
  })

  it('on a plan without capture it is tracked and not swept [POS-16]', async () => {
    const team = await world.team({ credits: 100, captureAllowed: false })
    const post = seeded()
    const { status, body } = await trackPost(team, post.activity)
    expect([status, body.syncId, typeof body.syncNotQueuedReason]).toEqual([201, null, 'string'])
    await world.advance('25h')
    expect(await leadsOf(team, post.activity)).toEqual([])
    await team.change({ captureAllowed: true })
    await world.advance('1m')
    expect(await leadsOf(team, post.activity)).toHaveLength(4)
  })

  it('a team without a subscription is 403, and so is a trial that has ended [POS-17]', async () => {
    const post = seeded()
    for (const change of [{ status: 'expired' }, { status: 'trial', trialEndsAt: '2020-01-01T00:00:00.000Z' }]) {
      const team = await newTeam()
      await team.change(change)
      expect((await refusedWithoutTrace(world, () => trackPost(team, post.activity))).status).toBe(403)
    }
  })
})

describe('a sync of a tracked post', () => {
  it('captures everyone on that one post, replies as set, and no other post of the author [POS-08, TRK-45, SYN-02]', async () => {
    const team = await newTeam()
    const author = world.handle('author')
    const [ann, ben, cat] = [world.handle('ann'), world.handle('ben'), world.handle('cat')]
    const seed = {
      author,
      reactions: [{ person: ann }, { person: author }, { person: { company: 'acme' } }],
      comments: [{ person: ben, text: 'Top', replies: [{ person: cat, text: 'Reply' }] }],
    }
    const post = names(world.network.seedPost(seed).id)
    world.network.seedPost({ author, reactions: 30, comments: [] })
    await trackPost(team, post.feed)
    await world.drain()
    expect(
      (await leadsOf(team, post.activity))
        .map(
          (lead) =>
            `${lead.engagementType} ${lead.commentText} ${lead.sourceKind} ${lead.postUrn === post.activity} ${lead.enrichmentStatus}`,
        )
        .sort(),
    ).toEqual(['Comment Reply post true completed', 'Comment Top post true completed', 'Like null post true completed'])
    expect((await team.get('/leads?sourceKind=post')).body.total).toBe(3)
    const [source] = await sourcesOf(team)
    expect((await team.get(`/sources/${source.id}/sync`)).body).toMatchObject({
      state: 'completed',
      type: 'post',
      username: post.activity,
      stoppedBy: 'exhausted',
      progress: { postsTotal: 1, postsProcessed: 1 },
      capture: { creditsSpent: 3, leadRowsCaptured: 3 },
    })
    expect(await team.balance()).toBe(97)

    const quiet = names(world.network.seedPost(seed).id)
    await trackPost(team, quiet.feed, { captureReplies: false })
    await world.drain()
    expect((await leadsOf(team, quiet.activity)).map((lead) => lead.commentText).sort()).toEqual(['Top', null])
  })

  it('reads the post again daily; new people are charged once, cap and raw mode bind as everywhere [POS-25, CRD-13, RAW-06]', async () => {
    const team = await newTeam()
    const { author, id, activity, fans } = seeded()
    await trackPost(team, activity, { creditCapPerSync: 2 })
    await world.drain()
    const [source] = await sourcesOf(team)
    const status = async () => (await team.get(`/sources/${source.id}/sync`)).body
    expect(await status()).toMatchObject({ stoppedBy: 'credit_cap', capture: { leadRowsCaptured: 2, creditsSpent: 2 } })
    await world.advance('25h')
    expect(await status()).toMatchObject({ stoppedBy: 'exhausted', capture: { leadRowsCaptured: 2, creditsSpent: 1 } })
    expect(await team.balance()).toBe(97)
    const late = world.handle('late')
    world.network.seedPost({
      author,
      id,
      reactions: [...fans, late].map((person) => ({ person })),
      comments: [{ person: fans[0]!, text: 'Yes' }],
    })
    await trackPost(team, activity, { enrichLeads: false, creditCapPerSync: null })
    const manual = await team.post(`/sources/${source.id}/sync`)
    expect([manual.status, manual.body.queued]).toEqual([200, true])
    expect((await team.post(`/sources/${source.id}/sync`)).body).toMatchObject({
      queued: false,
      syncId: manual.body.syncId,
    })
    await world.drain()
    expect(await status()).toMatchObject({
      syncId: manual.body.syncId,
      capture: { leadRowsCaptured: 1, creditsSpent: 1 },
    })
    expect((await team.get(`/leads/raw?profileId=${source.id}`)).body.leads).toHaveLength(1)
    expect(await team.balance()).toBe(96)
  })

  it('of a post that has been taken down meanwhile fails and keeps what there is [POS-13, SYN-23]', async () => {
    const team = await newTeam()
    const post = seeded()
    await trackPost(team, post.activity)
    await world.drain()
    world.network.seedPost({ author: post.author, id: post.id, exists: false })
    await world.advance('25h')
    const [source] = await sourcesOf(team)
    expect((await team.get(`/sources/${source.id}/sync`)).body).toMatchObject({
      state: 'failed',
      errorCode: 'provider_error',
      error: 'The network has no such post any more',
      capture: { stoppedBy: null, creditsSpent: 0, leadRowsCaptured: 0 },
    })
    expect(await leadsOf(team, post.activity)).toHaveLength(4)
  })
})

describe('a tracked post is untracked', () => {
  it.each([
    ['its activity URN with raw colons', (post: Seeded) => post.activity],
    ['its ugcPost URN, encoded', (post: Seeded) => encodeURIComponent(post.ugcPost)],
  ])('by %s, whichever it was tracked by [POS-19, POS-20, POS-23, TRK-35]', async (_title, form) => {
    for (const by of ['activity', 'ugcPost', 'feed'] as const) {
      const team = await newTeam()
      const post = seeded()
      await trackPost(team, post[by])
      const { status, body } = await team.del(`/post/${form(post)}`)
      expect([status, body]).toEqual([200, { ok: true, username: post.activity, profileType: 'post', untracked: true }])
      expect(await sourceOf(team, post.activity)).toMatchObject({ status: 'inactive' })
      expect((await team.del(`/post/${form(post)}`)).status).toBe(404)
    }
  })

  it('by what is no URN of a post is 400 [POS-21]', async () => {
    const address = encodeURIComponent('https://www.linkedin.com/feed/update/urn:li:activity:7395000000000000001')
    for (const value of [
      'abc',
      'urn:li:share:7395000000000000001',
      'urn:li:activity:x',
      '7395000000000000001',
      address,
    ]) {
      const answer = await refusedWithoutTrace(world, () => refusedTeam.del(`/post/${value}`))
      expect([answer.status, answer.body.code], value).toEqual([400, undefined])
    }
  })

  it('by another team, or as a person or company, it is 404 and stays [POS-23]', async () => {
    const [team, stranger] = [await newTeam(), await newTeam()]
    const post = seeded()
    await trackPost(team, post.ugcPost)
    for (const urn of [post.activity, post.ugcPost, 'urn:li:activity:1'])
      expect((await refusedWithoutTrace(world, () => stranger.del(`/post/${urn}`))).status).toBe(404)
    expect((await team.del(`/profile/${encodeURIComponent(post.activity)}`)).status).toBe(400)
    expect(await sourceOf(team, post.activity)).toMatchObject({ status: 'active' })
    // Two teams track the same post independently.
    expect((await trackPost(stranger, post.activity)).status).toBe(201)
    expect((await team.del(`/post/${post.activity}`)).status).toBe(200)
    expect(await sourceOf(stranger, post.activity)).toMatchObject({ status: 'active' })
  })

  it('its leads are then inactive; tracked in another form it is captured afresh, not charged again [POS-15, POS-24, TRK-36..TRK-38]', async () => {
    const team = await newTeam()
    const post = seeded()
    const first = (await trackPost(team, post.feed)).body.syncId
    await world.drain()
    const [source] = await sourcesOf(team)
    await team.del(`/post/${post.ugcPost}`)
    expect((await team.get('/leads')).body.total).toBe(0)
    for (const list of ['leads', 'engagers']) {
      const scope = `/${list}?username=${post.activity}`
      expect((await team.get(scope)).status).toBe(404)
      expect((await team.get(`${scope}&includeInactive=true`)).body.total).toBe(list === 'leads' ? 4 : 3)
    }
    expect((await team.get(`/sources/${source.id}/webhook`)).status).toBe(404)
    expect((await team.post(`/sources/${source.id}/sync`)).status).toBe(404)

    const { status, body } = await trackPost(team, post.ugcPost)
    expect([status, body.postUrn, body.syncNotQueuedReason]).toEqual([201, post.activity, undefined])
    synced(body)
    expect(body.syncId).not.toBe(first)
    expect(await sourceOf(team, post.activity)).toMatchObject({ id: source.id, status: 'active' })
    expect((await team.get(`/leads?profileId=${source.id}`)).body.total).toBe(4)
    await world.drain()
    expect((await team.get(`/sources/${source.id}/sync`)).body).toMatchObject({
      syncId: body.syncId,
      state: 'completed',
      capture: { creditsSpent: 0 },
    })
    expect(await team.balance()).toBe(97)
  })

  it('a trial cannot untrack it; after subscribing it can [POS-22, AUT-12, AUT-13, AUT-14]', async () => {
    const team = await world.team({ status: 'trial', credits: 50 })
    const post = seeded()
    await trackPost(team, post.activity)
    const refused = await refusedWithoutTrace(world, () => team.del(`/post/${post.activity}`))
    expect([refused.status, refused.body.code]).toEqual([403, undefined])
    expect((await team.del('/post/urn:li:activity:1')).status).toBe(404)
    await team.change({ status: 'active' })
    expect((await team.del(`/post/${post.activity}`)).status).toBe(200)
  })
})
