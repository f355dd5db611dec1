import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowanceChange, balanceOf, periodAt, renew, type Account } from './renewal.ts'

const account: Account = {
  granted: 12_000,
  spent: 3_000,
  held: 500,
  allowance: 10_000,
  periodUsed: 3_000,
  overspent: 0,
  anchorAt: new Date('2026-01-15T08:00:00Z'),
  periodStart: new Date('2026-01-15T08:00:00Z'),
  periodEnd: new Date('2026-02-15T08:00:00Z'),
}

describe('a balance', () => {
  it('lapses what is held with the rest of the allowance, and it is held of the new one', () => {
    const held = { ...account, granted: 10_000, held: 6_000 }
    const renewal = renew(held, new Date('2026-02-15T08:00:00Z'))!
    expect([renewal.lapsed, balanceOf(renewal.account)]).toEqual([7_000, 4_000])
    // After the read is settled, the rest of the allowance is left, as `remaining` says.
    expect(balanceOf({ ...renewal.account, held: 0, spent: 9_000, periodUsed: 6_000 })).toBe(10_000 - 6_000)
  })
  it('never lapses more than there is, whatever is held', () => {
    const lowered = { ...account, granted: 4_000, held: 900 }
    const renewal = renew(lowered, new Date('2026-02-15T08:00:00Z'))!
    expect([renewal.lapsed, balanceOf(renewal.account)]).toEqual([1_000, 9_100])
  })
})

describe('a renewal', () => {
  const at = new Date('2026-02-15T08:00:00Z')
  it.each([
    ['lapses what is left of the allowance and keeps top-ups', 12_000, 4_000, 6_000, 12_000],
    ['takes top-ups after the allowance', 12_000, 11_000, 0, 11_000],
  ])('%s', (_title, granted, spent, lapsed, balance) => {
    const renewed = renew({ ...account, granted, spent, held: 0, periodUsed: spent }, at)!
    expect([renewed.lapsed, balanceOf(renewed.account)]).toEqual([lapsed, balance])
    expect(renewed.account).toMatchObject({
      periodUsed: 0,
      periodStart: at,
      periodEnd: new Date('2026-03-15T08:00:00Z'),
    })
  })
  it('never makes a balance negative', () => {
    const amount = fc.integer({ min: 0, max: 20_000 })
    fc.assert(
      fc.property(amount, amount, amount, amount, (allowance, topUps, spentShare, wanted) => {
        const granted = allowance + topUps
        const spent = Math.min(granted, spentShare)
        const before = { ...account, granted, spent, held: 0, allowance, periodUsed: spent }
        return (
          balanceOf(renew(before, at)!.account) === Math.min(topUps, granted - spent) + allowance &&
          balanceOf(before) + allowanceChange(before, wanted).change >= 0
        )
      }),
    )
  })
})

describe('another allowance', () => {
  it.each([
    ['more of it is granted at once', 15_000, 5_000],
    ['less of it is taken from what is left', 4_000, -6_000],
    ['the same changes nothing', 10_000, 0],
    ['what is spent or held is not taken', 0, -8_500],
  ])('%s', (_title, allowance, expected) => {
    expect(allowanceChange(account, allowance).change).toBe(expected)
  })
  it.each([
    [[2_000, 10_000], 8_500, 0],
    [[2_000, 1_000, 0, 4_000, 10_000], 8_500, 0],
    [[0, 1_000], 0, 500],
    [[0, 0, 0], 0, 1_500],
    [[0, 1_500, 12_000], 10_500, 0],
  ] as const)(
    '%j: a balance of %i in the end, as if the last had been the only one',
    (allowances, balance, overspent) => {
      let one = account
      for (const allowance of allowances) {
        const { change, ...rest } = allowanceChange(one, allowance)
        one = { ...one, allowance, granted: one.granted + change, ...rest }
      }
      expect([balanceOf(one), one.overspent]).toEqual([balance, overspent])
      expect(renew(one, new Date('2026-02-15T08:00:00Z'))!.account.overspent).toBe(0)
    },
  )
})

describe('a period', () => {
  const anchor = new Date('2026-01-31T10:00:00Z')
  const days = (now: string) => {
    const { start, end } = periodAt(anchor, new Date(now))
    return [start.toISOString().slice(0, 10), end.toISOString().slice(0, 10)]
  }
  it.each([
    ['its first instant', '2026-02-28T10:00:00Z', ['2026-02-28', '2026-03-31']],
    ['the instant before', '2026-02-28T09:59:59.999Z', ['2026-01-31', '2026-02-28']],
    ['over the end of a year', '2027-01-30T00:00:00Z', ['2026-12-31', '2027-01-31']],
    ['before the anchor', '2025-06-01T00:00:00Z', ['2026-01-31', '2026-02-28']],
    ['years later', '2030-02-28T10:00:00Z', ['2030-02-28', '2030-03-31']],
  ])('holds %s', (_title, now, expected) => {
    expect(days(now)).toEqual(expected)
  })
  it('covers every instant exactly once', () => {
    const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 10 * 366 * 86_400_000 }), (from, after) => {
        const now = new Date(from.getTime() + after)
        const { start, end } = periodAt(from, now)
        return start <= now && now < end && periodAt(from, end).start.getTime() === end.getTime()
      }),
    )
  })
})
