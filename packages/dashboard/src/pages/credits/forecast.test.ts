import { describe, expect, it } from 'vitest'
import { forecastWords } from './forecast.ts'

const nowMs = Date.parse('2026-11-21T12:00:00.000Z')
const forecast = {
  firstSyncs: 0,
  dailyCap: null,
  daysAtCap: null,
  dailyAverage: 12.4,
  daysLeft: 8,
  emptyAt: '2026-11-29T12:00:00.000Z',
  resetAt: '2026-12-10T12:00:00.000Z',
  lastsToReset: false,
}

describe('the forecast of the balance', () => {
  it('warns with the day when the credits end before they are renewed', () => {
    const said = forecastWords(forecast, 100, nowMs)
    expect(said.tone).toBe('warn')
    expect(said.title).toBe('Your credits end in about 8 days')
    expect(said.text).toContain('Nov 29, 2026')
  })

  it('says the range between the caps and the use of late', () => {
    const said = forecastWords({ ...forecast, dailyCap: 40, daysAtCap: 2 }, 100, nowMs)
    expect(said.title).toBe('Your credits end in 2 to 8 days')
    expect(said.text).toContain('40 credits a day together, they would end in 2 days')
    expect(forecastWords({ ...forecast, dailyCap: 400, daysAtCap: 0 }, 100, nowMs).title).toBe(
      'Your credits end within 8 days',
    )
    expect(forecastWords({ ...forecast, dailyCap: 13, daysAtCap: 8 }, 100, nowMs).title).toBe(
      'Your credits end in about 8 days',
    )
  })

  it('speaks of the caps only when they could end the credits before they are renewed', () =>
    expect(
      forecastWords({ ...forecast, lastsToReset: true, dailyCap: 2, daysAtCap: 50 }, 100, nowMs).text,
    ).not.toContain('limit'))
})
