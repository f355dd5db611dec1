import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NetworkProvider, PostSearch, SearchFilters } from '../../src/providers/ports.ts'
import { type Outside, openOutside, readAll } from './fixtures.ts'
import { failureOf, vendorNames } from './quick.ts'

let outside: Outside
const at = (hoursAgo: number) => new Date(Date.UTC(2026, 10, 20, 12) - hoursAgo * 3_600_000).toISOString()
const search = (term: string, change: Partial<PostSearch> = {}): PostSearch => ({
  term,
  sort: 'RELEVANCE',
  datePosted: 'PAST_MONTH',
  contentType: null,
  filters: {},
  ...change,
})
const ids = { finn: '', gwen: '', kiln: '', anvil: '' }

beforeAll(async () => {
  outside = await openOutside()
  const { world } = outside.sandbox
  ids.kiln = world.seedCompany({ slug: 'kiln-co', name: 'Kiln', industry: 'Pottery' }).id
  ids.anvil = world.seedCompany({ slug: 'anvil-co', name: 'Anvil' }).id
  world.seedSearch({
    posts: [
      {
        author: {
          handle: 'finn-potter',
          name: 'Finn Potter',
          headline: 'Potter and teacher',
          country: 'NO',
          company: 'kiln-co',
          title: 'Founder',
        },
        text: 'Glazeworks loves cobalt and copper',
        postedAt: at(2),
        contentType: 'video',
        reactions: 12,
        comments: 3,
      },
      {
        author: {
          handle: 'gwen-smith',
          name: 'Gwen Smith',
          headline: 'Head of Metal Growth',
          company: 'anvil-co',
          title: 'Smith',
        },
        text: 'Cobalt glazeworks, and copper cobalt too',
        postedAt: at(60),
        contentType: 'image',
        declaredReactions: 900,
        mentions: ['finn-potter', { company: 'kiln-co' }],
      },
      {
        author: { company: 'kiln-co' },
        text: 'The glazeworks page speaks of copper',
        postedAt: at(200),
        contentType: 'document',
      },
      { author: 'gwen-smith', text: 'An old glazeworks story', postedAt: at(24 * 40) },
      { author: 'gwen-smith', text: 'Glazeworks in a group', postedAt: at(5), inGroup: true },
      { author: 'finn-potter', text: 'A post of another kind', postedAt: at(1), contentType: 'job' },
      { author: 'finn-potter', text: 'A live glazing', postedAt: at(1), contentType: 'live_video' },
      { author: 'finn-potter', text: 'A collaborative glazing', postedAt: at(1), contentType: 'collaborative_article' },
    ],
  })
  ids.finn = world.person('finn-potter')!.id
  ids.gwen = world.person('gwen-smith')!.id
})
afterAll(() => outside.close())
beforeEach(() => {
  outside.sandbox.world.clearFaults()
  outside.sandbox.world.clearCalls()
})

describe.each(vendorNames)('%s', (name) => {
  let vendor: NetworkProvider
  beforeEach(() => {
    vendor = outside.vendor(name)
  })
  const all = async (asked: PostSearch) => (await readAll((cursor) => vendor.searchPosts(asked, cursor))).items
  const texts = async (asked: PostSearch) =>
    (await all(asked)).map(({ text }) => text?.split(' ').slice(0, 2).join(' ')).toSorted()
  const filtered = (filters: SearchFilters) => texts(search('glazeworks', { filters }))

  test('a term is all its words in any order, a quoted one a phrase [KEY-12]', async () => {
    expect(await texts(search('copper glazeworks'))).toEqual([
      'Cobalt glazeworks,',
      'Glazeworks loves',
      'The glazeworks',
    ])
    expect(await texts(search('"copper cobalt"'))).toEqual(['Cobalt glazeworks,'])
    expect(await texts(search('"cobalt copper"'))).toEqual([])
  })

  test('only posts of the asked window [KEY-18]', async () => {
    expect(await texts(search('glazeworks', { datePosted: 'PAST_24_HOURS' }))).toEqual(['Glazeworks loves'])
    expect(await texts(search('glazeworks', { datePosted: 'PAST_WEEK' }))).toEqual([
      'Cobalt glazeworks,',
      'Glazeworks loves',
    ])
    expect(await texts(search('glazeworks'))).toEqual(['Cobalt glazeworks,', 'Glazeworks loves', 'The glazeworks'])
  })

  test('only posts of the asked content type [KEY-19]', async () => {
    expect(await texts(search('glazeworks', { contentType: 'VIDEO' }))).toEqual(['Glazeworks loves'])
    expect(await texts(search('glazeworks', { contentType: 'IMAGE' }))).toEqual(['Cobalt glazeworks,'])
    expect(await texts(search('glazeworks', { contentType: 'DOCUMENT' }))).toEqual(['The glazeworks'])
    for (const contentType of ['JOB', 'LIVE_VIDEO', 'COLLABORATIVE_ARTICLE'] as const) {
      const items = await all(search('a', { contentType, filters: { fromPerson: [ids.finn] } }))
      expect(items.map((item) => item.contentType)).toEqual([contentType])
    }
  })

  test('every targeting filter narrows what is found, and none is left unapplied [KEY-20..KEY-26]', async () => {
    expect(await filtered({ fromPerson: [ids.finn] })).toEqual(['Glazeworks loves'])
    expect(await filtered({ fromPerson: [ids.finn, ids.gwen] })).toEqual(['Cobalt glazeworks,', 'Glazeworks loves'])
    expect(await filtered({ fromCompany: [ids.kiln] })).toEqual(['The glazeworks'])
    expect(await filtered({ mentionsPerson: [ids.finn] })).toEqual(['Cobalt glazeworks,'])
    expect(await filtered({ mentionsCompany: [ids.kiln] })).toEqual(['Cobalt glazeworks,'])
    expect(await filtered({ mentionsCompany: [ids.anvil] })).toEqual([])
    expect(await filtered({ authorCompany: [ids.anvil] })).toEqual(['Cobalt glazeworks,'])
    expect(await filtered({ authorIndustry: [outside.sandbox.world.company('kiln-co')!.industry.id] })).toEqual([
      'Glazeworks loves',
      'The glazeworks',
    ])
    expect(await filtered({ authorKeyword: ['metal'] })).toEqual(['Cobalt glazeworks,'])
    expect(await filtered({ authorKeyword: ['nobody', 'teacher potter', 'head of metal'] })).toEqual([
      'Cobalt glazeworks,',
      'Glazeworks loves',
    ])
    expect(await filtered({ authorKeyword: [], fromPerson: [] })).toHaveLength(3)
    const every: Required<SearchFilters> = {
      authorIndustry: ['9999'],
      authorCompany: [ids.kiln],
      authorKeyword: ['potter'],
      fromPerson: [ids.finn],
      fromCompany: [],
      mentionsPerson: [ids.gwen],
      mentionsCompany: [ids.anvil],
    }
    expect(await vendor.searchPosts(search('glazeworks', { filters: every }), null)).toMatchObject({
      items: [],
      next: null,
      unapplied: [],
    })
  })

  test('a found post is the same post as elsewhere', async () => {
    for (const found of (await vendor.searchPosts(search('sales automation'), null)).items.slice(0, 5)) {
      expect({ ...(await vendor.post(found.urn)), url: '', aliases: [] }).toEqual({ ...found, url: '', aliases: [] })
    }
    const [gwen] = await all(search('"copper cobalt"'))
    expect(gwen).toMatchObject({
      totalReactionCount: 900,
      author: { kind: 'person', urn: ids.gwen, name: 'Gwen Smith', headline: 'Head of Metal Growth' },
    })
    const [page] = await all(search('"page speaks of copper"'))
    expect(page?.author).toMatchObject({
      kind: 'company',
      urn: `urn:li:company:${ids.kiln}`,
      url: 'https://www.linkedin.com/company/kiln-co',
    })
  })

  test('every found post has an activity number; those without one are left out', async () => {
    const items = await all(search('sales automation', { datePosted: 'PAST_WEEK' }))
    expect(items.length).toBeGreaterThan(20)
    expect(new Set(items.map(({ urn }) => urn)).size).toBe(items.length)
    for (const { urn } of items) expect(urn).toMatch(/^urn:li:activity:7\d{18}$/)
    expect(items.some(({ author }) => author.kind === 'company')).toBe(true)
    expect(await all(search('"glazeworks in a group"'))).toEqual([])
  })

  test('a search that finds nothing is one call', async () => {
    expect(await vendor.searchPosts(search('zzzz'), null)).toMatchObject({
      items: [],
      next: null,
      total: 0,
      cutShort: false,
      unapplied: [],
    })
    expect(outside.sandbox.world.calls()).toHaveLength(1)
  })

  test('a term longer than the network reads is judged here to its end', async () => {
    const long = 'glazeworks cobalt copper and loves the wheel and the kiln and the clay and the water and the fire too'
    outside.sandbox.world.seedSearch({
      posts: [
        { id: '7596000000000000001', author: 'gwen-smith', text: long, postedAt: at(9) },
        { id: '7596000000000000002', author: 'gwen-smith', text: `${long.slice(0, 88)} earth`, postedAt: at(9) },
      ],
    })
    expect((await all(search(long))).map(({ text }) => text)).toEqual([long])
    const asked = outside.sandbox.world.calls()[0]!.query
    expect((asked.search ?? asked.keyword)!.length).toBeLessThanOrEqual(85)
    for (const id of ['7596000000000000001', '7596000000000000002'])
      outside.sandbox.world.seedPost({ author: 'gwen-smith', id, exists: false })
  })

  test('a first page that claims more than it has ends the read as cut short', async () => {
    outside.sandbox.world.fault({ kind: 'empty_more', vendor: name })
    expect(await vendor.searchPosts(search('cold outreach'), null)).toMatchObject({
      items: [],
      next: null,
      cutShort: true,
    })
  })

  test('hostile text comes out plain and bounded', async () => {
    outside.sandbox.world.fault({ kind: 'hostile_text', vendor: name })
    const { items } = await vendor.searchPosts(search('cold outreach'), null)
    expect(items.length).toBeGreaterThan(5)
    expect(Math.max(...items.map(({ text }) => text?.length ?? 0))).toBe(20_000)
    for (const text of items.flatMap(({ text, author }) => [text, author.name, author.headline])) {
      expect(text ?? '').not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/)
      expect((text ?? '').isWellFormed()).toBe(true)
    }
  })

  test('an answer of another shape is malformed, one with odd rows loses only those', async () => {
    outside.sandbox.world.fault({
      kind: 'missing_fields',
      vendor: name,
      fields: name === 'harvestapi' ? ['elements'] : ['posts'],
    })
    expect((await failureOf(vendor.searchPosts(search('cold outreach'), null))).kind).toBe('malformed')
    outside.sandbox.world.clearFaults()
    outside.sandbox.world.fault({
      kind: 'missing_fields',
      vendor: name,
      fields: ['author', 'postedAt', 'engagement', 'engagements', 'mediaContent'],
    })
    const { items } = await vendor.searchPosts(search('cold outreach', { datePosted: 'PAST_WEEK' }), null)
    expect(items.length).toBeGreaterThan(5)
    expect(items[0]).toMatchObject({
      postedAt: null,
      totalReactionCount: null,
      commentsCount: null,
      author: { kind: 'person', urn: null, name: null },
    })
  })
})

describe('on the wire', () => {
  const every: PostSearch = {
    term: '"cold call"  sales',
    sort: 'DATE_POSTED',
    datePosted: 'PAST_24_HOURS',
    contentType: 'LIVE_VIDEO',
    filters: {
      authorIndustry: ['4', '6'],
      authorCompany: ['11', '12'],
      authorKeyword: ['head of growth', 'founder'],
      fromPerson: ['ACoAA1', 'ACoAA2'],
      fromCompany: ['21'],
      mentionsPerson: ['ACoAA3'],
      mentionsCompany: ['31', '32'],
    },
  }
  test('LinkdAPI is gone through page by page, though what is judged here leaves most of each page out', async () => {
    const asked = search('cold outreach', { sort: 'DATE_POSTED', filters: { authorKeyword: ['manager'] } })
    const { pages, items } = await readAll((cursor) => outside.vendor('linkdapi').searchPosts(asked, cursor))
    const places = outside.sandbox.world.calls().map(({ query }) => Number(query.start ?? 0))
    expect(places).toEqual(pages.map((_page, at) => at * 10))
    expect(pages.length).toBeGreaterThan(3)
    expect(items.length).toBeGreaterThan(0)
    expect(items.length).toBeLessThan((pages.length - 1) * 10)
    expect(new Set(items.map(({ urn }) => urn)).size).toBe(items.length)
  })

  test('LinkdAPI is asked once for every choice of single values, each read to its end', async () => {
    const { items } = await readAll((cursor) => outside.vendor('linkdapi').searchPosts(every, cursor))
    const choices = outside.sandbox.world
      .calls()
      .map(({ query: { authorIndustry, authorCompany, fromMember, mentionsMember } }) =>
        [authorIndustry, authorCompany, fromMember, mentionsMember].join(),
      )
    expect([items, choices.length, new Set(choices)]).toEqual([
      [],
      8,
      new Set(
        ['4', '6'].flatMap((industry) =>
          ['11', '12'].flatMap((company) =>
            ['ACoAA1', 'ACoAA2'].map((member) => `${industry},${company},${member},ACoAA3`),
          ),
        ),
      ),
    ])
    const many = Array.from({ length: 20 }, (_, n) => String(n + 1))
    const { pages } = await readAll((cursor) =>
      outside
        .vendor('linkdapi')
        .searchPosts({ ...every, filters: { authorIndustry: many, authorCompany: many } }, cursor),
    )
    // Four hundred choices exceed the limit, and the read says so.
    expect([pages.length, pages.at(-1)!.cutShort, pages.slice(0, -1).some(({ cutShort }) => cutShort)]).toEqual([
      50,
      true,
      false,
    ])
  })

  test('both vendors find the same posts', async () => {
    const [one, other] = await Promise.all(
      vendorNames.map(async (name) => {
        const asked = search('revenue operations', { sort: 'DATE_POSTED' })
        const { items } = await readAll((cursor) => outside.vendor(name).searchPosts(asked, cursor))
        return items.map((post) => ({ ...post, url: '', aliases: [] })).toSorted((a, b) => a.urn.localeCompare(b.urn))
      }),
    )
    expect(one!.length).toBeGreaterThan(50)
    expect(other).toEqual(one)
  })
})
