import { describe, expect, it } from 'vitest'
import { summed } from './track.ts'

const one = {
  code: 'spend_confirmation_required',
  mode: 'posts_only',
  postsPerSync: 5,
  estimatedDailyMax: 5,
  remainingBalance: 52,
  daysToExhaustAtCap: 10,
}

describe('figures of several sources', () => {
  it('are none without sources, and those of the service for one', () => {
    expect(summed([])).toBeNull()
    expect(summed([one])).toBe(one)
  })

  it('add up what all of them can use a day, against the one balance', () => {
    expect(summed([one, { ...one, estimatedDailyMax: 20 }])).toMatchObject({
      estimatedDailyMax: 25,
      remainingBalance: 52,
      daysToExhaustAtCap: 2,
      mode: 'posts_only',
    })
  })

  it('leave out what one of them does not say', () => {
    const { estimatedDailyMax: _, ...silent } = one
    expect(summed([one, silent])).toMatchObject({ estimatedDailyMax: undefined, daysToExhaustAtCap: undefined })
  })
})
