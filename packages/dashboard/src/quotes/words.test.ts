import { describe, expect, it } from 'vitest'
import { quoteWarning, quoteWords, type Quote } from './quote.tsx'

const quote: Quote = { sources: 4, perSync: 100, now: 400, daily: 400, balance: 1_000, days: 2 }

describe('a quote in words', () => {
  it('says what goes at once, what each day, and what there is', () => {
    expect(quoteWords(quote)).toBe('At most 400 credits now, then up to 400 a day; you have 1,000.')
    expect(quoteWords({ ...quote, now: 1, daily: 0 })).toBe('At most 1 credit, once; you have 1,000.')
    expect(quoteWords({ ...quote, now: null, daily: null })).toBe(
      'No limit is set: it can use all your credits; you have 1,000.',
    )
  })

  it('warns when the balance ends soon, and not when it lasts', () => {
    expect(quoteWarning(quote)).toBe('At that rate your credits can end in 2 days.')
    expect(quoteWarning({ ...quote, days: 0, now: null })).toBe('At that rate your credits can end within a day.')
    expect(quoteWarning({ ...quote, now: 2_000, days: 0 })).toContain('more than you have')
    expect(quoteWarning({ ...quote, balance: 0 })).toContain('no credits left')
    expect([quoteWarning({ ...quote, days: 9 }), quoteWarning({ ...quote, daily: 0, days: null })]).toEqual([
      null,
      null,
    ])
  })
})
