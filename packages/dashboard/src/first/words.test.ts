import { describe, expect, it } from 'vitest'
import { forecastWords } from '../pages/credits/forecast.ts'
import { firstWords } from './words.ts'
import type { Piece, Pieces } from './pieces.ts'

const nowMs = Date.parse('2026-11-21T10:00:00Z')
const textOf = (piece: Piece): string => (typeof piece.in === 'string' ? piece.in : piece.in.map(textOf).join(' | '))
const saidOf = (page: string, answer: object): Pieces => firstWords[page]!.pieces(answer, nowMs)
const words = ({ body }: Pieces): string => body.map(textOf).join(' | ')

const source = {
  label: 'Maya Lindqvist',
  ended: null,
  warnings: [],
  lastRun: { words: 'Finished: everybody found was captured', finishedAt: '2026-11-19T10:00:00Z' },
}

describe('what a page says before its scripts are there', () => {
  it('names a source, and says how its last run ended, else the worst that is wrong with it', () => {
    expect(saidOf('sources-id', { source }).title).toBe('Maya Lindqvist')
    expect(words(saidOf('sources-id', { source }))).toBe('Finished: everybody found was captured (2 days ago)')
    expect(words(saidOf('sources-id', { source: { ...source, lastRun: null } }))).toBe('No run yet')
    const warnings = [
      { kind: 'no_icp', text: 'Nothing says who fits.', advice: 'Set criteria.' },
      { kind: 'out_of_credits', text: 'No credits are left.', advice: 'New ones come soon.' },
    ]
    expect(words(saidOf('sources-id', { source: { ...source, warnings } }))).toBe(
      'No credits are left. New ones come soon.',
    )
  })

  it('says of credits what the page says, to the word', () => {
    const credits = { balance: 940, used: 60, limit: 1_000, plan: 'growth', nextReset: '2026-12-01T00:00:00Z' }
    const forecast = {
      firstSyncs: 0,
      dailyCap: null,
      daysAtCap: null,
      dailyAverage: 100,
      daysLeft: 9,
      emptyAt: '2026-11-30T10:00:00Z',
      resetAt: '2026-12-01T00:00:00Z',
      lastsToReset: false,
    }
    const { title, text } = forecastWords(forecast, 940, nowMs)
    expect(words(saidOf('credits', { credits, forecast }))).toContain(`${title} | ${text}`)
  })

  it('shows who is worth a look, and nothing where there is nobody', () => {
    const lead = { name: 'Ada', jobTitle: 'CTO', companyName: null, sourceLabel: null, commentText: '<b>Yes</b>' }
    expect(words(saidOf('home', { leads: [lead] }))).toContain('Ada, CTO | \u00a0 | “<b>Yes</b>”')
    expect(saidOf('home', { leads: [] }).body).toEqual([])
  })
})
