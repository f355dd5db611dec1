import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monthsAfter, periodAt } from './period.ts'
import { allowanceChange, balanceOf, renew, type Account } from './renewal.ts'

const account = (over: Partial<Account> = {}): Account => ({
  granted: 10_000,
  spent: 0,
  held: 0,
  allowance: 10_000,
  periodUsed: 0,
  overspent: 0,
  anchorAt: new Date('2026-01-31T10:00:00Z'),
  periodStart: new Date('2026-01-31T10:00:00Z'),
  periodEnd: new Date('2026-02-28T10:00:00Z'),
  ...over,
})

describe('billing periods', () => {
  it('end on the last day of shorter months and come back to the anchor day', () => {
    const anchor = new Date('2026-01-31T10:00:00Z')
    expect([1, 2, 3, 13].map((months) => monthsAfter(anchor, months).toISOString())).toEqual([
      '2026-02-28T10:00:00.000Z',
      '2026-03-31T10:00:00.000Z',
      '2026-04-30T10:00:00.000Z',
      '2027-02-28T10:00:00.000Z',
    ])
  })
  it('cover every instant exactly once', () => {
    const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 10 * 366 * 86_400_000 }), (anchor, after) => {
        const now = new Date(anchor.getTime() + after)
        const { start, end } = periodAt(anchor, now)
        return start <= now && now < end && periodAt(anchor, end).start.getTime() === end.getTime()
      }),
    )
  })
})

describe('renewal', () => {
  it('lapses what is left of the allowance and keeps top-ups', () => {
    const renewed = renew(
      account({ granted: 12_000, spent: 4_000, periodUsed: 4_000 }),
      new Date('2026-02-28T10:00:00Z'),
    )!
    expect(renewed.lapsed).toBe(6_000)
    expect(balanceOf(renewed.account)).toBe(12_000)
    expect(renewed.account).toMatchObject({
      periodUsed: 0,
      periodStart: new Date('2026-02-28T10:00:00Z'),
      periodEnd: new Date('2026-03-31T10:00:00Z'),
    })
  })
  it('takes top-ups after the allowance', () => {
    const renewed = renew(
      account({ granted: 12_000, spent: 11_000, periodUsed: 11_000 }),
      new Date('2026-03-01T00:00:00Z'),
    )!
    expect(renewed.lapsed).toBe(0)
    expect(balanceOf(renewed.account)).toBe(11_000)
  })
  it('does nothing before the end of the period, and nothing ever for a trial', () => {
    expect(renew(account(), new Date('2026-02-28T09:59:59.999Z'))).toBeNull()
    expect(renew(account({ periodEnd: null }), new Date('2036-01-01T00:00:00Z'))).toBeNull()
  })
  it('never makes a balance negative', () => {
    const amount = fc.integer({ min: 0, max: 20_000 })
    fc.assert(
      fc.property(amount, amount, amount, amount, (allowance, topUps, spentShare, wanted) => {
        const granted = allowance + topUps
        const spent = Math.min(granted, spentShare)
        const before = account({ granted, spent, allowance, periodUsed: spent })
        const renewed = renew(before, new Date('2026-02-28T10:00:00Z'))!
        return (
          balanceOf(renewed.account) >= allowance &&
          balanceOf(renewed.account) === Math.min(topUps, granted - spent) + allowance &&
          balanceOf(before) + allowanceChange(before, wanted).change >= 0
        )
      }),
    )
  })
})
