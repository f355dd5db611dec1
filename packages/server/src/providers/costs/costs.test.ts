import { describe, expect, it } from 'vitest'
import { daysLeft, readBalance, type Balance } from './balance.ts'
import { capHolds } from './cap.ts'

describe('a daily cap', () => {
  const now = new Date('2026-11-21T20:00:00.000Z')
  it('holds from the moment it is reached, and not before', () => {
    expect(capHolds({ cap: 5, spent: 4.999999 }, now)).toBeNull()
    expect(capHolds({ cap: 5, spent: 5 }, now)).toEqual({ reason: 'cap', until: new Date('2026-11-21T20:10:00.000Z') })
    expect(capHolds({ cap: 0, spent: 0 }, now)?.reason).toBe('cap')
  })
  it('ends with the UTC day', () => {
    expect(capHolds({ cap: 5, spent: 9 }, new Date('2026-11-21T23:55:00.000Z'))?.until).toEqual(
      new Date('2026-11-22T00:00:00.000Z'),
    )
  })
})

describe('a balance', () => {
  const warnings = (readings: readonly number[]): (number | null)[] => {
    let before: Balance | null = null
    return readings.map((reading) => {
      const { after, warnAt } = readBalance(before, reading)
      before = after
      return warnAt
    })
  }
  it('is warned of at 20, 10 and 0 % of what it was, each once', () => {
    expect(warnings([100, 50, 20.5, 20, 19, 15, 10, 4, 0.5, 0, 0])).toEqual([
      null,
      null,
      null,
      20,
      null,
      null,
      10,
      null,
      null,
      0,
      null,
    ])
  })
  it('that falls past several marks at once is warned of once, by the lowest', () => {
    expect(warnings([100, 0, 0])).toEqual([null, 0, null])
  })
  it('lasts as many days as it has lasted on average', () => {
    expect(daysLeft(10, 4)).toBe(2.5)
    expect(daysLeft(10, 0)).toBeNull()
    expect(daysLeft(-1, 4)).toBe(0)
  })
})
