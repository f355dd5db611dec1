import { describe, expect, it } from 'vitest'
import { readJobs } from './jobs.ts'
import { plainTitle } from './names.ts'

describe('a job title', () => {
  it.each([
    ['CEO at Acme', 'Acme', 'CEO'],
    ['CEO @ Acme', 'Acme', 'CEO'],
    ['CEO @Acme', 'Acme', 'CEO'],
    ['CEO, Acme', 'Acme', 'CEO'],
    ['CEO | Acme', 'Acme', 'CEO'],
    ['CEO - Acme', 'Acme', 'CEO'],
    ['CEO – Acme GmbH', 'Acme', 'CEO'],
    ['CEO (Acme)', 'Acme', 'CEO'],
    ['Geschäftsführer bei Müller AG', 'Müller AG', 'Geschäftsführer'],
    ['Directrice commerciale chez Société Générale', 'Société Générale', 'Directrice commerciale'],
    ['VP, Sales at Acme, Inc.', 'Acme, Inc.', 'VP, Sales'],
    ['VP, Sales at Acme, Inc.', 'ACME', 'VP, Sales'],
    ['Co-Founder & CEO at Acme & Sons Ltd', 'Acme & Sons', 'Co-Founder & CEO'],
    ['President of Acme', 'Acme', 'President'],
    ['CEO at Acme', 'Acme!', 'CEO'],
    ['CEO at Acme', ' Acme Inc ', 'CEO'],
    ['CEO at Acme - Sons', 'Acme Sons', 'CEO'],
    ['CEO at Societe', 'Société', 'CEO'],
    ['Growth🚀Lead', null, 'Growth Lead'],
    ['-- Growth Lead', null, 'Growth Lead'],
    [' 🚀 ', null, '🚀'],
    ['🚀 Growth Lead 🚀', 'Acme', 'Growth Lead'],
    ['Growth   Lead', null, 'Growth Lead'],
    ['Head of Growth |', null, 'Head of Growth'],
    ['Product Manager, Ads at Google', 'Google', 'Product Manager, Ads'],
    // What is not the employer stays.
    ['CEO at Acme', 'Other Ltd', 'CEO at Acme'],
    ['CEO at Acme', null, 'CEO at Acme'],
    ['CEO at Ac me', 'Acme', 'CEO at Ac me'],
    ['CEO at ???', '!!!', 'CEO at ???'],
    ['2 at Acme', 'Acme', '2 at Acme'],
    ['Head of Growth at heart', 'Acme', 'Head of Growth at heart'],
    ['Head of Acme Labs', 'Acme', 'Head of Acme Labs'],
    ['Acme', 'Acme', 'Acme'],
    ['at Acme', 'Acme', 'at Acme'],
    ['VP Sales_EMEA', 'EMEA', 'VP Sales_EMEA'],
    ['C++ Developer', 'C', 'C++ Developer'],
    ['Vice President - Sales', 'Acme', 'Vice President - Sales'],
    ['🚀', 'Acme', '🚀'],
    ['Product Owner™', null, 'Product Owner™'],
  ])('%j with the employer %j is %j', (text, company, title) => {
    expect(plainTitle(text, company)).toBe(title)
    expect(plainTitle(title, company)).toBe(title)
  })
  it('of a job is read in this form', () => {
    const job = { companyId: null, companySlug: null, companyUrl: null }
    expect(readJobs([], [{ ...job, title: 'CEO at Acme 🚀', companyName: 'Acme Inc.' }])).toEqual([
      { title: 'CEO', company: { urn: null, slug: null, name: 'Acme Inc.' } },
    ])
  })
  it('of hostile length is read in bounded time', () => {
    expect(plainTitle(`${' at'.repeat(160)}`.trim(), 'x').length).toBeGreaterThan(0)
    expect(plainTitle(`${'(a '.repeat(160)}`, 'b').length).toBeGreaterThan(0)
  })
})
