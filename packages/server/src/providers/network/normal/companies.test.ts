/** Company pages: numbers, slugs, addresses and websites, around each bound. */
import { describe, expect, it } from 'vitest'
import {
  companyUrl,
  companyUrn,
  readCompanyPage,
  readEmployer,
  readSlug,
  readSpecialties,
  readWebsite,
  staffRangeOf,
} from './companies.ts'

describe('the URN of a company', () => {
  it.each([
    ['42', '42'],
    [' 42 ', '42'],
    ['0042', '42'],
    ['urn:li:fs_company:42', '42'],
    ['urn:li:fs_miniCompany:42', '42'],
    ['urn:li:fsd_organization:042', '42'],
    ['URN:LI:SCHOOL:42', '42'],
    ['urn%3Ali%3Acompany%3A42', '42'],
    ['urn:li:person:42', null],
    ['x42', null],
    ['42x', null],
    ['000', null],
    ['urn:li:company:', null],
    ['urn:li:fsx_company:42', null],
    ['company:42', null],
    ['1'.repeat(24), '1'.repeat(24)],
    // Too long for a number of the network and for an index.
    ['1'.repeat(25), null],
    [undefined, null],
  ])('of %j has the number %s', (id, number) =>
    expect(companyUrn(id)).toBe(number === null ? null : `urn:li:company:${number}`),
  )
})

describe('a page', () => {
  it.each([
    ['https://www.linkedin.com/company/Blue-Works', [], { urn: null, slug: 'blue-works' }],
    ['https://www.linkedin.com/showcase/blue?x=1', [], { urn: null, slug: 'blue' }],
    ['https://www.linkedin.com/SCHOOL/blue#x', [], { urn: null, slug: 'blue' }],
    ['https://www.linkedin.com/company/42x/about', [], { urn: null, slug: '42x' }],
    ['https://www.linkedin.com/company/x42', [], { urn: null, slug: 'x42' }],
    ['https://www.linkedin.com/company/42', ['7'], { urn: 'urn:li:company:7', slug: null }],
    ['https://www.linkedin.com/company/42', ['none', null], { urn: 'urn:li:company:42', slug: null }],
    ['https://www.linkedin.com/company/blue', ['7', 'urn:li:company:8', ''], { urn: 'urn:li:company:8', slug: 'blue' }],
    ['https://www.linkedin.com/in/blue', [undefined], { urn: null, slug: null }],
    ['https://www.linkedin.com/company/', [], { urn: null, slug: null }],
    [null, ['7'], { urn: 'urn:li:company:7', slug: null }],
    ['', [], { urn: null, slug: null }],
  ])('at %s with the ids %j is %j', (url, ids, page) => expect(readCompanyPage(url, ...ids)).toEqual(page))

  it.each([
    ['Blue-Works', 'blue-works'],
    [' blue ', 'blue'],
    ['caf%C3%A9', 'café'],
    ['x'.repeat(200), 'x'.repeat(200)],
    // Truncated, it would be the slug of another page.
    ['x'.repeat(201), null],
    ['x'.repeat(2_001), null],
    ['&-Friends', '&-friends'],
    ['.net-makers', '.net-makers'],
    ['CAFE\u0301', 'café'],
    ['50%-off', null],
    ['blue works', null],
    ['blue/works', null],
    ['blue?x', null],
    ['blue#x', null],
    ['%20', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('%j has the slug %s', (text, slug) => expect(readSlug(text)).toBe(slug))

  it('has its address by slug, else by number, else none', () => {
    expect([
      companyUrl({ slug: 'café', urn: 'urn:li:company:42' }),
      companyUrl({ slug: null, urn: 'urn:li:company:42' }),
      companyUrl({ slug: null, urn: null }),
    ]).toEqual(['https://www.linkedin.com/company/caf%C3%A9', 'https://www.linkedin.com/company/42', null])
  })
})

describe('an employer', () => {
  const none = { name: null, id: null, slug: null, url: null }
  it.each([
    [{}, null],
    [{ name: ' ' }, null],
    [
      { name: 'Self', url: 'https://www.linkedin.com/search/results/all/?keywords=Self' },
      { urn: null, slug: null, name: 'Self' },
    ],
    [{ name: '', id: '0', slug: '', url: '' }, null],
    [{ name: ' Acme ' }, { urn: null, slug: null, name: 'Acme' }],
    [{ id: '42' }, { urn: 'urn:li:company:42', slug: null, name: null }],
    [{ slug: 'Acme' }, { urn: null, slug: 'acme', name: null }],
    [{ url: 'https://www.linkedin.com/company/acme' }, { urn: null, slug: 'acme', name: null }],
    [
      { slug: 'own', url: 'https://www.linkedin.com/company/acme' },
      { urn: null, slug: 'own', name: null },
    ],
    [
      { slug: 'no slug', url: 'https://www.linkedin.com/company/42' },
      { urn: 'urn:li:company:42', slug: null, name: null },
    ],
  ])('told as %j is %j', (raw, employer) => expect(readEmployer({ ...none, ...raw })).toEqual(employer))
})

describe('a website', () => {
  it.each([
    ['HTTPS://Acme.example', 'https://acme.example/'],
    ['acme.example/a?b=c', 'https://acme.example/a?b=c'],
    [' acme.example ', 'https://acme.example/'],
    ['acme.example/?to=http://x.example', 'https://acme.example/?to=http://x.example'],
    ['notlinkedin.com', 'https://notlinkedin.com/'],
    ['linkedin.com.example', 'https://linkedin.com.example/'],
    ['mylnkd.in', 'https://mylnkd.in/'],
    ['see http://acme.example', null],
    ['https://uk.linkedin.com./x', null],
    ['javascript:alert(1)', null],
    ['n/a', null],
    ['ftp://x.example', null],
    ['', null],
    [null, null],
    ['linkedin.com', null],
    ['LNKD.IN./x', null],
    ['a.lnkd.in', null],
    ['localhost', null],
    ['https://', null],
    ['linkedin.cn', null],
    ['https://www.linkedin.cn./company/acme', null],
    ['de.linkedin.com/company/acme', null],
    ['linkedin.de', null],
    ['linkedin.com.br', null],
    ['linked.in/acme', null],
    ['media.licdn.com/x.png', null],
    ['static.licdn.cn', null],
    ['linkedin.app.link/x', null],
    ['ｌｉｎｋｅｄｉｎ.com', null],
    ['linked\u200bin.com', null],
    ['https://linkedin%2ecom/company/x', null],
    ['info@acme.example', null],
    ['mailto:info@acme.example', null],
    ['https://info@acme.example', null],
    ['tel:+49301234', null],
    ['203.0.113.7', null],
    ['http://[2001:db8::1]/', null],
    ['2130706433', null],
    ['app.localhost', null],
    ['printer.local', null],
    ['e.g', null],
    ['acme', null],
    ['acme.example.', 'https://acme.example./'],
    ['acme.example:8080', 'https://acme.example:8080/'],
    ['https://www.instagram.com/acme', 'https://www.instagram.com/acme'],
    ['https://bücher.example', 'https://xn--bcher-kva.example/'],
    ['mylinkedin.de', 'https://mylinkedin.de/'],
    ['http:/acme.example', 'https://acme.example/'],
    ['http:www.acme.example', 'https://www.acme.example/'],
    ['https//acme.example', 'https://acme.example/'],
    ['htps://ACME.example/a', 'https://acme.example/'],
    ['http://https://acme.example', 'https://acme.example/'],
    ['http:\\\\acme.example', 'https://acme.example/'],
    ['www.acme.example, www.beta.example', 'https://www.acme.example/'],
    ['https://acme.example / beta.example', 'https://acme.example/'],
    ['(acme.example)', 'https://acme.example/'],
    ['acme.example:port', 'https://acme.example/'],
    ['.acme.example..', 'https://acme.example/'],
    ['http:/linkedin.com', null],
    ['https://info@acme.example, beta.example', null],
  ])('%j is %s [FIX-05, EXC-05]', (text, url) => expect(readWebsite(text)).toBe(url))
})

it.each([
  [0, '1-10'],
  [10, '1-10'],
  [11, '11-50'],
  [5_001, '5001-10000'],
  [10_001, '10001+'],
  ['2-10 employees', '1-10'],
  ['1,001-5,000 employees', '1001-5000'],
  ['10,001+ employees', '10001+'],
  ['5.001-10.000', '5001-10000'],
  ['many', null],
  ['', null],
  [null, null],
])('the size %j is %s', (range, size) => expect(staffRangeOf(range)).toBe(size))

it('specialties are cleaned, said once, and fifty at most', () => {
  expect(readSpecialties([' Growth ', null, '', 'Sales', 'Growth', 'x'.repeat(201)])).toEqual([
    'Growth',
    'Sales',
    'x'.repeat(200),
  ])
  const many = Array.from({ length: 51 }, (_, at) => `s${at}`)
  expect(readSpecialties(many)).toEqual(many.slice(0, 50))
})
