/** Wire shapes that the sandbox does not speak: older samples, odd rows, refusals in other words. */
import { describe, expect, test } from 'vitest'
import type { PostSearch } from '../../src/providers/ports.ts'
import { behind, behindTier, failureOf } from './quick.ts'

const post = { urn: 'urn:li:activity:7390000000000000001', url: '' }
const search: PostSearch = {
  term: 'cold outreach',
  sort: 'RELEVANCE',
  datePosted: 'PAST_WEEK',
  contentType: null,
  filters: {},
}
const ok = (data: unknown) => ({ success: true, statusCode: 200, message: 'ok', errors: null, data })

const ada = 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH'
const zoe = 'ACwAAZ9bcdefghijklmnopqrstuvwxyzBCDEFGH'
const dashUrn = (id: string) => encodeURIComponent(`urn:li:fsd_profile:${id}`)

/** A feed in which only the addresses say who wrote: in older answers nothing else carries the member id. */
describe('authors whose member id is percent-encoded in their address', () => {
  const inAddress = (id: string, slug: string) => ({
    id: '77',
    type: 'profile',
    name: slug,
    linkedinUrl: `https://www.linkedin.com/in/${slug}?miniProfileUrn=${dashUrn(id)}`,
  })
  test('HarvestAPI: the author is known, and what somebody else wrote is no post of theirs', async () => {
    const elements = [
      { id: '7390000000000000001', content: 'Mine', author: inAddress(ada, 'Jos%C3%A9-Q') },
      { id: '7390000000000000002', content: 'Hers', author: inAddress(zoe, 'zoe') },
      {
        id: '7390000000000000003',
        content: 'Twice encoded',
        author: {
          ...inAddress(zoe, 'zoe'),
          linkedinUrl: `https://www.linkedin.com/in/zoe?miniProfileUrn=${encodeURIComponent(dashUrn(zoe))}`,
        },
      },
    ]
    const { harvest } = behind({ body: { elements } }, { body: { element: elements[1] } })
    expect((await harvest.posts({ kind: 'person', handle: 'josé-q', urn: ada }, null)).items).toMatchObject([
      {
        urn: 'urn:li:activity:7390000000000000001',
        author: { kind: 'person', urn: ada, url: 'https://www.linkedin.com/in/jos%C3%A9-q' },
      },
    ])
    expect((await harvest.post('urn:li:activity:7390000000000000002')).author).toMatchObject({ urn: zoe })
  })
  test('LinkdAPI: the same', async () => {
    const author = (id: string, slug: string) => ({
      name: slug,
      urn: '',
      url: `https://www.linkedin.com/in/${slug}?miniProfileUrn=${dashUrn(id)}`,
    })
    const posts = [
      { urn: 'urn%3Ali%3Aactivity%3A1', text: 'Mine', author: author(ada, 'ada') },
      { urn: 'urn:li:activity:2', text: 'Hers', author: author(zoe, 'zoe') },
    ]
    const { linkd } = behind({ body: ok({ cursor: null, posts }) })
    expect((await linkd.posts({ kind: 'person', handle: 'ada', urn: ada }, null)).items).toMatchObject([
      { urn: 'urn:li:activity:1', author: { urn: ada } },
    ])
  })
  test('whoever reacts or comments is known by an encoded id too, and pages are told apart', async () => {
    const elements = [
      {
        id: `urn%3Ali%3Afsd_reaction%3A%28${dashUrn(zoe)}%2Curn%3Ali%3Aactivity%3A7%2C0%29`,
        reactionType: 'LIKE',
        actor: { id: '', name: 'Zoe', linkedinUrl: 'https://www.linkedin.com/in/zo%C3%AB' },
      },
      {
        id: 'urn%3Ali%3Afsd_reaction%3A%28urn%3Ali%3Afsd_company%3A5%2Curn%3Ali%3Aactivity%3A7%2C0%29',
        reactionType: 'LIKE',
        actor: { id: 'urn%3Ali%3Afsd_company%3A5', name: 'A page' },
      },
    ]
    const { harvest } = behind({ body: { elements } })
    expect((await harvest.reactions(post, null)).items.map(({ actor }) => actor)).toMatchObject([
      { kind: 'person', urn: zoe, handle: 'zoë' },
      { kind: 'company', linkedinUrl: 'https://www.linkedin.com/company/5' },
    ])
  })
  test('a profile whose handle is served percent-encoded has the handle people name it by', async () => {
    const { harvest, linkd } = behind(
      { body: { element: { id: ada, publicIdentifier: 'jos%C3%A9-garc%C3%ADa', firstName: 'José' } } },
      { body: ok({ urn: ada, username: 'jos%25C3%25A9', firstName: 'José' }) },
    )
    expect([(await harvest.profile({ urn: ada })).handle, (await linkd.profile({ urn: ada })).handle]).toEqual([
      'josé-garcía',
      'josé',
    ])
  })
})

describe('what is sent of a term', () => {
  const asked = async (term: string, authorKeyword?: string[]) => {
    const {
      asked: urls,
      harvest,
      linkd,
    } = behind(
      { body: { elements: [], pagination: { pageNumber: 1, totalPages: 0, totalElements: 0 } } },
      { body: ok({ posts: [], total: 0, hasMore: false }) },
    )
    const filters = authorKeyword === undefined ? {} : { authorKeyword }
    await harvest.searchPosts({ ...search, term, filters }, null)
    await linkd.searchPosts({ ...search, term, filters }, null)
    return [
      urls[0]!.searchParams.get('search'),
      urls[1]!.searchParams.get('keyword'),
      urls[0]!.searchParams.get('authorKeywords'),
    ]
  }
  test.each([
    ['saas OR leadership', 'saas or leadership'],
    ['growth AND NOT intern', 'growth and not intern'],
    ['"this OR that"', '"this or that"'],
    ['"AND"', '"and"'],
    ['AND/OR', 'and/or'],
    ['Portland, OR', 'Portland, or'],
    ['ORACLE on ANDROID', 'ORACLE on ANDROID'],
    [`a OR ${'x'.repeat(90)}`, `a or`],
  ])('%j reaches both vendors as %j, without an operator [G94, G147]', async (term, sent) => {
    expect((await asked(term)).slice(0, 2)).toEqual([sent, sent])
  })
  test('a term that is read whole is found by its words; one that is cut is judged by them here [G94, G123]', async () => {
    const long = `saas OR ${'leadership '.repeat(9)}`.trim()
    const element = (content: string, n: number) => ({
      id: `739000000000000000${n}`,
      content,
      author: { id: 'ACoAAB1', type: 'profile', name: 'Ada', linkedinUrl: 'https://www.linkedin.com/in/ada' },
    })
    const { harvest } = behind({
      body: {
        elements: [element('saas alone', 1), element('saas or leadership', 2)],
        pagination: { pageNumber: 1, totalPages: 1, totalElements: 2 },
      },
    })
    expect((await harvest.searchPosts({ ...search, term: long }, null)).items.map(({ text }) => text)).toEqual([
      'saas or leadership',
    ])
  })
  test('author keywords are alternatives, none of which holds an operator, a group or an open phrase of its own', async () => {
    expect((await asked('a', ['VP AND (Head OR Chief)', 'NOT "intern', '"head of growth"', '()']))[2]).toBe(
      'VP and Head or Chief OR not intern OR "head of growth"',
    )
  })
})

describe('HarvestAPI', () => {
  test('a job title comes from a job held now, and never from the headline; a localised place is read by its code', async () => {
    const past = {
      position: 'Intern',
      companyName: 'Old Mill',
      startDate: { text: 'Jan 2019' },
      endDate: { text: 'Mar 2020' },
    }
    const element = {
      id: ada,
      firstName: 'Ada',
      lastName: 'Quill',
      headline: 'CEO whisperer',
      location: { linkedinText: 'Deutschland', countryCode: 'DE' },
    }
    const present = {
      position: 'Editor',
      companyName: 'Paper Moon',
      companyId: '42',
      companyLinkedinUrl: 'https://www.linkedin.com/company/paper-moon/',
      startDate: { month: 'Mar', year: 2021, text: 'Mar 2021' },
    }
    const editor = {
      jobTitle: 'Editor',
      country: 'Germany',
      company: { urn: 'urn:li:company:42', slug: 'paper-moon', name: 'Paper Moon' },
    }
    const read = (more: object) =>
      behind({ body: { element: { ...element, ...more } } }).harvest.profile({ handle: 'ada' })
    for (const end of [
      { endDate: { text: 'Present' } },
      { endDate: 'Present' },
      { endDate: null },
      {},
      { endDate: { text: '' } },
    ])
      expect(await read({ currentPosition: [], experience: [past, { ...present, ...end }] })).toMatchObject(editor)
    expect(await read({ currentPosition: [{ companyName: 'Paper Moon' }], experience: [past, present] })).toMatchObject(
      editor,
    )
    for (const none of [
      { experience: [past] },
      { currentPosition: null },
      {},
      { experience: [{ position: 'Editor', companyName: 'Paper Moon' }] },
      { experience: [{ ...present, endDate: { year: 2024 } }] },
    ]) {
      expect(await read(none)).toMatchObject({ headline: 'CEO whisperer', jobs: [], jobTitle: null, company: null })
    }
  })

  test('of several jobs held now the one marked first counts, and all are kept', async () => {
    const board = {
      position: 'Board member',
      companyName: 'Tin Drum',
      companyId: '7',
      startDate: { text: '2020' },
      endDate: null,
    }
    const founder = {
      position: 'Founder',
      companyName: 'Paper Moon',
      companyId: '42',
      companyUniversalName: 'paper-moon',
      startDate: { text: 'May 2022' },
      endDate: { text: 'Present' },
    }
    const { harvest } = behind({
      body: {
        element: {
          id: ada,
          headline: 'Everything',
          currentPosition: [{ companyName: 'paper moon' }],
          experience: [
            board,
            founder,
            { position: 'Advisor', companyName: 'Paper Moon', companyId: '42', startDate: { text: '2023' } },
          ],
        },
      },
    })
    expect(await harvest.profile({ urn: ada })).toMatchObject({
      jobTitle: 'Founder',
      company: { urn: 'urn:li:company:42' },
      jobs: [
        { title: 'Founder', company: { urn: 'urn:li:company:42', slug: 'paper-moon', name: 'paper moon' } },
        { title: 'Board member', company: { urn: 'urn:li:company:7' } },
        { title: 'Advisor' },
      ],
    })
  })

  test('a country is called the same whichever vendor names it', async () => {
    const parsed = {
      countryCode: 'US',
      country: 'United States',
      countryFull: 'United States of America',
      city: 'Austin',
      state: 'Texas',
    }
    const { harvest } = behind(
      { body: { element: { id: ada, location: { parsed } } } },
      { body: { element: { id: 42, name: 'Blue', locations: [{ country: 'US', headquarter: true, parsed }] } } },
    )
    expect(await harvest.profile({ urn: ada })).toMatchObject({ country: 'United States', countryCode: 'US' })
    expect(await harvest.company({ slug: 'blue' })).toMatchObject({ headquarters: 'Austin, Texas, United States' })
  })

  test('an older company sample', async () => {
    const { harvest } = behind({
      body: {
        element: {
          id: 42,
          universalName: 'Blue-Works',
          name: 'Blue Works',
          industries: ['Banking'],
          employeeCountRange: { start: 10001, end: null },
          logos: [
            { url: 'https://img.example/s', width: 100 },
            { url: 'https://img.example/l', width: 400 },
          ],
          locations: [{ country: 'US', city: 'Austin', geographicArea: 'Texas', headquarter: true }],
        },
      },
    })
    expect(await harvest.company({ urn: 'urn:li:company:42' })).toMatchObject({
      urn: 'urn:li:company:42',
      slug: 'blue-works',
      industry: 'Banking',
      staffRange: '10001+',
      logoUrl: 'https://img.example/l',
      headquarters: 'Austin, Texas, United States',
      website: null,
      foundedYear: null,
    })
  })

  test('odd rows of a feed are left out one by one', async () => {
    const author = {
      id: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH',
      type: 'profile',
      name: 'Ada',
      linkedinUrl: 'https://www.linkedin.com/in/ada',
    }
    const elements = [
      {
        id: '7390000000000000001',
        content: 'One',
        author,
        engagement: {
          likes: 3,
          comments: 1,
          reactions: [
            { type: 'LIKE', count: 3 },
            { type: 'PRAISE', count: 2 },
          ],
        },
        postedAt: { postedAgoShort: '7h' },
      },
      { id: 'urn:li:groupPost:5-6', content: 'In a group', author },
      {
        id: '7390000000000000002',
        content: 'Liked by Ada',
        author: { ...author, id: 'ACoAAZ9bcdefghijklmnopqrstuvwxyzBCDEFGH' },
      },
      {
        id: '7390000000000000003',
        content: 'The original',
        author,
        repostedBy: { name: 'Ada' },
        header: { text: 'Ada reposted this' },
      },
      'nonsense',
      null,
      {
        id: '7390000000000000004',
        content: 'Job',
        author,
        article: { link: 'https://www.linkedin.com/jobs/view/9' },
        shareUrn: 'urn:li:share:88',
      },
    ]
    const { harvest, asked } = behind({
      body: {
        elements,
        pagination: { totalElements: 6, totalPages: 2, pageNumber: 1, pageSize: 50, paginationToken: 'tok' },
      },
    })
    const page = await harvest.posts(
      { kind: 'person', handle: 'ada', urn: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH' },
      null,
    )
    expect(
      page.items.map(({ urn, postedAt, contentType, totalReactionCount, aliases }) => [
        urn.at(-1),
        postedAt,
        contentType,
        totalReactionCount,
        aliases,
      ]),
    ).toEqual([
      ['1', null, null, 5, []],
      ['4', null, 'JOB', null, ['urn:li:share:88']],
    ])
    await harvest.posts({ kind: 'person', handle: 'ada', urn: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH' }, page.next)
    expect(Object.fromEntries(asked[1]!.searchParams)).toEqual({
      profileId: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH',
      page: '2',
      paginationToken: 'tok',
    })
  })

  test('found posts are known by their activity; group posts, bare reposts and odd rows are left out', async () => {
    const author = {
      id: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH',
      type: 'profile',
      name: 'Ada',
      linkedinUrl: 'https://www.linkedin.com/in/ada',
    }
    const group = 'urn:li:groupPost:5-6'
    const elements = [
      {
        id: '7390000000000000001',
        content: 'One',
        author,
        linkedinUrl: 'https://www.linkedin.com/posts/ada_one-activity-7390000000000000001-AbCd?x=1',
      },
      {
        id: '7389999999999999999',
        content: 'Two',
        author,
        linkedinUrl: 'https://www.linkedin.com/posts/ada_two-share-7389999999999999999-AbCd',
        engagement: { id: '7390000000000000002', likes: 4 },
      },
      { id: 'urn:li:ugcPost:77', content: 'Three', author, engagement: { id: 'urn:li:activity:7390000000000000003' } },
      {
        id: '6',
        content: 'In a group',
        author,
        linkedinUrl: `https://www.linkedin.com/feed/update/${group}`,
        engagement: { id: '6' },
      },
      { id: group, content: 'In a group', author },
      { id: '7390000000000000004', content: 'Theirs', author, repostedBy: { name: 'Ada' } },
      null,
      7,
    ]
    const { harvest } = behind({
      body: { elements, pagination: { totalElements: 8, totalPages: 1, pageNumber: 1, pageSize: 50 } },
    })
    const page = await harvest.searchPosts(search, null)
    expect(page.items.map(({ urn, url, aliases }) => [urn.slice(-1), url.slice(24), aliases])).toEqual([
      ['1', '/posts/ada_one-activity-7390000000000000001-AbCd', []],
      ['2', '/posts/ada_two-share-7389999999999999999-AbCd', ['urn:li:share:7389999999999999999']],
      ['3', '/feed/update/urn:li:activity:7390000000000000003', ['urn:li:ugcPost:77']],
    ])
    expect(page).toMatchObject({ next: null, total: 8, cutShort: false, unapplied: [] })
  })

  test.each([
    [{ body: [] }, 'malformed'],
    [{ body: 'null' }, 'malformed'],
    [{ body: '' }, 'malformed'],
    [{ body: { element: {} } }, 'malformed'],
    [{ status: 302, body: '', headers: { location: 'https://elsewhere.example' } }, 'malformed'],
    [{ status: 404, body: '<html>' }, 'not_found'],
  ] as const)('%j is %s', async (served, kind) => {
    expect((await failureOf(behind(served).harvest.profile({ handle: 'ada' }))).kind).toBe(kind)
  })
})

describe('LinkdAPI', () => {
  test('the place in a list of comments counts the rows served, kept or not', async () => {
    const base = 'https://www.linkedin.com/feed/update/urn:li:activity:7390000000000000001'
    const row = (id: number) => ({
      author: { urn: ada, name: 'Ada', type: 'profile', url: 'https://www.linkedin.com/in/ada' },
      comment: `Comment ${id}`,
      permalink: `${base}?commentUrn=${encodeURIComponent(`urn:li:comment:(activity:7390000000000000001,${id})`)}`,
    })
    // The third of ten does not say which comment it is.
    const comments = Array.from({ length: 10 }, (_, at) => ({ ...row(at + 1), ...(at === 2 && { permalink: base }) }))
    const { linkd, asked } = behind(
      { body: ok({ comments, cursor: 'more', total: 11 }) },
      { body: ok({ comments: [row(11)], cursor: null, total: 11 }) },
    )
    const first = await linkd.comments(post, null)
    expect(first.items.map(({ id }) => id)).toEqual(['1', '2', '4', '5', '6', '7', '8', '9', '10'])
    expect((await linkd.comments(post, first.next)).items.map(({ id }) => id)).toEqual(['11'])
    expect(asked.map(({ searchParams }) => [searchParams.get('start'), searchParams.get('cursor')])).toEqual([
      ['0', null],
      ['10', 'more'],
    ])
  })

  test('a country is named in English whatever the language of the answer', async () => {
    const { linkd } = behind({
      body: ok({
        urn: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH',
        username: 'Ada',
        geo: { country: 'Allemagne', countryCode: 'de' },
        fullPositions: [
          { title: 'Was', end: { year: 2020 } },
          { title: 'Is', companyId: 0, companyName: 'Self', companyUsername: '', companyURL: '', end: { year: 0 } },
        ],
      }),
    })
    expect(await linkd.profile({ handle: 'ada' })).toMatchObject({
      handle: 'ada',
      country: 'Germany',
      countryCode: 'DE',
      jobTitle: 'Is',
      company: { urn: null, slug: null, name: 'Self' },
    })
  })

  test('a job title comes from a job held now, the one marked first, and never from the headline', async () => {
    const profile = (more: object) =>
      behind({ body: ok({ urn: ada, username: 'ada', headline: 'CEO whisperer', ...more }) }).linkd.profile({
        handle: 'ada',
      })
    const past = { title: 'Was', companyName: 'Old Mill', start: { year: 2019 }, end: { year: 2020 } }
    const board = { title: 'Board member', companyName: 'Tin Drum', companyId: 7, start: { year: 2020, month: 1 } }
    const founder = {
      title: 'Founder',
      companyName: 'Paper Moon',
      companyId: 42,
      companyUsername: 'paper-moon',
      start: { year: 2021 },
      end: null,
    }
    const both = [
      { title: 'Founder', company: { urn: 'urn:li:company:42', slug: 'paper-moon', name: 'Paper Moon' } },
      { title: 'Board member', company: { urn: 'urn:li:company:7', slug: null, name: 'Tin Drum' } },
    ]
    expect(
      await profile({
        currentPositions: [
          { urn: '42', name: 'Paper Moon', url: 'https://www.linkedin.com/company/paper-moon/', logoURL: '' },
        ],
        fullPositions: [past, board, founder],
      }),
    ).toMatchObject({ jobTitle: 'Founder', company: both[0]!.company, jobs: both })
    expect(await profile({ fullPositions: [past, board, founder] })).toMatchObject({
      jobTitle: 'Board member',
      jobs: both.toReversed(),
    })
    for (const none of [
      { fullPositions: [past] },
      { fullPositions: null },
      { fullPositions: [{ title: 'Is', companyName: 'Tin Drum', end: null }] },
      { fullPositions: [{ ...past, end: 'unreadable' }] },
    ]) {
      expect(await profile(none)).toMatchObject({ headline: 'CEO whisperer', jobs: [], jobTitle: null, company: null })
    }
  })

  test('the nested form of a company is read too, and unknown years are none', async () => {
    const { linkd } = behind({
      body: ok({
        company: {
          id: '42',
          universalName: 'x',
          name: 'X',
          founded: { year: 0 },
          staffCountRange: '10,001+ employees',
          website: '',
          images: { logo: '', cover: 'https://img.example/c' },
        },
      }),
    })
    expect(await linkd.company({ slug: 'x' })).toMatchObject({
      urn: 'urn:li:company:42',
      foundedYear: null,
      staffRange: '10001+',
      website: null,
      logoUrl: null,
      coverUrl: 'https://img.example/c',
    })
  })

  test('reposts and liked posts of a feed are left out, a withheld text is null', async () => {
    const author = {
      name: 'Ada',
      urn: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH',
      url: 'https://www.linkedin.com/in/ada',
    }
    const posts = [
      {
        urn: 'urn:li:activity:1',
        text: '',
        author,
        postedAt: '7h',
        mediaContent: [{ type: 'celebration' }, { type: 'video' }],
      },
      { urn: 'urn:li:activity:2', text: 'x', author, header: 'Ada reposted this' },
      {
        urn: 'urn:li:activity:3',
        text: 'x',
        author: { ...author, urn: 'ACoAAZ9bcdefghijklmnopqrstuvwxyzBCDEFGH' },
        header: 'Ada likes this',
      },
    ]
    const { linkd } = behind({ body: ok({ cursor: '', posts }) })
    expect(
      await linkd.posts({ kind: 'person', handle: 'ada', urn: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH' }, null),
    ).toMatchObject({
      items: [
        {
          urn: 'urn:li:activity:1',
          text: null,
          postedAt: null,
          contentType: 'VIDEO',
          url: 'https://www.linkedin.com/feed/update/urn:li:activity:1',
        },
      ],
      next: null,
    })
  })

  test('found posts have names of their own for number and address; who lacks the author keyword is left out', async () => {
    const author = {
      name: 'Ada',
      urn: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH',
      url: 'https://www.linkedin.com/in/ada',
      headline: 'Founder and CEO',
    }
    const posts = [
      {
        postID: '7390000000000000001',
        postURL: 'https://www.linkedin.com/posts/ada_x-activity-7390000000000000001-AbCd',
        text: 'One',
        author,
        postedAt: { timestamp: Date.parse('2026-11-19T10:00:00.000Z') },
      },
      {
        urn: 'urn:li:share:88',
        postID: '88',
        postURL: 'https://www.linkedin.com/feed/update/urn:li:activity:7390000000000000002',
        text: 'Two',
        author: { ...author, headline: 'Chief of staff' },
      },
      { urn: 'urn:li:share:99', postID: '99', text: 'Unresolved', author },
      { postID: '7390000000000000003', text: 'Somebody', author: { ...author, headline: null } },
    ]
    const { linkd } = behind({ body: ok({ posts, total: 40, start: 0, count: 4, hasMore: true }) })
    const page = await linkd.searchPosts({ ...search, filters: { authorKeyword: ['cto', 'CEO'] } }, null)
    expect(page.items.map(({ urn, postedAt }) => [urn, postedAt])).toEqual([
      ['urn:li:activity:7390000000000000001', '2026-11-19T10:00:00.000Z'],
    ])
    expect(page).toMatchObject({ next: { start: 4 }, total: 40, unapplied: [] })
    expect((await linkd.searchPosts(search, null)).items.map(({ urn }) => urn.at(-1))).toEqual(['1', '2', '3'])
  })

  const somebody = { body: ok({ urn: 'ACoAAB1bcdefghijklmnopqrstuvwxyzBCDEFGH', username: 'ada' }) }
  /** Calls that are answered before our own budget says no more. */
  const callsBeforeOwnLimit = async (linkd: ReturnType<typeof behindTier>['linkd']): Promise<number> => {
    for (let calls = 0; ; calls += 1) {
      const ended = await linkd.resolveHandle('ada', { timeoutMs: 1_000 }).then(
        () => null,
        (error: unknown) => error,
      )
      if (ended !== null) {
        expect(ended).toMatchObject({ kind: 'rate_limited', cause: { name: 'BudgetExhausted' } })
        return calls
      }
    }
  }
  test("the account's own calls a minute are read beside the first call and kept to before it ever refuses one", async () => {
    const { linkd, tierAsked } = behindTier({ body: ok({ current_tier: { limit_per_minute: 7 } }) }, somebody)
    expect(await callsBeforeOwnLimit(linkd)).toBe(7)
    expect(tierAsked()).toBe(1)
  })
  test.each([
    ['cannot be asked', 'unreachable'],
    ['refuses to say', { status: 500, body: {} }],
    ['answers a page', { body: '<html>' }],
  ] as const)('the documented rate holds while the account %s', async (_what, tier) => {
    const { linkd, tierAsked } = behindTier(tier, somebody)
    expect(await callsBeforeOwnLimit(linkd)).toBe(30)
    expect(tierAsked()).toBe(1)
  })
})
