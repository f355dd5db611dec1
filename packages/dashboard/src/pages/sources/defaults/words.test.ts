import { describe, expect, it } from 'vitest'
import { capFor, dailyWords, givenWords, valueWords, type Defaults } from './words.ts'

const none: Defaults = { of: 'all', webhook: null, criteria: null, outreach: null, cap: null, updatedAt: null }
const webhook = { url: 'https://hooks.example.com/', icpOnly: true, autoSend: false, syncEvents: true }

describe('defaults in words', () => {
  it('name every part that is set', () => {
    const rule = { column: 'jobTitle', operator: 'contains', value: 'growth' } as const
    const all: Defaults = {
      ...none,
      webhook,
      criteria: { rules: [rule, rule], matchMode: 'any' },
      outreach: { campaignId: '1', campaignName: 'Autumn', autoSend: false, filters: [rule] },
      cap: { credits: null },
    }
    expect(valueWords(all, 'webhook')).toBe(
      'https://hooks.example.com/, only leads that fit, on push only, tells when a sync ends',
    )
    expect(valueWords(all, 'criteria')).toBe('2 rows, one is enough')
    expect(valueWords(all, 'outreach')).toBe('Autumn, leads that match 1 row, by hand only')
    expect(valueWords(all, 'cap')).toBe('No limit')
    expect(valueWords(none, 'cap')).toBe(null)
  })

  it('of a kind come before those of all', () => {
    const all = { ...none, webhook, cap: { credits: 40 } }
    const company: Defaults = { ...none, of: 'company', cap: { credits: null } }
    expect([capFor([all, company], 'person'), capFor([all, company], 'company'), capFor([none], 'post')]).toEqual([
      '40',
      '',
      undefined,
    ])
    expect(givenWords([all, company], ['person', 'company'])).toHaveLength(1)
    expect(givenWords([none, { ...none, of: 'person', webhook }], ['person', 'post'])).toEqual(['Webhook: by kind'])
    expect(givenWords([none], ['person'])).toEqual([])
  })
})

describe('what defaults cost', () => {
  it('is said before and after, with what the balance lasts for', () => {
    expect(dailyWords({ before: 100, after: 100, balance: 5, days: 0 })).toBe(
      'What they may cost stays as it is: at most 100 credits a day; you have 5.',
    )
    expect(dailyWords({ before: null, after: 200, balance: 1_000, days: 5 })).toBe(
      'Together they may cost at most 200 credits a day, where it is no limit a day now; you have 1,000, 5 days of that.',
    )
    expect(dailyWords({ before: 1, after: 200, balance: 100, days: 0 })).toContain('less than a day of that')
    expect(dailyWords({ before: 1, after: null, balance: 100, days: null })).toMatch(/you have 100\.$/)
  })
})
