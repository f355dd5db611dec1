import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forecast, lastDates, type Spending } from './forecast.ts'

const usual: Spending = {
  balance: 700,
  spent: { firstSyncs: 0, bySources: 700, elsewhere: 0 },
  dailyCap: null,
  since: new Date('2026-01-01T00:00:00Z'),
  now: new Date('2026-11-21T12:00:00Z'),
  resetAt: new Date('2026-12-01T00:00:00Z'),
}

describe('the forecast', () => {
  it('divides what the last seven days have cost by seven', () =>
    expect(forecast(usual)).toEqual({
      firstSyncs: 0,
      dailyCap: null,
      daysAtCap: null,
      dailyAverage: 100,
      daysLeft: 7,
      emptyAt: new Date('2026-11-28T12:00:00Z'),
      lastsToReset: false,
    }))
  it('divides by the days there are when the team is younger, by one at least', () => {
    expect(forecast({ ...usual, since: new Date('2026-11-19T12:00:00Z') })).toMatchObject({
      dailyAverage: 350,
      daysLeft: 2,
    })
    expect(forecast({ ...usual, since: new Date('2026-11-21T11:00:00Z') })).toMatchObject({
      dailyAverage: 700,
      daysLeft: 1,
    })
  })
  it('says that the balance lasts when it does, or when nothing is being spent', () => {
    expect(forecast({ ...usual, balance: 950 })).toMatchObject({ daysLeft: 9, lastsToReset: true })
    expect(forecast({ ...usual, spent: { firstSyncs: 400, bySources: 0, elsewhere: 0 } })).toEqual({
      firstSyncs: 400,
      dailyCap: null,
      daysAtCap: null,
      dailyAverage: 0,
      daysLeft: null,
      emptyAt: null,
      lastsToReset: true,
    })
  })
  it('leaves first syncs out, and expects no more of the sources than their caps allow', () => {
    const spent = { firstSyncs: 5_000, bySources: 700, elsewhere: 70 }
    expect(forecast({ ...usual, spent, dailyCap: 400 })).toMatchObject({ dailyAverage: 110, daysLeft: 6, daysAtCap: 1 })
    expect(forecast({ ...usual, spent, dailyCap: 25 })).toMatchObject({ dailyAverage: 35, daysLeft: 20, daysAtCap: 20 })
    expect(forecast({ ...usual, spent, dailyCap: 0 })).toMatchObject({ dailyAverage: 10, daysLeft: 70 })
  })
  it('says how long the balance lasts at the caps when only first syncs have run', () =>
    expect(forecast({ ...usual, spent: { firstSyncs: 300, bySources: 0, elsewhere: 0 }, dailyCap: 400 })).toMatchObject(
      { dailyAverage: 0, daysLeft: null, daysAtCap: 1, lastsToReset: true },
    ))
  it('is over at once when nothing is left', () =>
    expect(forecast({ ...usual, balance: 0 })).toMatchObject({ daysLeft: 0, emptyAt: usual.now, lastsToReset: false }))
  it('never lasts shorter for a larger balance, and gives no instant that is none', () =>
    fc.assert(
      fc.property(fc.nat(10 ** 12), fc.nat(10 ** 12), fc.nat(10 ** 9), (a, b, bySources) => {
        const spent = { ...usual.spent, bySources }
        const [less, more] = [
          forecast({ ...usual, balance: Math.min(a, b), spent }),
          forecast({ ...usual, balance: Math.max(a, b), spent }),
        ]
        expect((more.daysLeft ?? Infinity) >= (less.daysLeft ?? Infinity)).toBe(true)
        expect(more.emptyAt === null || Number.isFinite(more.emptyAt.getTime())).toBe(true)
      }),
    ))
  it('names the days up to today', () =>
    expect(lastDates(new Date('2026-03-01T23:59:59Z'), 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']))
})
