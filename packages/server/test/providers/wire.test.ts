/** Requests as sent, and wire shapes that neither the sandbox nor a single recorded answer shows. */
import { describe, expect, test } from 'vitest'
import type { PostSearch } from '../../src/providers/ports.ts'
import { adaptersAnswering, failureOf } from './quick.ts'

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

describe('what is sent of a term', () => {
  const asked = async (term: string, authorKeyword?: string[]) => {
    const {
      asked: urls,
      harvest,
      linkd,
    } = adaptersAnswering(
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
    const { harvest } = adaptersAnswering({
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
      adaptersAnswering({ body: { element: { ...element, ...more } } }).harvest.profile({ handle: 'ada' })
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

  test('the next page of a feed is asked for with the token of the one before', async () => {
    const author = { id: ada, type: 'profile', name: 'Ada', linkedinUrl: 'https://www.linkedin.com/in/ada' }
    const { harvest, asked } = adaptersAnswering({
      body: {
        elements: [{ id: '7390000000000000001', content: 'One', author }],
        pagination: { totalElements: 6, totalPages: 2, pageNumber: 1, pageSize: 50, paginationToken: 'tok' },
      },
    })
    const person = { kind: 'person', handle: 'ada', urn: ada } as const
    await harvest.posts(person, (await harvest.posts(person, null)).next)
    expect(Object.fromEntries(asked[1]!.searchParams)).toEqual({ profileId: ada, page: '2', paginationToken: 'tok' })
  })

  test.each([
    [{ body: [] }, 'malformed'],
    [{ body: 'null' }, 'malformed'],
    [{ body: '' }, 'malformed'],
    [{ body: { element: {} } }, 'malformed'],
    [{ status: 302, body: '', headers: { location: 'https://elsewhere.example' } }, 'malformed'],
    [{ status: 404, body: '<html>' }, 'not_found'],
  ] as const)('%j is %s', async (served, kind) => {
    expect((await failureOf(adaptersAnswering(served).harvest.profile({ handle: 'ada' }))).kind).toBe(kind)
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
    // The third of ten comments has no id.
    const comments = Array.from({ length: 10 }, (_, at) => ({ ...row(at + 1), ...(at === 2 && { permalink: base }) }))
    const { linkd, asked } = adaptersAnswering(
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

  test('a job title comes from a job held now, the one marked first, and never from the headline', async () => {
    const profile = (more: object) =>
      adaptersAnswering({ body: ok({ urn: ada, username: 'ada', headline: 'CEO whisperer', ...more }) }).linkd.profile({
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
})
