import { describe, expect, it } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

type Raw = { id: string; name: string | null; action: string; detectedAt: string; sourceId: string }

async function rawSource(team: Team, settings: Record<string, unknown> = {}) {
  const [author, ann, ben, cat] = [
    world.handle('author'),
    world.handle('ann'),
    world.handle('ben'),
    world.handle('cat'),
  ]
  world.network.seedPerson({ handle: ann, name: 'Ann Example' })
  world.network.seedPerson({ handle: ben, name: 'Ben Example' })
  const post = world.network.seedPost({
    author,
    postedAt: '2026-11-20T08:00:00.000Z',
    reactions: [{ person: ann }],
    comments: [{ person: ben, text: 'Great', replies: [{ person: cat, text: 'Yes' }] }],
  })
  await team.post('/enrich/profile', { username: author, saveTrackedProfile: true, enrichLeads: false, ...settings })
  await world.drain()
  const id: string = (await team.get('/sources?includeInactive=true')).body.sources.find(
    (source: { username: string }) => source.username === author,
  ).id
  return { author, ann, id, urn: `urn:li:activity:${post.id}` }
}

describe('raw leads', () => {
  it('are captured and charged, and shown with every field [RAW-01, RAW-03]', async () => {
    const team = await world.team({ credits: 100 })
    const { author, id, urn } = await rawSource(team)
    const { status, body } = await team.get(`/leads/raw?username=${author}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 3, limit: 50, offset: 0, hasMore: false })
    expect(body.totalExact).toBeUndefined()
    const liked = body.leads.find((lead: Raw) => lead.action === 'Like')
    expect(liked).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sourceId: id,
      linkedinUrl: expect.stringContaining('linkedin.com/in/'),
      linkedinUrn: expect.stringMatching(/^AC/),
      name: 'Ann Example',
      action: 'Like',
      commentText: null,
      post: { url: expect.stringContaining('linkedin.com'), urn, postedAt: '2026-11-20T08:00:00.000Z' },
      detectedAt: (await world.now()).toISOString(),
      excluded: null,
      worksAtSource: null,
      results: { last: null, lastAt: null, replied: false, meeting: false, won: false },
    })
    expect(
      body.leads
        .filter((lead: Raw) => lead.action === 'Comment')
        .map((lead: { commentText: string }) => lead.commentText)
        .sort(),
    ).toEqual(['Great', 'Yes'])
    expect(await team.balance()).toBe(97)
  })

  it('have no name where capture recorded only an id [RAW-04]', async () => {
    const team = await world.team({ credits: 100 })
    const [author, hidden] = [world.handle('author'), world.handle('hidden')]
    world.network.seedPerson({ handle: hidden, hidden: true })
    world.network.seedPost({ author, reactions: [{ person: hidden }] })
    await team.post('/enrich/profile', { username: author, saveTrackedProfile: true, enrichLeads: false })
    await world.drain()
    const { body } = await team.get(`/leads/raw?username=${author}`)
    expect(body.leads).toEqual([expect.objectContaining({ name: null, linkedinUrn: expect.stringMatching(/^AC/) })])
  })

  it('come newest first [RAW-05, RAW-01]', async () => {
    const team = await world.team({ credits: 1_000 })
    const { author } = await rawSource(team)
    world.network.seedPost({ author, postedAt: '2026-11-21T08:00:00.000Z', reactions: 12 })
    await world.advance('25h')
    const all: Raw[] = (await team.get('/leads/raw?limit=100')).body.leads
    expect(all).toHaveLength(15)
    expect(new Set(all.map((lead) => lead.detectedAt)).size).toBe(2)
    expect(all.map((lead) => lead.detectedAt)).toEqual(
      all
        .map((lead) => lead.detectedAt)
        .sort()
        .reverse(),
    )
  })

  it('of an unknown source and of that of another team are 404 alike [RAW-07]', async () => {
    const [team, other] = [await world.team({ credits: 100 }), await world.team({ credits: 100 })]
    const { id } = await rawSource(team)
    const unknown = await other.get('/leads/raw?profileId=0198c3f0-5a5e-7b60-8f3e-2f6d1c0b9a77')
    const foreign = await other.get(`/leads/raw?profileId=${id}`)
    expect([unknown.status, foreign.status, foreign.body.error]).toEqual([404, 404, unknown.body.error])
    expect((await team.get('/leads/raw?username=nobody-tracked')).status).toBe(404)
  })

  it('appear in no other list, whatever is asked, and enriched leads never in this one [RAW-05, LED-23]', async () => {
    const team = await world.team({ credits: 1_000 })
    const raw = await rawSource(team)
    const scopes = ['', `username=${raw.author}&`, `profileId=${raw.id}&`]
    const filters = [
      '',
      'engagementType=Like&',
      'webhookStatus=no_webhook&',
      'name=Ann&',
      'since=2020-01-01&',
      'includeSyncing=true&',
      'includeInactive=true&',
    ]
    for (const route of ['/leads', '/engagers']) {
      for (const scope of scopes)
        for (const filter of filters)
          expect((await team.get(`${route}?${scope}${filter}`)).body).toMatchObject({ total: 0, hasMore: false })
    }
    const enriched = await rawSource(team, { enrichLeads: true })
    expect((await team.get(`/leads?username=${enriched.author}`)).body.total).toBe(3)
    expect((await team.get(`/leads/raw?username=${enriched.author}`)).body.total).toBe(0)
    expect((await team.get('/leads/raw')).body.total).toBe(3)
    // After switching to enrichment, old rows stay raw and only new ones show (G45).
    await team.post('/enrich/profile', { username: raw.author, saveTrackedProfile: true, enrichLeads: true })
    world.network.seedPost({ author: raw.author, reactions: [{ person: world.handle('dan') }, { person: raw.ann }] })
    const balance = await team.balance()
    await world.advance('24h')
    const { leads } = (await team.get(`/leads?username=${raw.author}`)).body
    expect(leads.map((lead: { engagementType: string }) => lead.engagementType)).toEqual(['Like', 'Like'])
    expect([(await team.get('/leads/raw')).body.total, balance - (await team.balance())]).toEqual([3, 1])
  })
})
