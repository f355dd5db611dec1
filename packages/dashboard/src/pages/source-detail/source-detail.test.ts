import { describe, expect, it } from 'vitest'
import { differenceWords, nearWords, perFitWords } from './compared-words.ts'
import { worstFirst } from './source.ts'

it('the worst warning of a source comes first, what could be better last', () => {
  const kinds = ['no_icp', 'silent', 'webhook_disabled', 'out_of_credits'] as const
  const sorted = worstFirst(kinds.map((kind) => ({ kind, text: '', advice: '' })))
  expect(sorted.map(({ kind }) => kind)).toEqual(['out_of_credits', 'webhook_disabled', 'silent', 'no_icp'])
})

const answer = {
  people: 40,
  fitNow: 10,
  fitTried: 16,
  gained: 8,
  lost: 2,
  near: 3,
  nearBy: [{ row: 1, count: 3 }],
  hasCriteria: true,
  isWhole: true,
  creditsPerFit: { now: 4, tried: 2.5 },
  gainedPeople: [],
  lostPeople: [],
  nearPeople: [],
}

describe('a trial of criteria in words', () => {
  it('says how many would fit, how many do now, and what one of them costs', () => {
    expect(differenceWords(answer)).toBe('16 people of 40 would fit (40%); 10 do now (25%).')
    expect(perFitWords(answer)).toBe(
      'At that share a person who fits costs about 2.5 credits, where it is about 4 credits now.',
    )
  })

  it('says where there is nothing to compare with', () => {
    const none = { ...answer, hasCriteria: false, fitNow: 0, creditsPerFit: { now: null, tried: 1 } }
    expect(differenceWords(none)).toContain('nobody is judged now')
    expect(perFitWords(none)).toBe('At that share a person who fits costs about 1 credit.')
    expect(differenceWords({ ...answer, people: 0 })).toContain('no enriched leads')
    expect(perFitWords({ ...answer, creditsPerFit: { now: 4, tried: null } })).toBe('Nobody would fit: loosen a row.')
    expect(nearWords(1, answer)).toContain('one of several')
    expect(nearWords(2, answer)).toBe('Nobody fails one row alone.')
  })
})
