/** The leads of an agent: who is listed, with which score, in which order (specification «Agent lead»; traps 26, 36, 37). */
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useWorld, type Team, drainOnlyUnlessLongRun } from '../world/world.ts'
import {
  agentOf,
  filtered,
  handleIn,
  leadsOf,
  ok,
  put,
  running,
  seedEngagers,
  seedTopicPost,
  start,
  topicsOf,
  trackOwn,
  type Engager,
} from './agent-stage.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun })

// Moving a day syncs every agent source of this file.
vi.setConfig({ testTimeout: 120_000 })

beforeAll(() => void world.network.seedSearch({ generated: false }))

const profile = {
  titles: ['CMO', 'Head of Growth'],
  countries: ['Germany', 'Austria'],
  industries: ['Software Development'],
  companySizes: ['51-200'],
}

function company(settings: Record<string, unknown> = {}): string {
  const slug = world.handle('company')
  world.network.seedCompany({
    slug,
    name: 'Acme',
    industry: 'Software Development',
    employees: 120,
    posts: [],
    ...settings,
  })
  return slug
}

const ideal = (more: Engager = {}): Engager => ({ title: 'CMO', country: 'DE', company: company(), ...more })

/** Somebody who writes and has no other posts. */
function author(headline: string | null = null): string {
  const handle = world.handle('writer')
  world.network.seedPerson({ handle, headline, posts: [] })
  return handle
}

async function onePost(
  engagers: readonly Engager[],
  change: Record<string, unknown> = {},
  headline: string | null = null,
): Promise<{ team: Team; topic: string; handles: string[]; writer: string }> {
  const [topic] = topicsOf(world, 1)
  const team = await world.team()
  const writer = author(headline)
  const handles = seedTopicPost(world, `All about ${topic}`, engagers, writer)
  await running(world, team, { ...profile, ...change, topics: [topic] })
  return { team, topic: topic!, handles, writer }
}

describe('an agent lead', () => {
  it('is one row a person with everything about fit, signal and engagement [AGT-53, AGT-57..AGT-62]', async () => {
    const headline = 'I write about gardening'
    const { team, topic, handles, writer } = await onePost([ideal({ comment: 'Very true' })], {}, headline)
    const page = await ok(team.get('/agent/leads'))
    expect(page).toMatchObject({
      checked: 1,
      enriching: 0,
      total: 1,
      limit: 50,
      offset: 0,
      hasMore: false,
      agentId: (await agentOf(team)).id,
    })
    const [lead] = page.leads
    const label = `Agent: ${topic}`
    expect(lead).toMatchObject({
      name: expect.any(String),
      linkedinUrl: `https://www.linkedin.com/in/${handles[0]}`,
      jobTitle: 'CMO',
      company: 'Acme',
      companyName: 'Acme',
      companyIndustry: 'Software Development',
      companyStaffRange: '51-200',
      country: 'Germany',
      icp: 100,
      icpParts: [
        { part: 'title', outcome: 'match', value: 'CMO', matched: 'CMO', earned: 40, weight: 40 },
        { part: 'country', earned: 30 },
        { part: 'industry', earned: 15 },
        { part: 'size', earned: 15 },
      ],
      signal: 'strong',
      engagementCount: 1,
      engagementType: 'Comment',
      commentText: 'Very true',
      postText: `All about ${topic}`,
      topic,
      enriching: false,
    })
    expect(lead.signalReasons).toContain(`Commented on a post about "${topic}"`)
    expect(lead.engagements).toHaveLength(1)
    expect(lead.engagements[0]).toMatchObject({
      engagementType: 'Comment',
      commentText: 'Very true',
      postUrl: lead.postUrl,
      topic,
      posterTopic: topic,
      detectedAt: lead.detectedAt,
      signalPoints: 3,
    })
    const sources = (await agentOf(team)).sources as { id: string; label: string; type: string }[]
    expect(lead.source).toMatchObject({ active: true })
    // Both sources of the agent have captured the comment; it is listed as one engagement.
    expect([
      [label, 'keyword'],
      [writer, 'profile'],
    ]).toContainEqual([lead.source.label, lead.source.kind])
    expect(sources.find((source) => source.id === lead.source.id)!.label).toBe(lead.source.label)
    const { rows } = await world.database.pool.query(
      'select id from lead where team_id = $1 and source_id is not null order by created_at desc, id desc limit 1',
      [team.id],
    )
    expect(lead.id).toBe(rows[0].id)
    await put(team, { topics: ['gardening', topic] })
    expect((await leadsOf(team))[0]).toMatchObject({ topic, posterTopic: 'gardening' })
  })
  it('is listed when the title matches as words, everybody when none is asked, with what it did; all are checked [AGT-56, AGT-63, AGT-67, AGT-72]', async () => {
    const people = [
      { title: 'CMO', reaction: 'PRAISE' },
      { title: 'cmo & founder', reply: 'Second' },
      { title: 'Global Head of Growth, EMEA' },
      { title: 'Head of Growthhacking' },
      { title: 'Clerk', comment: 'First' },
    ]
    const { team, handles } = await onePost(people)
    const page = await ok(team.get('/agent/leads'))
    expect(page.leads.map((lead: { linkedinUrl: string }) => handleIn(lead.linkedinUrl)).sort()).toEqual(
      handles.slice(0, 3).sort(),
    )
    expect(page).toMatchObject({ total: 3, checked: 5 })
    const types = new Map(page.leads.map((lead: any) => [handleIn(lead.linkedinUrl), lead.engagementType] as const))
    expect([types.get(handles[0]), types.get(handles[1])]).toEqual(['Praise', 'Reply'])
    await put(team, { titles: [] })
    expect(await leadsOf(team)).toHaveLength(5)
  })
  it('is strong, medium or weak by what was done on which post, extra strong when done twice [AGT-60, AGT-68..AGT-70, G142]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    const half = (more: Engager = {}): Engager => ({ title: 'CMO', country: 'FR', company: company(), ...more })
    const [watched, watchedToo] = [author(), author()]
    const post = (text: string, engagers: Engager[], writer = author()) =>
      seedTopicPost(world, text.replace('{}', topic!), engagers, writer)
    /** A post about none of the topics, captured because its author is watched. */
    const aside = (text: string, engagers: Engager[], writer = watched) => {
      const handles = seedEngagers(world, engagers)
      const by = (comments: boolean) =>
        engagers.flatMap(({ comment }, at) =>
          (comment !== undefined) === comments ? [{ person: handles[at]!, text: comment ?? '' }] : [],
        )
      world.network.seedPost({
        author: writer,
        text,
        reactions: by(false).map(({ person }) => ({ person })),
        comments: by(true),
      })
      return handles
    }
    const [full, liked, commented, twice] = post(
      'About {}',
      [ideal(), half(), half({ comment: 'yes' }), half()],
      watched,
    )
    post('More about {}', [{ handle: twice! }], watchedToo)
    const onTopic = post("We're hiring for {}! Join our team", [ideal(), half(), half({ comment: 'interested' })])
    const offTopic = aside("We're hiring! Join our team", [ideal(), half({ comment: 'interested' })])
    const [congratulated, both] = aside("I'm happy to share that I'm starting a new position", [
      half({ comment: 'congrats' }),
      half(),
    ])
    aside('We are hiring a Head of Sales', [{ handle: both! }])
    const [denied] = aside('We are not hiring', [half()], watchedToo)
    const [magnet, magnetLike] = post('Comment "GUIDE" and I will send you the {} playbook', [
      half({ comment: 'GUIDE' }),
      half(),
    ])
    await running(world, team, { ...profile, dailyCredits: 500, topics: [topic] })
    const leads = new Map((await leadsOf(team)).map((lead) => [handleIn(lead.linkedinUrl), lead]))
    const signals = (...handles: (string | undefined)[]) => handles.map((handle) => leads.get(handle!)?.signal)
    expect(signals(full, liked, commented, twice)).toEqual(['strong', 'medium', 'strong', 'extra_strong'])
    expect(signals(...onTopic)).toEqual(['strong', 'medium', 'strong'])
    expect(signals(...offTopic, congratulated, both)).toEqual(['weak', 'weak', 'weak', 'weak'])
    expect(signals(denied)).toEqual(['medium'])
    expect(signals(magnet, magnetLike)).toEqual(['strong', 'medium'])
    expect(leads.get(twice!)).toMatchObject({
      engagementCount: 2,
      engagements: [{ signalPoints: 2 }, { signalPoints: 2 }],
    })
    expect(leads.get(both!)).toMatchObject({
      engagementCount: 2,
      engagements: [{ signalPoints: 1 }, { signalPoints: 1 }],
    })
    expect(leads.get(offTopic[0]!).engagements[0]).toMatchObject({
      signalPoints: 1,
      signalReasons: [expect.stringContaining('hiring post')],
    })
    expect(leads.get(magnet!).signalReasons.join()).toContain('lead-magnet')
  })
  it('comes by ICP %, then signal, then newest, over all pages [AGT-50, AGT-71, AGT-79]', async () => {
    const { team, topic } = await onePost([
      { title: 'CMO', country: 'FR' },
      ideal(),
      { title: 'CMO', country: 'FR', comment: 'mine' },
      ideal({ comment: 'yes' }),
    ])
    seedTopicPost(world, `Again ${topic}`, [{ title: 'CMO', country: 'FR' }], author())
    await world.advance('24h')
    const leads = await leadsOf(team)
    expect(leads).toHaveLength(5)
    const rank = ['extra_strong', 'strong', 'medium', 'weak']
    const key = (lead: any) => [-lead.icp, rank.indexOf(lead.signal), -Date.parse(lead.detectedAt)]
    const inOrder = leads.map(key)
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!))
    const walked = []
    for (let offset = 0; ; offset += 2) {
      const page = await ok(team.get(`/agent/leads?limit=2&offset=${offset}`))
      expect(page).toMatchObject({ total: 5, limit: 2, offset, hasMore: offset + 2 < 5 })
      walked.push(...page.leads)
      if (!page.hasMore) break
    }
    expect(walked).toEqual(leads)
    // A page that ends with the last lead has no more.
    expect(await ok(team.get('/agent/leads?limit=2&offset=3'))).toMatchObject({ leads: leads.slice(3), hasMore: false })
  })
  it("comes from the agent's own searches and people only, without raw leads and those of other sources [AGT-79, AGT-56]", async () => {
    const { team, handles } = await onePost([ideal()])
    const other = author()
    world.network.seedPost({
      author: other,
      reactions: [{ person: seedTopicPost(world, 'Nothing', [ideal()])[0]! }],
      comments: [],
    })
    await ok(team.post('/enrich/profile', { username: other, saveTrackedProfile: true }))
    const [rawTopic] = topicsOf(world, 1)
    seedTopicPost(world, `On ${rawTopic}`, [ideal()], author())
    await trackOwn(team, rawTopic!, { datePosted: 'PAST_WEEK', enrichLeads: false })
    await world.drain()
    const [topics] = [(await agentOf(team)).profile.topics as string[]]
    await put(team, { topics: [...topics, rawTopic] })
    expect((await ok(start(team))).launch.reused).toBe(1)
    const page = await ok(team.get('/agent/leads'))
    expect(page.leads.map((lead: { linkedinUrl: string }) => handleIn(lead.linkedinUrl))).toEqual([handles[0]])
    expect(page.checked).toBe(1)
  })
})

it('an agent lists its newest 5,000 people, and counts everybody as checked [AGT-55, AGT-56]', async () => {
  const team = await world.team()
  await put(team, { topics: topicsOf(world, 1), dailyCredits: 100 })
  await ok(start(team))
  const [{ id }] = (await agentOf(team)).sources
  const { pool } = world.database
  const lay = async (from: number, to: number) => {
    await pool.query(
      `insert into lead (team_id, id, owner_id, source_id, source_kind, person_urn, engagement_key, engagement_type,
        reaction, linkedin_url, enrichment, webhook_status, created_at)
       select $1, ('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $2, $2, 'keyword', 'ACoAA' || n,
         'reaction:urn:li:activity:1:ACoAA' || n, 'Like', 'Like', 'https://www.linkedin.com/in/person-' || n,
         'completed', 'no_webhook', $3::timestamptz + n * interval '1 second'
       from generate_series($4::int, $5::int) n`,
      [team.id, id, new Date('2026-11-21T00:00:00Z'), from, to],
    )
    await pool.query('update source set lead_rows = $2, leads_completed = $2 where team_id = $1', [team.id, to])
  }
  await lay(1, 4_999)
  expect(await ok(team.get('/agent/leads?limit=1'))).toMatchObject({ total: 4_999, checked: 4_999 })
  await lay(5_000, 5_100)
  const page = await ok(team.get('/agent/leads?limit=200'))
  expect(page).toMatchObject({ total: 5_000, checked: 5_100, hasMore: true })
  const last = await ok(team.get('/agent/leads?limit=200&offset=4900'))
  expect([page.leads[0].linkedinUrl, last.leads.at(-1).linkedinUrl, last.leads.length, last.hasMore]).toEqual([
    'https://www.linkedin.com/in/person-5100',
    'https://www.linkedin.com/in/person-101',
    100,
    false,
  ])
  // Nobody was charged for them, so they go before the oracle runs.
  await pool.query('delete from lead where team_id = $1', [team.id])
  await pool.query('update source set lead_rows = 0, leads_completed = 0 where team_id = $1', [team.id])
})

describe('filters of agent leads', () => {
  it('join rows by AND over the columns of leads and of the agent [AGT-50, AGT-51]', async () => {
    const { team, topic, handles } = await onePost([
      ideal(),
      ideal({ country: 'FR', comment: 'interesting' }),
      { title: 'Head of Growth', country: 'AT', company: company({ exists: false }) },
    ])
    const listed = async (...rows: object[]) =>
      (await leadsOf(team, filtered(rows))).map((lead) => handles.indexOf(handleIn(lead.linkedinUrl))).sort()
    expect(await listed()).toEqual([0, 1, 2])
    expect(await listed({ column: 'icp', operator: 'at_least', value: 80 })).toEqual([0, 2])
    expect(
      await listed(
        { column: 'signal', operator: 'in', value: ['strong', 'extra_strong'] },
        { column: 'country', operator: 'equals', value: 'france' },
      ),
    ).toEqual([1])
    expect(await listed({ column: 'topic', operator: 'equals', value: topic })).toEqual([0, 1, 2])
    expect(await listed({ column: 'job_title', operator: 'contains', value: 'growth' })).toEqual([2])
    const unknown = await team.get(
      `/agent/leads?limit=200${filtered([{ column: 'companyName', operator: 'is_empty' }])}`,
    )
    expect([unknown.status, unknown.body.error]).toEqual([400, expect.stringContaining('companyName')])
    expect(await listed({ column: 'companyIndustry', operator: 'is_empty' })).toEqual([2])
    expect(await listed({ column: 'commentText', operator: 'contains', value: 'interest' })).toEqual([1])
    const page = await ok(
      team.get(`/agent/leads?limit=1${filtered([{ column: 'icp', operator: 'at_least', value: 80 }])}`),
    )
    expect(page).toMatchObject({ total: 2, checked: 3, hasMore: true })
  })
})

describe('the first run', () => {
  it('is done when every source has swept and everybody is enriched; a day after the launch regardless [AGT-54, AGT-62]', async () => {
    const [topic] = topicsOf(world, 1)
    const team = await world.team()
    seedTopicPost(world, `About ${topic}`, [ideal(), ideal()], author())
    await put(team, { ...profile, topics: [topic], dailyCredits: 100 })
    const of = async () => ok(team.get('/agent/leads'))
    const before = { done: false, peopleReady: false, sourcesDone: 0, sourcesTotal: 0, enriching: 0 }
    expect((await of()).firstRun).toEqual(before)
    for (const operation of ['profile', 'profile/full']) world.network.fault({ kind: 'status_500', operation })
    await ok(start(team))
    expect((await of()).firstRun).toEqual({ ...before, sourcesTotal: 1 })
    await world.drain()
    const midway = await of()
    expect(midway).toMatchObject({
      leads: [],
      total: 0,
      checked: 2,
      enriching: 2,
      firstRun: { done: false, peopleReady: true, enriching: 2, sourcesTotal: 2 },
    })
    world.network.clearFaults()
    await world.advance('10m')
    const over = await of()
    expect(over).toMatchObject({
      total: 2,
      enriching: 0,
      firstRun: { done: true, peopleReady: true, sourcesDone: 2, sourcesTotal: 2, enriching: 0 },
    })
    expect(over.leads.every((lead: { enriching: boolean }) => !lead.enriching)).toBe(true)
    world.network.hold({})
    await ok(start(team))
    expect((await of()).firstRun.done).toBe(false)
    await world.move('24h')
    expect((await of()).firstRun.done).toBe(true)
    world.network.release()
    await world.drain()
  })
})
