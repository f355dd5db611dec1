import { describe, expect, it } from 'vitest'
import { forecastWords } from './forecast.ts'

const forecast = {
  dailyAverage: 12.4,
  daysLeft: 8,
  emptyAt: '2026-11-29T12:00:00.000Z',
  resetAt: '2026-12-10T12:00:00.000Z',
  lastsToReset: false,
}

describe('the forecast of the balance', () => {
  it('warns with the day when the credits end before they are renewed', () => {
    const said = forecastWords(forecast, 100)
    expect(said.tone).toBe('warn')
    expect(said.title).toBe('Your credits end in about 8 days')
    expect(said.text).toContain('Nov 29, 2026')
  })

  it('is calm when they last, and says so when nothing is spent', () => {
    expect(forecastWords({ ...forecast, lastsToReset: true }, 100).tone).toBe('good')
    expect(
      forecastWords({ ...forecast, dailyAverage: 0, daysLeft: null, emptyAt: null, lastsToReset: true }, 100).title,
    ).toBe('Nothing is being spent')
  })

  it('says what it means when there are none left', () => {
    expect(forecastWords({ ...forecast, daysLeft: 0 }, 0)).toMatchObject({
      tone: 'bad',
      title: 'There are no credits left',
    })
  })
})
