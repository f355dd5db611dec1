import { describe, expect, it } from 'vitest'
import { criteriaInWords, figuresOf, type Counted } from './figures.ts'

const counted: Counted = {
  whole: false,
  key: 'k',
  label: 'L',
  rules: null,
  matchMode: null,
  credits: 10,
  people: 8,
  fitPeople: 0,
  sent: 0,
  accepted: 0,
  replied: 3,
  meetings: 0,
  won: 0,
  amounts: [],
}

describe('figures', () => {
  it('are costs for each person, to the hundredth, and none where there is nobody', () => {
    expect(figuresOf(counted)).toMatchObject({ costPerReply: 3.33, costPerMeeting: null })
  })
  it('add up money in the currency of the first result with one, and convert none', () => {
    const amounts = [
      { currency: 'USD', amount: 10.1, first: '2026-11-21T11:00:00+00:00' },
      { currency: null, amount: 5, first: '2026-11-20T10:00:00+00:00' },
      { currency: 'EUR', amount: 0.3, first: '2026-11-21T10:00:00+00:00' },
    ]
    expect(figuresOf({ ...counted, amounts })).toMatchObject({
      amount: 5.3,
      currency: 'EUR',
      otherAmounts: [{ currency: 'USD', amount: 10.1 }],
    })
  })
  it('call criteria by their rows', () => {
    const rules = [
      { column: 'jobTitle', operator: 'contains', value: 'cto' },
      { column: 'country', operator: 'in', value: ['DE', 'AT'] },
      { column: 'companyIndustry', operator: 'is_not_empty' },
    ] as const
    expect(criteriaInWords(rules as never, 'all')).toBe(
      'jobTitle contains “cto” and country in “DE”, “AT” and companyIndustry is not empty',
    )
    expect(criteriaInWords(rules.slice(0, 2) as never, 'any')).toBe('jobTitle contains “cto” or country in “DE”, “AT”')
  })
})
