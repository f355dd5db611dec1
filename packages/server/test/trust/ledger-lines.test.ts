/** What a run did not charge is in the ledger with the reason, and every sum is what was seen (LDG-01..LDG-04). */
import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun, type Team } from '../world/world.ts'
import { discover, seedWriters, topicOf } from '../scenarios/discover-stage.ts'
import { run, topic } from '../scenarios/keyword-run-stage.ts'
import {
  expireLeases,
  fastClock,
  leadsOf,
  likes,
  people,
  resweep,
  sourceOf,
  sweep,
  track,
  workThrough,
} from '../scenarios/sync-stage.ts'
import { expectSums, linesOf, summaryOf, tally } from './ledger-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: { system: fastClock } })
beforeAll(() => world.network.seedSearch({ generated: false }))

const company = { company: 'acme' } as const

/** One post on which people, a company page and the author react and comment. */
async function busyPost() {
  const [team, author] = [await world.team({ credits: 100 }), world.handle('author')]
  const [ann, ben, cat] = people(world, 3) as [string, string, string]
  const post = {
    author,
    reactions: [{ person: ann }, { person: ben }, { person: company }, { person: author }],
    comments: [
      { person: ann, text: 'Ann says' },
      { person: company, text: 'We say' },
      { person: author, text: 'Thank you', replies: [{ person: cat, text: 'Cat replies' }] },
    ],
  }
  world.network.seedPost(post)
  return { team, author, ann }
}

describe('the lines of a run', () => {
  it('say of every engagement what it came to: charged, another one of the same person, or a company page [LDG-01, LDG-02, LDG-03]', async () => {
    const { team, author, ann } = await busyPost()
    const { capture } = await sweep(world, team, author)
    const source = await sourceOf(team, author)
    const lines = await linesOf(team)
    expect(tally(lines)).toEqual({
      'charge new_person': 3,
      'free same_person_other_engagement': 1,
      'free company_author': 2,
      'grant opening': 1,
    })
    const leads = await leadsOf(team, author)
    const second = lines.find(({ reason }) => reason === 'same_person_other_engagement')
    expect(second).toMatchObject({
      credits: 0,
      count: 1,
      sourceId: source.id,
      syncId: capture.syncId ?? expect.any(String),
      dispute: null,
    })
    expect(leads.find(({ id }) => id === second.leadId)).toMatchObject({
      engagementType: 'Comment',
      linkedinUrl: second.person.linkedinUrl,
    })
    const charges = lines.filter(({ kind }) => kind === 'charge')
    expect(charges.map(({ credits }) => credits)).toEqual([-1, -1, -1])
    expect(charges.map(({ leadId }) => leads.find(({ id }) => id === leadId)?.linkedinUrl).sort()).toEqual(
      charges.map(({ person }) => person.linkedinUrl).sort(),
    )
    expect(charges.some(({ person }) => person.linkedinUrl.endsWith(ann))).toBe(true)
    expect(
      lines.filter(({ reason }) => reason === 'company_author').map(({ person, leadId }) => [person, leadId]),
    ).toEqual([
      [null, null],
      [null, null],
    ])
    await expectSums(team)
  })

  it('of the next run are all seen before, each with its lead, and cost nothing [LDG-02, LDG-03]', async () => {
    const { team, author } = await busyPost()
    await sweep(world, team, author)
    await world.advance('1h')
    await resweep(world, team, author)
    const [newest] = await linesOf(team, '&kind=free', 1)
    const again = await linesOf(team, `&syncId=${newest.syncId}`)
    expect(tally(again)).toEqual({ 'free seen_before': 4, 'free company_author': 2 })
    const leads = (await leadsOf(team, author)).map(({ id }) => id).sort()
    expect(again.flatMap(({ leadId }) => leadId ?? []).sort()).toEqual(leads)
    expect(new Set(again.map(({ id }) => id)).size).toBe(6)
    expect((await summaryOf(team, 'run'))[newest.syncId]).toMatchObject({
      label: author,
      seen: 6,
      charged: 0,
      free: { seen_before: 4, company_author: 2 },
      credits: 0,
    })
    await expectSums(team)
  })

  it('leave out what a cap kept out, which was not seen, and list it in the run that takes it [LDG-03]', async () => {
    const [team, author] = [await world.team({ credits: 100 }), world.handle('author')]
    world.network.seedPost({ author, reactions: [...likes(people(world, 3)), { person: company }], comments: [] })
    await sweep(world, team, author, { creditCapPerSync: 2 })
    expect(tally(await linesOf(team, '&kind=free'))).toEqual({})
    expect(Object.values(await summaryOf(team, 'run'))).toMatchObject([{ seen: 2, charged: 2 }])
    await world.advance('1m')
    await resweep(world, team, author)
    expect(Object.values(await summaryOf(team, 'run'))).toMatchObject([
      { seen: 4, charged: 1, free: { seen_before: 2, company_author: 1 } },
      { seen: 2 },
    ])
    await expectSums(team)
  })

  it.each(['shift_page', 'duplicate_page'] as const)(
    'count an engagement once however often pages show it (%s), in a first run and in one that has seen all [LDG-03]',
    async (kind) => {
      const [team, author] = [await world.team({ credits: 1_000 }), world.handle('author')]
      world.network.seedPost({ author, reactions: likes(people(world, 130)), comments: [] })
      world.network.fault({ kind, operation: 'post-reactions', times: 'infinite' })
      await sweep(world, team, author, { enrichLeads: false })
      await world.advance('1m')
      await resweep(world, team, author)
      world.network.clearFaults()
      const [second, first] = Object.values(await summaryOf(team, 'run'))
      expect(first.seen).toBe(first.charged)
      expect([second.seen, second.charged]).toEqual([first.charged, 0])
      await expectSums(team)
    },
  )

  it.each(['capture.charged', 'capture.after-commit'] as const)(
    'are the same for a run that was killed at %s, three times, and went on [LDG-03]',
    async (point) => {
      const [team, author] = [await world.team({ credits: 1_000 }), world.handle('author')]
      const fans = people(world, 130)
      const said = fans.slice(0, 9).map((person) => ({ person, text: 'So' }))
      world.network.seedPost({ author, reactions: likes(fans), comments: said })
      await track(team, author, { enrichLeads: false })
      await world.arm(point, 3)
      await workThrough(world, point, 3)
      await expireLeases(world)
      await world.drain()
      expect(Object.values(await summaryOf(team, 'run'))).toMatchObject([
        { seen: 139, charged: 130, free: { same_person_other_engagement: 9 }, credits: -130 },
      ])
      await expectSums(team)
    },
  )

  it('of a watch are posts: new ones charged, those listed again free [LDG-02, LDG-03]', async () => {
    const [team, author] = [await world.team({ credits: 100 }), world.handle('author')]
    for (let post = 0; post < 3; post++) world.network.seedPost({ author, reactions: 2, comments: 1 })
    await sweep(world, team, author, { mode: 'posts_only', postsPerSync: 5, confirmSpend: true })
    await resweep(world, team, author)
    expect(tally(await linesOf(team, '&kind=charge'))).toEqual({ 'charge new_post': 3 })
    expect(tally(await linesOf(team, '&kind=free'))).toEqual({ 'free post_seen_before': 3 })
    await expectSums(team)
  })

  it('of a search count company pages that write as free, their authors charged [LDG-02, LDG-03]', async () => {
    const [team, about] = [await world.team({ credits: 100 }), topic(world)]
    world.network.seedSearch({
      generated: false,
      posts: [
        { author: world.handle('writer'), text: `About ${about}`, reactions: likes(people(world, 1)), comments: [] },
        { author: company, text: `Also about ${about}`, reactions: [], comments: [] },
      ],
    })
    const { id } = await run(world, team, { keywords: [about], capturePostAuthors: true })
    expect(tally(await linesOf(team, `&sourceId=${id}`))).toEqual({ 'charge new_person': 2, 'free company_author': 1 })
    await expectSums(team)
  })
})

describe('lines of other kinds', () => {
  it('are people found by Discover, posts read, grants, top-ups and adjustments by their sign [LDG-01, LDG-02]', async () => {
    const [team, about] = [await world.team({ credits: 50 }), topicOf(world)]
    seedWriters(world, about, [{ engagements: [90] }, { engagements: [80] }])
    await discover(world, team, { keywords: [about], maxInfluencers: 5 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: 0, comments: 0 })
    expect((await team.get(`/profile/${author}/posts?posts=1&confirmSpend=true`)).status).toBe(200)
    await team.change({ grantCredits: 5 })
    await team.change({ credits: 60 })
    await team.change({ credits: 55 })
    const lines = await linesOf(team)
    expect(tally(lines)).toEqual({
      'grant opening': 1,
      'charge influencer': 2,
      'charge post_read': 1,
      'grant top_up': 1,
      'grant adjustment': 1,
      'lapse adjustment': 1,
    })
    expect(lines.filter(({ reason }) => reason === 'influencer').every(({ person, leadId }) => person && leadId)).toBe(
      true,
    )
    expect(tally(await linesOf(team, '&kind=grant'))).toEqual({
      'grant opening': 1,
      'grant top_up': 1,
      'grant adjustment': 1,
    })
    expect(tally(await linesOf(team, '&kind=lapse'))).toEqual({ 'lapse adjustment': 1 })
    await expectSums(team)
  })

  it('are enrichment on request: charged, for nothing, or failed; they are of no run [LDG-02]', async () => {
    const [team, author] = [await world.team({ credits: 50 }), world.handle('author')]
    const [gone, known] = people(world, 2) as [string, string]
    world.network.seedPerson({ handle: gone, name: 'Ada Example', exists: false })
    world.network.seedPost({ author, reactions: likes([gone, known]), comments: [] })
    await sweep(world, team, author)
    world.network.seedPerson({ handle: gone, name: 'Ada Example', title: 'Head of Growth', exists: true })
    const enrich = async (username: string) => {
      expect((await team.post('/enrich/profile', { username })).status).toBe(200)
      await world.drain()
    }
    await enrich(gone)
    await enrich(known)
    const ofNoRun = async () =>
      (await linesOf(team)).filter(({ syncId, kind }) => syncId === null && ['charge', 'free'].includes(kind))
    const lines = await ofNoRun()
    expect(tally(lines)).toEqual({ 'charge enrichment': 1, 'free already_enriched': 1 })
    const leads = await leadsOf(team, author)
    for (const { leadId, sourceId } of lines)
      expect([leads.some(({ id }) => id === leadId), sourceId]).toEqual([true, null])
    world.network.seedPerson({ handle: known, exists: false })
    await world.advance('40d')
    await enrich(known)
    expect(tally(await ofNoRun())).toEqual({
      'charge enrichment': 1,
      'free already_enriched': 1,
      'free enrichment_failed': 1,
    })
    await expectSums(team)
  })
})

describe('lists of lines', () => {
  it('are filtered by time, source, sync and kind, page by page without a gap [LDG-01]', async () => {
    const { team, author } = await busyPost()
    await sweep(world, team, author)
    await world.advance('2h')
    const since = (await world.now()).toISOString()
    await resweep(world, team, author)
    const all = await linesOf(team)
    expect(await linesOf(team, '', 1)).toEqual(all)
    expect(await linesOf(team, '', 4)).toEqual(all)
    expect((await linesOf(team, `&from=${since}`)).length).toBe(6)
    expect((await linesOf(team, `&to=${new Date(Date.parse(since) - 1).toISOString()}`)).length).toBe(7)
    expect(tally(await linesOf(team, `&sourceId=${(await sourceOf(team, author)).id}&kind=charge`))).toEqual({
      'charge new_person': 3,
    })
    const other = await world.team()
    expect((await linesOf(other)).length).toBe(1)
    expect((await linesOf(other, `&sourceId=${(await sourceOf(team, author)).id}`)).length).toBe(0)
  })

  it('refuse what means nothing [LDG-01]', async () => {
    const team = await world.team()
    for (const query of ['kind=spent', 'from=2026-11-02&to=2026-11-01', 'sourceId=x', 'limit=101', 'from=soon'])
      expect((await team.get(`/credits/ledger?${query}`)).status, query).toBe(400)
  })
})

describe('a run that is a week old', () => {
  const sums = async (team: Team) => [
    await summaryOf(team, 'run', '&from=2026-01-01'),
    await summaryOf(team, 'source', '&from=2026-01-01'),
    await summaryOf(team, 'day', '&from=2026-01-01'),
  ]
  it('has one line a reason, which counts; no sum changes, and charges stay line by line [LDG-04]', async () => {
    const { team, author } = await busyPost()
    await sweep(world, team, author)
    await team.del(`/profile/${author}`)
    const before = await sums(team)
    await world.advance('167h')
    expect((await linesOf(team, '&kind=free')).length).toBe(3)
    await world.advance('1h')
    const lines = await linesOf(team, '&kind=free')
    expect(lines.map(({ reason, count, person, leadId }) => [reason, count, person, leadId]).sort()).toEqual([
      ['company_author', 2, null, null],
      ['same_person_other_engagement', 1, null, null],
    ])
    expect(await sums(team)).toEqual(before)
    expect(tally(await linesOf(team, '&kind=charge'))).toEqual({ 'charge new_person': 3 })
    await expectSums(team)
  })
})
