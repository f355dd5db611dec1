import { describe, expect, it } from 'vitest'
import { mustConfirm, quote } from './spend-gate.ts'

describe('the quote of a charge', () => {
  it.each([
    [
      'whole days, rounded down',
      { per: 'day', credits: 12 },
      100,
      { estimatedDailyMax: 12, daysToExhaustAtCap: 8, remainingBalance: 100 },
    ],
    [
      '0 days is a real value',
      { per: 'day', credits: 60 },
      59,
      { estimatedDailyMax: 60, daysToExhaustAtCap: 0, remainingBalance: 59 },
    ],
    [
      'an empty balance',
      { per: 'day', credits: 1 },
      0,
      { estimatedDailyMax: 1, daysToExhaustAtCap: 0, remainingBalance: 0 },
    ],
    ['no honest number leaves the figures out', { per: 'day', credits: null }, 100, { remainingBalance: 100 }],
    ['nothing a day never runs out', { per: 'day', credits: 0 }, 100, { estimatedDailyMax: 0, remainingBalance: 100 }],
    ['a single call', { per: 'call', credits: 20 }, 7, { estimatedCredits: 20, remainingBalance: 7 }],
  ] as const)('%s', (_title, cost, balance, expected) => {
    expect(quote(cost, balance)).toEqual(expected)
  })
})

describe('who is asked', () => {
  it.each([
    [true, undefined, true],
    [true, false, true],
    [true, true, false],
    [false, undefined, false],
    [false, true, false],
  ])('raises %s, confirmSpend %s: %s', (raises, confirmSpend, asked) => {
    expect(mustConfirm({ raises, confirmSpend })).toBe(asked)
  })
})
