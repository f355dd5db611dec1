import { describe, expect, test } from 'vitest'
import {
  commentKeysInUrl,
  commentNumber,
  contentTypeOfLink,
  postAddress,
  readPostKeys,
  readPostUrl,
  readReaction,
  instant,
} from '../../src/providers/network/normal/posts.ts'
import {
  companyUrn,
  readCompanyPage,
  readEmployer,
  readWebsite,
  staffRangeOf,
} from '../../src/providers/network/normal/companies.ts'
import { readCountry, headquartersOf } from '../../src/providers/network/normal/places.ts'
import { handleInUrl, isCompany, memberIdIn, readActor, readName } from '../../src/providers/network/normal/people.ts'
import { decideEnd } from '../../src/providers/network/paging.ts'

describe('people', () => {
  test('the member id is found in ids, URNs and addresses', () => {
    for (const text of [
      'ACoAAB12_x-9bcdefghijklmnopqrstuvwxyzBC',
      'urn:li:fsd_profile:ACoAAB12_x-9bcdefghijklmnopqrstuvwxyzBC',
      'https://www.linkedin.com/in/ACoAAB12_x-9bcdefghijklmnopqrstuvwxyzBC/',
      'urn:li:fsd_reaction:(urn:li:fsd_profile:ACoAAB12_x-9bcdefghijklmnopqrstuvwxyzBC,urn:li:activity:7,0)',
    ])
      expect(memberIdIn(null, text)).toBe('ACoAAB12_x-9bcdefghijklmnopqrstuvwxyzBC')
    for (const text of ['urn:li:member:12345', 'xACoAABbcdefghijklmnopqrstuvwxyzBCDEFGHI', 'acoaab', '', null])
      expect(memberIdIn(text)).toBeNull()
  })

  test('the handle is the slug in lower case, never a member id', () => {
    expect(handleInUrl('https://www.linkedin.com/in/Ada-Quill/?trk=x')).toBe('ada-quill')
    expect(handleInUrl('https://uk.linkedin.com/in/zo%C3%AB-x')).toBe('zoë-x')
    expect(handleInUrl('https://www.linkedin.com/in/%E0%A4%A')).toBe(null)
    for (const url of [
      'https://www.linkedin.com/in/ACoAAB12bcdefghijklmnopqrstuvwxyzBCDEFG',
      'https://www.linkedin.com/company/x',
      '',
      null,
    ])
      expect(handleInUrl(url)).toBeNull()
  })

  test('placeholders and ids are no names', () => {
    for (const name of [
      'LinkedIn Member',
      ' linkedin member ',
      'ACoAAB12_xbcdefghijklmnopqrstuvwxyzBCDE',
      'urn:li:member:1',
      '12345',
      '',
      null,
    ])
      expect(readName(name)).toBeNull()
    expect(readName('Linked Inwood')).toBe('Linked Inwood')
    expect(readName('x'.repeat(400))).toHaveLength(300)
  })

  test('pages are told from people by type, address or id', () => {
    expect(isCompany({ type: 'company', url: null, ids: [] })).toBe(true)
    expect(isCompany({ type: 'COMPANY', url: null, ids: [] })).toBe(true)
    expect(isCompany({ type: null, url: 'https://www.linkedin.com/company/x/posts', ids: [] })).toBe(true)
    expect(
      isCompany({ type: null, url: null, ids: ['urn:li:fsd_reaction:(urn:li:fsd_company:5,urn:li:activity:7,0)'] }),
    ).toBe(true)
    expect(
      isCompany({
        type: 'profile',
        url: 'https://www.linkedin.com/in/company',
        ids: ['ACoAABbcdefghijklmnopqrstuvwxyzBCDEFGHI'],
      }),
    ).toBe(false)
  })

  test('nobody is made of a row without a member id', () => {
    expect(
      readActor({
        type: null,
        ids: ['urn:li:member:5'],
        name: 'X',
        headline: null,
        url: 'https://www.linkedin.com/in/x',
        avatar: null,
      }),
    ).toBeNull()
    expect(
      readActor({
        type: null,
        ids: ['ACoAAB12bcdefghijklmnopqrstuvwxyzBCDEFG'],
        name: 'X',
        headline: '',
        url: null,
        avatar: 'javascript:alert(1)',
      }),
    ).toEqual({
      kind: 'person',
      urn: 'ACoAAB12bcdefghijklmnopqrstuvwxyzBCDEFG',
      name: 'X',
      headline: null,
      handle: null,
      linkedinUrl: 'https://www.linkedin.com/in/ACoAAB12bcdefghijklmnopqrstuvwxyzBCDEFG',
      avatarUrl: null,
    })
  })
})

describe('companies', () => {
  test('ids become URNs', () => {
    for (const id of ['42', 'urn:li:company:42', 'urn:li:fsd_company:42', 'urn:li:organization:42'])
      expect(companyUrn(id)).toBe('urn:li:company:42')
    for (const id of ['0', '', 'abc', 'urn:li:person:42', null]) expect(companyUrn(id)).toBeNull()
    expect(readCompanyPage('https://www.linkedin.com/company/42/')).toEqual({ urn: 'urn:li:company:42', slug: null })
    expect(readCompanyPage('https://www.linkedin.com/company/Blue-Works/', '42')).toEqual({
      urn: 'urn:li:company:42',
      slug: 'blue-works',
    })
  })

  test('a search address names no page', () => {
    expect(
      readEmployer({
        name: 'Self',
        id: null,
        slug: null,
        url: 'https://www.linkedin.com/search/results/all/?keywords=Self',
      }),
    ).toEqual({ urn: null, slug: null, name: 'Self' })
    expect(readEmployer({ name: '', id: '0', slug: '', url: '' })).toBeNull()
  })

  test("sizes in the product's spelling", () => {
    expect([0, 1, 2, 10, 11, 51, 201, 501, 1001, 5001, 10001].map(staffRangeOf)).toEqual([
      '1-10',
      '1-10',
      '1-10',
      '1-10',
      '11-50',
      '51-200',
      '201-500',
      '501-1000',
      '1001-5000',
      '5001-10000',
      '10001+',
    ])
    expect(
      ['2-10 employees', '1,001-5,000 employees', '10,001+ employees', '5.001-10.000', '1', ''].map(staffRangeOf),
    ).toEqual(['1-10', '1001-5000', '10001+', '5001-10000', '1-10', null])
    expect([staffRangeOf(null), staffRangeOf(null), staffRangeOf('many')]).toEqual([null, null, null])
  })

  test("a website is the company's own", () => {
    expect(readWebsite('northwind.example')).toBe('https://northwind.example/')
    expect(readWebsite('http://northwind.example/a')).toBe('http://northwind.example/a')
    for (const none of [
      'https://www.linkedin.com/company/x',
      'linkedin.com/company/x',
      'https://lnkd.in/abc',
      'https://uk.linkedin.com./x',
      'javascript:alert(1)',
      'n/a',
      'ftp://x.example',
      '',
      null,
    ])
      expect(readWebsite(none), String(none)).toBeNull()
  })

  test('headquarters say each part once', () => {
    const home = (city: string | null, region: string | null, codes: (string | null)[], countries: (string | null)[]) =>
      headquartersOf({ city, region, codes, countries })
    expect(home('Austin', 'Texas', [null, 'US'], ['US'])).toBe('Austin, Texas, United States')
    expect(home('Austin', 'Texas', [null], ['United States of America'])).toBe('Austin, Texas, United States')
    expect(home('Singapore', '', ['SG'], ['Singapore'])).toBe('Singapore')
    expect(home(null, null, ['de'], [null])).toBe('Germany')
    expect(home(null, null, [null], [null])).toBeNull()
    expect(home('Berlin', 'berlin', ['DE'], ['Germany'])).toBe('Berlin, Germany')
    expect(home('Berlin, Germany', 'Land Berlin', ['DE'], [])).toBe('Berlin, Land Berlin, Germany')
    expect(home('Atlanta', 'Georgia', ['US'], [])).toBe('Atlanta, Georgia, United States')
    expect(home('San Francisco', 'CA', ['US'], [])).toBe('San Francisco, CA, United States')
    expect(home('Luxembourg', null, ['LU'], [])).toBe('Luxembourg')
    expect(home('Nowhere', null, ['OO'], ['Other'])).toBe('Nowhere, Other')
  })
})

test.each([
  [['us'], ['United States of America'], 'US', 'United States'],
  [['US'], ['United States'], 'US', 'United States'],
  [[], ['United States of America'], 'US', 'United States'],
  [['UK'], [], 'GB', 'United Kingdom'],
  [['de'], ['Allemagne'], 'DE', 'Germany'],
  [[null, 'tr'], ['Turkey'], 'TR', 'Türkiye'],
  [['OO'], ['Other'], null, 'Other'],
  [['EU'], [], null, null],
  [['USA'], ['USA'], 'US', 'United States'],
  [['HK'], ['Hong Kong'], 'HK', 'Hong Kong SAR'],
  [['XK'], [], 'XK', 'Kosovo'],
  [[''], ['Česká republika'], 'CZ', 'Czechia'],
  [[null], ['Viet Nam'], 'VN', 'Vietnam'],
  [[null], ['Nowhere  Land'], null, 'Nowhere  Land'],
  [[], [], null, null],
] as const)('a country written %j %j is %s, %s', (codes, names, code, name) => {
  expect(readCountry({ codes, names })).toEqual({ code, name })
})

test('a location names a country and is none', () => {
  const from = (location: string) => readCountry({ codes: [], names: [null], location })
  expect(from('Lyon, Auvergne-Rhône-Alpes, France')).toEqual({ code: 'FR', name: 'France' })
  expect(from('Greater Seattle Area')).toEqual({ code: null, name: null })
})

describe('posts', () => {
  const keys = (id: string | null, url: string | null = null, ...others: string[]) => readPostKeys({ id, url, others })
  test('the activity number is taken from wherever it is', () => {
    const urn = 'urn:li:activity:7390000000000000001'
    expect(keys('7390000000000000001')?.urn).toBe(urn)
    expect(keys(urn)?.urn).toBe(urn)
    expect(keys('1', 'https://www.linkedin.com/posts/ada_some-activity-7390000000000000001-AbCd')?.urn).toBe(urn)
    expect(
      keys('urn:li:groupPost:5-6', 'https://www.linkedin.com/feed/update/urn%3Ali%3Aactivity%3A7390000000000000001')
        ?.urn,
    ).toBe(urn)
    expect(keys('urn:li:ugcPost:77', null, urn)).toEqual({ urn, aliases: ['urn:li:ugcPost:77'] })
    expect(keys('77', 'https://www.linkedin.com/posts/ada_some-ugcPost-77-AbCd', urn, 'urn:li:share:88')).toEqual({
      urn,
      aliases: ['urn:li:ugcPost:77', 'urn:li:share:88'],
    })
  })
  test('what cannot be resolved is dropped', () => {
    for (const dropped of [
      keys('urn:li:groupPost:5-6'),
      keys('77', 'https://www.linkedin.com/posts/ada_some-ugcPost-77-AbCd'),
      keys('urn:li:share:88'),
      keys(null),
      keys('abc', 'https://www.linkedin.com/feed/'),
    ])
      expect(dropped).toBeNull()
  })
  test("a bare number is an activity's unless something says what else it is", () => {
    const named = (id: string | null, url: string, number: string) =>
      readPostKeys({ id, url, number, others: [] })?.urn ?? null
    expect(named('88', 'https://www.linkedin.com/posts/ada_some-share-88-AbCd', '7390000000000000001')).toBe(
      'urn:li:activity:7390000000000000001',
    )
    expect(named('88', 'https://www.linkedin.com/posts/ada_some-share-88-AbCd', '88')).toBeNull()
    expect(named('6', 'https://www.linkedin.com/feed/update/urn:li:groupPost:5-6', '6')).toBeNull()
  })
  test('addresses lose their tracking and never leave the network', () => {
    const urn = 'urn:li:activity:7'
    expect(readPostUrl('https://www.linkedin.com/posts/a_b-activity-7-x?utm_source=y#z', urn)).toBe(
      'https://www.linkedin.com/posts/a_b-activity-7-x',
    )
    for (const bad of ['https://evil.example/posts/7', 'http://www.linkedin.com/x', 'javascript:1', null])
      expect(readPostUrl(bad, urn)).toBe('https://www.linkedin.com/feed/update/urn:li:activity:7')
    expect(postAddress({ urn, url: 'https://www.linkedin.com/posts/a_b-activity-7-x' })).toContain('/posts/')
    expect(postAddress({ urn, url: 'https://www.linkedin.com/posts/other' })).toContain('/feed/update/')
  })
  test('links tell jobs and articles', () => {
    expect([
      contentTypeOfLink('https://www.linkedin.com/jobs/view/1'),
      contentTypeOfLink('https://www.linkedin.com/advice/0/x'),
      contentTypeOfLink('https://blog.example/jobs/view/1'),
    ]).toEqual(['JOB', 'COLLABORATIVE_ARTICLE', null])
  })
  test('a reaction without a known name is still one', () =>
    expect(['LIKE', 'praise', 'FUNNY', 'NEW_THING', null].map(readReaction)).toEqual([
      'Like',
      'Praise',
      'Entertainment',
      'Like',
      'Like',
    ]))
})

describe('comments', () => {
  test('every spelling of an id is the same number', () => {
    for (const id of [
      '733',
      'urn:li:comment:(activity:7,733)',
      'urn:li:comment:(urn:li:activity:7,733)',
      'urn:li:fsd_comment:(733,urn:li:activity:7)',
      'urn:li:fsd_comment:(733,urn:li:ugcPost:7)',
    ])
      expect(commentNumber(id)).toBe('733')
    for (const id of ['', 'abc', null]) expect(commentNumber(id)).toBeNull()
  })
  test("a reply's address names its parent", () => {
    const base = 'https://www.linkedin.com/feed/update/urn:li:activity:7'
    expect(commentKeysInUrl(`${base}?commentUrn=urn%3Ali%3Acomment%3A%28activity%3A7%2C733%29`)).toEqual({
      id: '733',
      parentId: null,
    })
    expect(
      commentKeysInUrl(
        `${base}/?commentUrn=urn%3Ali%3Acomment%3A(activity%3A7%2C733)&replyUrn=urn%3Ali%3Acomment%3A(activity%3A7%2C744)`,
      ),
    ).toEqual({ id: '744', parentId: '733' })
    expect(
      commentKeysInUrl(
        `${base}?dashCommentUrn=urn%3Ali%3Afsd_comment%3A%28733%2Curn%3Ali%3Aactivity%3A7%29&` +
          'dashReplyUrn=urn%3Ali%3Afsd_comment%3A%28744%2Curn%3Ali%3Aactivity%3A7%29',
      ),
    ).toEqual({ id: '744', parentId: '733' })
    // One that is called a reply to itself is nobody's.
    const itself = 'urn%3Ali%3Acomment%3A(activity%3A7%2C733)'
    expect(commentKeysInUrl(`${base}?commentUrn=${itself}&replyUrn=${itself}`)).toEqual({ id: '733', parentId: null })
    for (const url of [base, 'no url', '', null]) expect(commentKeysInUrl(url)).toBeNull()
  })
})

test('instants come from stamps and full dates, never from "7h"', () => {
  const iso = '2026-11-19T10:00:00.000Z'
  expect(instant(Date.parse(iso), null)).toBe(iso)
  expect(instant(String(Date.parse(iso)), null)).toBe(iso)
  expect(instant(null, iso)).toBe(iso)
  expect(instant(null, '2026-11-19 10:00:00 +0000 UTC')).toBe(iso)
  expect(instant(null, '2026-11-19 12:00:00 +0200')).toBe(iso)
  expect(instant(null, '2026-11-19 10:00:00')).toBe(iso)
  for (const bad of [
    instant(0, null),
    instant(-5, '7h'),
    instant(1e18, null),
    instant(null, '2026-99-99'),
    instant(null, null),
  ])
    expect(bad).toBeNull()
})

test.each([
  ['an empty list', { page: 1, served: 0, total: 0, totalPages: 0, pageSize: 100 }, { last: true, cutShort: false }],
  [
    'a full page with more',
    { page: 1, served: 100, total: 250, totalPages: 3, pageSize: 100 },
    { last: false, cutShort: false },
  ],
  ['the last page', { page: 3, served: 50, total: 250, totalPages: 3, pageSize: 100 }, { last: true, cutShort: false }],
  [
    'an empty page within the declared ones',
    { page: 3, served: 0, total: 250, totalPages: 3, pageSize: 100 },
    { last: true, cutShort: true },
  ],
  [
    'an empty page after the declared ones',
    { page: 4, served: 0, total: 250, totalPages: 3, pageSize: 100 },
    { last: true, cutShort: false },
  ],
  [
    'fewer pages than declared rows',
    { page: 11, served: 100, total: 3_000, totalPages: 11, pageSize: 100 },
    { last: true, cutShort: true },
  ],
  [
    'rows without pagination',
    { page: 2, served: 7, total: null, totalPages: null, pageSize: null },
    { last: false, cutShort: false },
  ],
  [
    'nothing without pagination',
    { page: 2, served: 0, total: null, totalPages: null, pageSize: null },
    { last: true, cutShort: false },
  ],
  [
    'nothing without pages, short of the total',
    { page: 2, served: 0, total: 250, totalPages: null, pageSize: 100 },
    { last: true, cutShort: true },
  ],
] as const)('%s', (_name, at, end) => expect(decideEnd(at)).toEqual(end))
