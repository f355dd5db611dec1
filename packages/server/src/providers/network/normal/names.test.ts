import { describe, expect, it } from 'vitest'
import { plainName, plainTitle } from './names.ts'
import { readName } from './people.ts'
import { readJobs } from './jobs.ts'

describe('the name of a person', () => {
  it.each([
    ['Jane Doe', 'Jane Doe'],
    ['  Jane   Doe ', 'Jane Doe'],
    ['Jane Doe 🚀', 'Jane Doe'],
    ['🌟 Jane Doe 🌟', 'Jane Doe'],
    ['👩🏽‍💻Jane Doe', 'Jane Doe'],
    ['Jane Doe 🇺🇦', 'Jane Doe'],
    ['Jane ❤️ Doe', 'Jane Doe'],
    ['Jane Doe ✔', 'Jane Doe'],
    ['✨ Jane ✨ Doe ⭐', 'Jane Doe'],
    ['Jane Doe 1️⃣', 'Jane Doe'],
    ['𝗝𝗮𝗻𝗲 𝗗𝗼𝗲', 'Jane Doe'],
    ['Ｊａｎｅ Ｄｏｅ', 'Jane Doe'],
    ['Jane Doe (She/Her)', 'Jane Doe'],
    ['Jane Doe (she/her/hers)', 'Jane Doe'],
    ['Jane Doe [they/them]', 'Jane Doe'],
    ['Jane (She/Her) Doe', 'Jane Doe'],
    ['Jane Doe she/her', 'Jane Doe'],
    ['Jane Doe | she/they', 'Jane Doe'],
    ['Jeanne Dupont (elle)', 'Jeanne Dupont'],
    ['Jana Muster (sie/ihr)', 'Jana Muster'],
    ['Jane Doe, PhD', 'Jane Doe'],
    ['Jane Doe, Ph.D., MBA', 'Jane Doe'],
    ['Jane Doe, PMP®, CSM', 'Jane Doe'],
    ['Jane Doe, MBA SHRM-CP', 'Jane Doe'],
    ['Jane Doe, MD', 'Jane Doe'],
    ['Jane Doe MBA', 'Jane Doe'],
    ['Jane Doe PhD', 'Jane Doe'],
    ['Jane Doe, CISSP 🔐 (She/Her)', 'Jane Doe'],
    ['Dr. Jane Doe', 'Jane Doe'],
    ['Prof. Dr. Jane Doe', 'Jane Doe'],
    ['Dr.-Ing. Jane Doe', 'Jane Doe'],
    ['Prof. Dr. med. Jane Doe', 'Jane Doe'],
    ['Mrs Jane Doe', 'Jane Doe'],
    ['Jane Doe | Growth Advisor', 'Jane Doe'],
    ['Jane Doe • 10k+ followers', 'Jane Doe'],
    ["Jane Doe (We're hiring!)", 'Jane Doe'],
    ['Jane Doe (Open to Work)', 'Jane Doe'],
    ['Jane Doe -', 'Jane Doe'],
    ['-- Jane Doe ~~', 'Jane Doe'],
    ['🚀 | Jane Doe', 'Jane Doe'],
    ['1 | Jane Doe', 'Jane Doe'],
    ['Jane🚀Doe', 'Jane Doe'],
    ['Jane→Doe', 'Jane Doe'],
    ['Jane® Doe', 'Jane Doe'],
    ['Jane\uFE0F Doe', 'Jane Doe'],
    ['Jane(she/her)Doe', 'Jane Doe'],
    ['Jane(hiring)Doe', 'Jane Doe'],
    ['Jane Doe,PhD', 'Jane Doe'],
    ['Jane Doe , PhD', 'Jane Doe'],
    ['Jane Doe, PhD/MBA', 'Jane Doe'],
    ['Jane Doe, MBA &  CFA', 'Jane Doe'],
    ['Jane Doe, MBA/', 'Jane Doe'],
    ['Jane Doe, Berlin, PhD', 'Jane Doe, Berlin'],
    ['Jane Doe PharmD', 'Jane Doe'],
    ['Ma, Jack 🚀', 'Ma, Jack'],
    // Parts of a name stay.
    ['Jane Doe (Smith)', 'Jane Doe (Smith)'],
    ['Jane "JD" Doe', 'Jane "JD" Doe'],
    ['Anne-Marie O’Neill-Öztürk', 'Anne-Marie O’Neill-Öztürk'],
    ['Jean - Pierre Dupont', 'Jean - Pierre Dupont'],
    ['John Doe Jr.', 'John Doe Jr.'],
    ['John Doe III', 'John Doe III'],
    ['Jack Ma', 'Jack Ma'],
    ['Jane MBA', 'Jane MBA'],
    ['Jane Doe Mba', 'Jane Doe Mba'],
    ['Jane Doe, MBA Berlin', 'Jane Doe, MBA Berlin'],
    ['Jane Doe,Smith', 'Jane Doe, Smith'],
    ['Jane Doe,, Smith', 'Jane Doe, Smith'],
    ['Jack MA', 'Jack MA'],
    ['Ma, Jack', 'Ma, Jack'],
    ['Doe, MA', 'Doe, MA'],
    ['MS Dhoni', 'MS Dhoni'],
    ['Will.i.am', 'Will.i.am'],
    ['Dr. Oetker', 'Oetker'],
    ['李雷', '李雷'],
    ['می‌خواهم', 'می‌خواهم'],
    ['Linked Inwood', 'Linked Inwood'],
    ['Hershel Sheehan', 'Hershel Sheehan'],
    ['Han Solo', 'Han Solo'],
    ['Ben 100%_sure \\ Doe', 'Ben 100%_sure \\ Doe'],
    ['J', 'J'],
    // Nothing would be left.
    ['🚀🚀', '🚀🚀'],
    [' 🚀   🚀 ', '🚀 🚀'],
    ['PhD', 'PhD'],
    ['| • |', '| • |'],
  ])('%j is %j', (text, name) => {
    expect(plainName(text)).toBe(name)
    expect(plainName(name)).toBe(name)
  })
  it('is read in the same form, and no placeholder is one', () => {
    expect(readName('Dr. Ada Quill 🚀, PhD')).toBe('Ada Quill')
    expect(readName('LinkedIn Member 🔒')).toBeNull()
    expect(readName('🚀')).toBe('🚀')
  })
  it('of hostile length is read in bounded time', () => {
    expect(readName(`${'(she/'.repeat(20_000)}Jane`)!.length).toBeLessThanOrEqual(300)
    expect(readName('👩🏽‍💻'.repeat(5_000))!.length).toBeLessThanOrEqual(300)
  })
})

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
    // Text that is not the employer stays.
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
