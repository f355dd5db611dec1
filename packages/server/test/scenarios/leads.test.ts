import { lead, leadPage } from '@les/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { preparedAsInService } from '../world/amount.ts'
import { useWorld, drainOnlyUnlessLongRun, type Answer, type Team } from '../world/world.ts'

const world = useWorld({ config: drainOnlyUnlessLongRun, overrides: preparedAsInService })

type Lead = z.output<typeof lead>

const leadsOf = (answer: Answer): Lead[] => {
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  return answer.body.leads
}
const list = async (team: Team, query = ''): Promise<Lead[]> =>
  leadsOf(await team.get(`/leads?limit=100${query && `&${query}`}`))
const track = async (
  team: Team,
  username: string,
  settings: Record<string, unknown> = {},
  kind = 'profile',
): Promise<string> => {
  const answer = await team.post(`/enrich/${kind}`, { username, saveTrackedProfile: true, ...settings })
  expect([answer.status, answer.body.error]).toEqual([200, undefined])
  const { sources } = (await team.get('/sources')).body
  return sources.find((source: { username: string }) => source.username === username).id
}

type Fixture = {
  team: Team
  author: string
  page: string
  personSource: string
  companySource: string
  people: Record<'ann' | 'ben' | 'cem' | 'dot' | 'eve', string>
  acme: string
  nowhere: string
}

const firstBatch = '2026-11-21T09:00:00.000Z'
const fixture = {} as Fixture

async function seedFixture(): Promise<Fixture> {
  const team = await world.team({ credits: 1_000 })
  const handles = <T extends string>(...names: readonly T[]) =>
    Object.fromEntries(names.map((name) => [name, world.handle(name)])) as Record<T, string>
  const { author, page, acme, nowhere } = handles('author', 'page', 'acme', 'nowhere')
  world.network.seedCompany({
    slug: acme,
    name: 'Acme Robotics',
    website: 'https://www.acme-robotics.example/about',
    industry: 'Robotics Engineering',
    employees: 120,
    description: 'Builds robots.',
    city: 'Berlin',
    country: 'DE',
  })
  world.network.seedCompany({
    slug: nowhere,
    name: 'Nowhere 100%',
    website: 'https://www.linkedin.com/company/nowhere',
    industry: '',
    employees: 7,
    description: '',
    country: null,
  })
  const people = handles('ann', 'ben', 'cem', 'dot', 'eve')
  world.network.seedPerson({ handle: author, company: world.handle('studio') })
  world.network.seedPerson({
    handle: people.ann,
    name: 'Ann Example',
    title: 'Head of Growth',
    country: 'DE',
    company: acme,
    headline: 'Growing things',
    picture: 'https://media.example/ann.jpg',
  })
  world.network.seedPerson({
    handle: people.ben,
    name: 'Ben 100%_sure \\ Doe',
    title: 'VP Sales_EMEA',
    country: 'AT',
    company: nowhere,
    headline: null,
    picture: null,
  })
  world.network.seedPerson({
    handle: people.cem,
    name: 'Cem ÜNAL-Öztürk',
    title: 'Head of Robotics',
    country: 'TR',
    company: acme,
  })
  world.network.seedPerson({
    handle: people.dot,
    name: 'Dot Plain',
    country: null,
    company: null,
    headline: null,
    picture: null,
  })
  world.network.seedPerson({
    handle: people.eve,
    name: 'Eve 李雷',
    country: 'DE',
    positions: [{ title: 'Growth Lead', companyName: 'Freelance' }],
  })
  world.network.seedPost({
    author,
    postedAt: '2026-11-20T08:00:00.000Z',
    reactions: [{ person: people.ann }, { person: people.ben, type: 'PRAISE' }],
    comments: [
      {
        person: people.ann,
        text: 'Great',
        at: '2026-11-20T09:30:00.000Z',
        replies: [{ person: people.cem, text: 'Indeed', at: '2026-11-20T10:00:00.000Z' }],
      },
    ],
  })
  world.network.seedPost({
    author: { company: page },
    postedAt: '2026-11-19T08:00:00.000Z',
    reactions: [{ person: people.dot }, { person: { company: acme } }],
    comments: [{ person: people.eve, text: 'Hallo', at: '2026-11-19T09:00:00.000Z' }],
  })
  const personSource = await track(team, author)
  const companySource = await track(team, page, {}, 'company')
  await world.drain()
  return { team, author, page, personSource, companySource, people, acme, nowhere }
}

describe('a list of leads', () => {
  beforeAll(async () => {
    Object.assign(fixture, await seedFixture())
  })
  const names = async (query: string): Promise<string[]> =>
    [...new Set((await list(fixture.team, query)).map(({ name }) => name!.split(' ')[0]!))].sort()

  it('a row carries the engagement, the person and the company, exactly as the network has them [LED-14..LED-20, LED-22, SYN-32]', async () => {
    const rows = await list(fixture.team, `username=${fixture.author}`)
    const comment = rows.find((row) => row.name === 'Ann Example' && row.engagementType === 'Comment')!
    const employer = world.network.company(fixture.acme)!
    const { id, postUrl, postUrn, ...rest } = comment
    expect(rest).toEqual({
      name: 'Ann Example',
      engagementType: 'Comment',
      commentText: 'Great',
      postPostedAt: '2026-11-20T08:00:00.000Z',
      commentPostedAt: '2026-11-20T09:30:00.000Z',
      isIcp: null,
      webhookStatus: 'no_webhook',
      linkedinUrl: `https://www.linkedin.com/in/${fixture.people.ann}`,
      avatarUrl: 'https://media.example/ann.jpg',
      headline: 'Growing things',
      jobTitle: 'Head of Growth',
      country: 'Germany',
      companyName: 'Acme Robotics',
      company: 'Acme Robotics',
      companyUrl: 'https://www.acme-robotics.example/about',
      companyDomain: 'acme-robotics.example',
      companyLinkedinUrl: `https://www.linkedin.com/company/${employer.slug}`,
      companyDescription: 'Builds robots.',
      companyIndustry: 'Robotics Engineering',
      companyLocation: 'Berlin, Germany',
      companyEmployeeCount: 120,
      companyStaffRange: '51-200',
      companyEnrichedAt: firstBatch,
      sourceId: fixture.personSource,
      sourceKind: 'profile',
      sourceLabel: fixture.author,
      enrichmentStatus: 'completed',
      createdAt: firstBatch,
      excluded: null,
      worksAtSource: false,
      results: { last: null, lastAt: null, replied: false, meeting: false, won: false },
    })
    const [post] = world.network.postsOf(fixture.author)
    expect(postUrn).toBe(`urn:li:activity:${post!.id}`)
    expect(postUrl).toContain(post!.id)
    expect(id).toMatch(/^[0-9a-f]{8}-/)
  })

  it('every row has every field and nothing else; what is unknown is null [LED-15, LED-16, LED-17, LED-20, LED-21]', async () => {
    const answer = await fixture.team.get('/leads')
    leadPage.strict().extend({ leads: lead.strict().array() }).parse(answer.body)
    const rows = leadsOf(answer)
    expect(rows).toHaveLength(6)
    const dot = rows.find((row) => row.name === 'Dot Plain')!
    const unknown =
      'commentText commentPostedAt isIcp avatarUrl headline jobTitle country companyName company companyUrl companyDomain ' +
      'companyLinkedinUrl companyDescription companyIndustry companyLocation companyEmployeeCount companyStaffRange ' +
      'companyEnrichedAt excluded worksAtSource'
    const isNull = Object.entries(dot).flatMap(([name, value]) => (value === null ? [name] : []))
    expect(isNull.sort()).toEqual(unknown.split(' ').sort())
    // Enriched without facts: the time is set and the values are null; a URL on the network is not a website.
    expect(rows.find((row) => row.name!.startsWith('Ben'))).toMatchObject({
      companyName: 'Nowhere 100%',
      companyUrl: null,
      companyDomain: null,
      companyDescription: null,
      companyIndustry: null,
      companyLocation: null,
      companyEmployeeCount: 7,
      companyStaffRange: '1-10',
      companyEnrichedAt: firstBatch,
    })
  })

  it('a reaction is a Like by any name, a reply a Comment; no company pages, no time of a Like [LED-04, LED-14]', async () => {
    const told = (row: Lead) => [row.name!.split(' ')[0], row.engagementType, row.commentText, row.commentPostedAt]
    expect((await list(fixture.team)).map((row) => told(row).map(String).join(' ')).sort()).toEqual([
      'Ann Comment Great 2026-11-20T09:30:00.000Z',
      'Ann Like null null',
      'Ben Like null null',
      'Cem Comment Indeed 2026-11-20T10:00:00.000Z',
      'Dot Like null null',
      'Eve Comment Hallo 2026-11-19T09:00:00.000Z',
    ])
  })

  const all = ['Ann', 'Ben', 'Cem', 'Dot', 'Eve']
  const every =
    'country=e&name=e&jobTitle=e&company=e&companyDomain=e&companyIndustry=e&engagementType=Like&' +
    'webhookStatus=no_webhook&sourceKind=profile&since=2026-01-01&until=2027-01-01'
  it('a filter matches what contains it, literally and in any case, and never what is unknown [LED-06..LED-09, LED-12, LED-13, G167, WLD-09, WLD-25]', async () => {
    for (const [query, expected] of [
      ['name=N%20E', ['Ann']],
      ['name=%25', ['Ben']],
      ['name=%5C', ['Ben']],
      ['name=%25_sure%20%5C%20d', ['Ben']],
      ['name=a_n', []],
      ['name=%C3%96ZT%C3%9CRK', ['Cem']],
      ['name=%E6%9D%8E', ['Eve']],
      ["name='%20or%201=1--", []],
      ['jobTitle=HEAD', ['Ann', 'Cem']],
      ['jobTitle=s_e', ['Ben']],
      // As a person may have pasted it.
      ['jobTitle=gr%E2%80%8Bow%C2%ADth', ['Ann', 'Eve']],
      ['jobTitle=%F0%9D%90%A1%F0%9D%90%9E%F0%9D%90%9A%F0%9D%90%9D', ['Ann', 'Cem']],
      ['country=germ', ['Ann', 'Eve']],
      ['country=TRIA', ['Ben']],
      ['company=ROBOT', ['Ann', 'Cem']],
      ['companyDomain=robotics.ex', ['Ann', 'Cem']],
      ['companyDomain=linkedin', []],
      ['companyIndustry=e', ['Ann', 'Cem']],
      ['since=2026-11-21T09:00:00.001Z', []],
      ['until=2026-11-21T08:59:59.999Z', []],
      [`since=${firstBatch}&until=${firstBatch}`, all],
      ['since=2026-11-21&until=2026-11-21', all],
      ['until=2026-11-20', []],
      ['since=2026-11-21T11:00:00%2B02:00', all],
      ['jobTitle=growth&country=germany', ['Ann', 'Eve']],
      ['jobTitle=growth&engagementType=Comment&companyIndustry=robot', ['Ann']],
      ['jobTitle=growth&name=ben', []],
      [every, ['Ann']],
    ] as const) {
      expect([query, await names(query)]).toEqual([query, expected])
      // Ann has two rows (like and comment) unless the query selects one of them; everybody else has one.
      const total = expected.length + (expected.includes('Ann' as never) && !query.includes('engagementType') ? 1 : 0)
      const page = { total, limit: 1, offset: 0, hasMore: total > 1 }
      expect([query, (await fixture.team.get(`/leads?${query}&limit=1`)).body]).toMatchObject([query, page])
    }
  })

  it('filters apply to the leads of one source, named by id or by handle in any spelling [LED-02, LED-13]', async () => {
    const { team, author, page, personSource, companySource } = fixture
    expect(await names(`profileId=${personSource}`)).toEqual(['Ann', 'Ben', 'Cem'])
    expect(await names(`username=${author}`)).toEqual(['Ann', 'Ben', 'Cem'])
    expect(await names(`username=%40${author.toUpperCase()}`)).toEqual(['Ann', 'Ben', 'Cem'])
    expect(await names(`profileId=${companySource.toUpperCase()}`)).toEqual(['Dot', 'Eve'])
    expect(await names(`username=${page}&country=ger`)).toEqual(['Eve'])
    expect(await names(`username=${page}&jobTitle=growth&engagementType=Like`)).toEqual([])
    expect(
      (await list(team, `profileId=${companySource}`)).every(
        (row) => row.sourceKind === 'company' && row.sourceId === companySource && row.sourceLabel === page,
      ),
    ).toBe(true)
  })

  it('an id or a handle of no source that the team tracks is 404, also with includeInactive [LED-03]', async () => {
    const { team, author, personSource } = fixture
    const other = await world.team()
    for (const [who, query] of [
      [team, 'profileId=00000000-0000-4000-8000-000000000000'],
      [team, 'profileId=nonsense'],
      [team, `username=${world.handle('nobody')}`],
      [team, `username=${personSource}`],
      [team, 'username='],
      [other, `profileId=${personSource}`],
      [other, `username=${author}`],
    ] as const) {
      for (const more of ['', '&includeInactive=true']) {
        const answer = await who.get(`/leads?${query}${more}`)
        expect([query, answer.status, answer.body.code]).toEqual([query, 404, undefined])
      }
    }
  })

  it('limit is 50 and offset 0 unless told otherwise; an offset past the end is an empty page [LED-01]', async () => {
    const { body } = await fixture.team.get('/leads')
    expect(body).toMatchObject({ total: 6, limit: 50, offset: 0, hasMore: false })
    expect((await fixture.team.get('/leads?offset=2147483647&limit=100')).body).toEqual({
      leads: [],
      total: 6,
      limit: 100,
      offset: 2_147_483_647,
      hasMore: false,
    })
    expect((await fixture.team.get('/leads?limit=5&offset=1')).body).toMatchObject({ hasMore: false })
    expect((await fixture.team.get('/leads?limit=5')).body).toMatchObject({ hasMore: true })
  })
})

describe('company records', () => {
  it('until a company is resolved its fields and companyEnrichedAt are null; then both arrive together [LED-17, LED-21]', async () => {
    const team = await world.team({ credits: 100 })
    const [author, ann, acme] = [world.handle('author'), world.handle('ann'), world.handle('acme')]
    const company = world.network.seedCompany({ slug: acme, name: 'Later Inc' })
    world.network.seedPerson({ handle: ann, name: 'Ann Later', title: 'CEO', country: 'FR', company: acme })
    world.network.seedPost({ author, reactions: [{ person: ann }] })
    const held = { operation: 'company', match: { companyId: company.id } }
    world.network.hold(held)
    await track(team, author)
    world.beginDrain()
    await world.network.untilWaiting(1, held)
    const [before] = await list(team, `username=${author}`)
    expect(before).toMatchObject({
      name: 'Ann Later',
      enrichmentStatus: expect.stringMatching(/^(pending|processing)$/),
      jobTitle: null,
      companyName: null,
      companyEnrichedAt: null,
    })
    world.network.release(held)
    await world.drain()
    const [after] = await list(team, `username=${author}`)
    expect(after).toMatchObject({
      id: before!.id,
      enrichmentStatus: 'completed',
      jobTitle: 'CEO',
      companyName: 'Later Inc',
      companyEnrichedAt: (await world.now()).toISOString(),
    })
  })
})

describe('a source whose people are being looked up', () => {
  it('is hidden while somebody waits for enrichment, and always shows when asked for by name [LED-10]', async () => {
    const team = await world.team()
    const author = world.handle('author')
    const fans = [world.handle('ann'), world.handle('ben')]
    world.network.seedPost({ author, reactions: fans.map((person) => ({ person })) })
    // Holds only theirs: the author is looked up too, and the capture may wait for that.
    for (const handle of fans) {
      const { id } = world.network.seedPerson({ handle, posts: [] })
      world.network.hold({ operation: 'profile', match: { profileId: id } })
    }
    await track(team, author)
    world.beginDrain()
    const status = async () => (await team.get(`/profile/${author}/sync`)).body
    await expect.poll(async () => (await status()).state, { timeout: 20_000 }).toBe('enriching')
    expect(await status()).toMatchObject({
      isFinal: false,
      capture: { stoppedBy: 'exhausted' },
      enrichment: { pending: 2 },
    })
    const totals = () =>
      Promise.all(
        ['leads', 'engagers'].flatMap((path) =>
          ['', '?includeSyncing=true', `?username=${author}`].map(
            async (query) => (await team.get(`/${path}${query}`)).body.total,
          ),
        ),
      )
    expect(await totals()).toEqual([0, 2, 2, 0, 2, 2])
    world.network.release()
    await world.drain()
    expect(await totals()).toEqual([2, 2, 2, 2, 2, 2])
  })
})

describe('pages', () => {
  async function walk(
    team: Team,
    query: string,
    limit: number,
    between: () => Promise<void> = async () => {},
  ): Promise<{ rows: Lead[]; totals: Set<number> }> {
    const rows: Lead[] = []
    const totals = new Set<number>()
    for (let offset = 0; ; offset += limit) {
      const { leads, hasMore, total } = (await team.get(`/leads?limit=${limit}&offset=${offset}&${query}`)).body
      rows.push(...leads)
      totals.add(total)
      expect(hasMore || leads.length <= limit).toBe(true)
      if (offset === 0) await between()
      if (!hasMore) return { rows, totals }
      expect(leads).toHaveLength(limit)
    }
  }
  const ids = (rows: readonly Lead[]) => rows.map((row) => row.id)

  it('while new leads arrive, a walk bounded by until sees every row once, and an unbounded one misses none [LED-24, LED-07]', async () => {
    const team = await world.team({ credits: 1_000 })
    const author = world.handle('author')
    world.network.seedPost({ author, reactions: 24 })
    const source = await track(team, author)
    await world.drain()
    const start = await world.now()
    const original = new Set(ids((await walk(team, `username=${author}`, 100)).rows))
    const arrive = async () => {
      await world.move('1m')
      world.network.seedPost({ author, postedAt: (await world.now()).toISOString(), reactions: 8 })
      expect((await team.post(`/sources/${source}/sync`)).body.queued).toBe(true)
      await world.drain()
    }
    const bounded = await walk(team, `username=${author}&until=${start.toISOString()}`, 10, arrive)
    expect([bounded.rows.length, bounded.totals]).toEqual([24, new Set([24])])
    expect(new Set(ids(bounded.rows))).toEqual(original)
    const open = await walk(team, `username=${author}`, 10, arrive)
    expect([...original].filter((id) => !ids(open.rows).includes(id))).toEqual([])
    expect(open.totals).toEqual(new Set([32, 40]))
    expect(
      (await team.get(`/leads?username=${author}&since=${new Date(start.getTime() + 1).toISOString()}`)).body.total,
    ).toBe(16)
  })
})
