/** Whom a run of a keyword search captures: engagers, authors, or both, post by post or in turns. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useWorld, drainOnlyUnlessLongRun } from '../world/world.ts'
import {
  memberId,
  onlySeeded,
  rowOf,
  rowsOf,
  run,
  runAgain,
  search,
  seedFans,
  topic,
  urn,
} from './keyword-run-stage.ts'
import { likes, people } from './sync-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })
beforeAll(() => onlySeeded(world))

const reactionPages = (id: string) =>
  world.network
    .calls({ vendor: 'harvestapi', operation: 'post-reactions' })
    .filter((call) => JSON.stringify(call.query).includes(id)).length

describe('authors', () => {
  it(
    'are captured alone when nobody wants the engagers: one lead row a post, one charge a person, and no ' +
      'engagement is asked for [KRN-04..KRN-06, CRD-21, CRD-22]',
    async () => {
      const [team, word] = [await world.team(), topic(world)]
      const [ann, ben] = people(world, 2, 'author')
      for (const author of [ann!, ann!, ben!, { company: world.handle('page') }])
        world.network.seedPost({ author, text: word, reactions: likes(people(world, 3)), comments: [] })
      world.network.clearCalls()
      const row = await run(world, team, {
        keyword: word,
        captureEngagers: false,
        capturePostAuthors: true,
        enrichLeads: true,
      })
      expect(row.lastRun).toMatchObject({
        stoppedBy: 'exhausted',
        creditsSpent: 2,
        postsKept: 4,
        postAuthorsCaptured: 3,
        companyAuthorsSkipped: 1,
        engagersSeen: 0,
      })
      expect(world.network.calls({ vendor: 'harvestapi', operation: 'post-reactions' })).toEqual([])
      const { leads } = (await team.get(`/leads?profileId=${row.id}&engagementType=Author`)).body
      expect(leads.map((lead: { postUrn: string; linkedinUrl: string }) => lead.postUrn).length).toBe(3)
      expect(leads[0]).toMatchObject({
        engagementType: 'Author',
        sourceKind: 'keyword',
        commentText: null,
        commentPostedAt: null,
        postPostedAt: expect.any(String),
        enrichmentStatus: 'completed',
      })
      expect(new Set((await rowsOf(world, team, row.id)).map((each) => each.person_urn))).toEqual(
        new Set([memberId(world, ann!), memberId(world, ben!)]),
      )
      const again = await runAgain(world, team, row.id)
      expect(again.lastRun).toMatchObject({ creditsSpent: 0, postAuthorsCaptured: 0, companyAuthorsSkipped: 1 })
    },
  )

  it('come before the engagers of their post, are charged once, and gain nothing by engaging on it [KRN-04, KRN-05, CRD-21]', async () => {
    const [team, word] = [await world.team(), topic(world)]
    const [ann, ben, fan] = people(world, 3, 'author')
    const first = world.network.seedPost({
      author: ann!,
      text: word,
      reactions: likes([ann!, ben!, fan!]),
      comments: [],
    })
    const second = world.network.seedPost({
      author: ben!,
      text: word,
      reactions: likes([ann!]),
      comments: [{ person: ben!, text: 'My own' }],
    })
    const row = await run(world, team, { keyword: word, capturePostAuthors: true })
    expect(row.lastRun).toMatchObject({ creditsSpent: 3, postAuthorsCaptured: 2, companyAuthorsSkipped: 0 })
    const rows = (await rowsOf(world, team, row.id))
      .map((each) => [each.post_urn, each.engagement_type, each.person_urn].join(' '))
      .sort()
    const expected = [
      [first, 'Author', ann],
      [first, 'Like', ben],
      [first, 'Like', fan],
      [second, 'Author', ben],
      [second, 'Like', ann],
    ] as const
    expect(rows).toEqual(
      expected.map(([post, type, who]) => [urn(post.id), type, memberId(world, who!)].join(' ')).sort(),
    )
  })
})

it('depth works one post to its end before the next [KRN-07]', async () => {
  const [team, word] = [await world.team(), topic(world)]
  for (let post = 0; post < 3; post++) seedFans(world, word, 150)
  const row = await run(world, team, { keyword: word, creditCap: 250, captureMode: 'depth' })
  const perPost = Object.values(Object.groupBy(await rowsOf(world, team, row.id), ({ post_urn }) => post_urn))
  expect(perPost.map((rows) => rows!.length).sort((a, b) => b - a)).toEqual([150, 100])
  expect(row.lastRun.stoppedBy).toBe('credits')
})

describe('the pages of one post', () => {
  it('are bounded by creditCap: known people beyond it are not paged through, and the run says so [KRN-08, KRN-12]', async () => {
    const [team, word, small] = [await world.team(), topic(world), topic(world)]
    const popular = world.network.seedPost({
      author: world.handle('author'),
      text: word,
      reactions: likes(people(world, 450)),
      comments: [{ person: world.handle(), text: 'Seen' }],
    })
    const first = await run(world, team, { keyword: word, creditCap: 300 })
    expect(first.lastRun).toMatchObject({ stoppedBy: 'credits', creditsSpent: 300 })
    await team.call('PATCH', `/keyword/${first.id}`, { creditCap: 100 })
    world.network.clearCalls()
    const second = await runAgain(world, team, first.id)
    // It reads 200 of the 300 known people, and then the comments.
    expect([second.lastRun, reactionPages(popular.id)]).toMatchObject([
      { stoppedBy: 'exhausted', creditsSpent: 1, providerPageLimitReached: true, engagersSeen: 201 },
      2,
    ])
    world.network.seedPost({
      author: world.handle('author'),
      text: small,
      reactions: likes(people(world, 20)),
      comments: [],
    })
    expect((await run(world, team, { keyword: small, creditCap: 100 })).lastRun.providerPageLimitReached).toBe(false)
  })
})

describe('leads of a search', () => {
  it(
    'are enriched, listed by kind, judged and sent like any other, and their run is told to the webhook with its ' +
      'own ending [WHK-08, WHK-10, WHK-12, KEY-16, SYN-24]',
    async () => {
      const [team, word] = [await world.team(), topic(world)]
      const inbox = await world.inbox()
      const fans = people(world, 2)
      for (const handle of fans)
        world.network.seedPerson({ handle, company: world.handle('employer'), title: 'Engineer' })
      world.network.seedPost({ author: world.handle('author'), text: word, reactions: likes(fans), comments: [] })
      world.network.hold({ operation: 'post-search', match: { search: word } })
      const { id } = await search(team, { keyword: word, enrichLeads: true, creditCap: 1 })
      expect((await team.put(`/keyword/${id}/webhook`, { webhookUrl: inbox.url, syncEvents: true })).status).toBe(200)
      expect(
        (
          await team.put(`/keyword/${id}/icp`, {
            rules: [{ column: 'jobTitle', operator: 'contains', value: 'engineer' }],
          })
        ).status,
      ).toBe(200)
      world.network.release()
      await world.drain()
      const { leads } = (await team.get('/leads?sourceKind=keyword')).body
      expect(leads).toMatchObject([
        {
          sourceId: id,
          sourceKind: 'keyword',
          sourceLabel: word,
          enrichmentStatus: 'completed',
          isIcp: true,
          webhookStatus: 'sent',
        },
      ])
      const events = inbox.received.map(({ body }) => body)
      expect(events.map((event) => event.event).sort()).toEqual(['lead.detected', 'sync.completed'])
      expect(events.find((event) => event.event === 'lead.detected')).toMatchObject({
        source: { id, type: 'keyword' },
        lead: { company: expect.any(String) },
      })
      expect(events.find((event) => event.event === 'sync.completed').sync).toMatchObject({
        state: 'completed',
        stoppedBy: 'credits',
        creditsSpent: 1,
        leadRowsCaptured: 1,
      })
      expect((await team.del(`/keyword/${id}`)).status).toBe(200)
      expect((await team.get(`/leads?profileId=${id}`)).body.total).toBe(1)
      expect((await team.post(`/keyword/${id}/push`)).status).toBe(200)
      expect((await rowOf(team, id)).lastRun.stoppedBy).toBe('credits')
    },
  )
})
