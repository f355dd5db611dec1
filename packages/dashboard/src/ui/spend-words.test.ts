import { describe, expect, it } from 'vitest'
import { daysLeft, spendWords } from './spend.tsx'

describe('the figures of a spend confirmation', () => {
  it('are said one by one, a zero too', () => {
    expect(
      spendWords({ estimatedDailyMax: 1_200, remainingBalance: 900, daysToExhaustAtCap: 0, mode: 'engagers' }),
    ).toEqual([
      'At most 1,200 credits a day; you have 900.',
      'It captures everyone who engages.',
      'At that rate your credits end within a day.',
    ])
    expect(
      spendWords({
        estimatedCredits: 1,
        dailyCredits: null,
        discoverCost: 50,
        plan: { perTopic: 20, people: 10, total: 50 },
      }),
    ).toEqual([
      'At most 1 credit, once.',
      'Split of a day: 20 credits for each topic, 10 credits for people, 50 credits in all.',
      'Searching for people to watch costs at most 50 credits more, once.',
    ])
  })
  it('say nothing that the answer does not', () => {
    expect(spendWords({ error: 'x', requestId: 'y', estimatedDailyMax: '12' })).toEqual([])
  })
  it('become a balance that falls to nothing and not below', () => {
    expect(daysLeft({ estimatedDailyMax: 40, remainingBalance: 100 }).map(({ credits }) => credits)).toEqual([
      100, 60, 20, 0, 0, 0, 0, 0,
    ])
    expect(daysLeft({ estimatedDailyMax: 0, remainingBalance: 100 })).toEqual([])
    expect(daysLeft({ estimatedDailyMax: 1, remainingBalance: 1_000_000 })).toHaveLength(31)
  })
})
