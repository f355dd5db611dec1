import { describe, expect, it } from 'vitest'
import { withoutRepeats, type ReportedResult } from './repeats.ts'

const ada: ReportedResult = { personUrn: 'ACoAAa', handle: 'ada', outcome: 'replied', campaignId: '7' }

describe('what the outreach platform tells', () => {
  it.each<[string, ReportedResult, boolean]>([
    ['the same of the same campaign', ada, true],
    ['the same without a campaign', { ...ada, campaignId: null }, true],
    ['the same of another campaign', { ...ada, campaignId: '8' }, false],
    ['another outcome', { ...ada, outcome: 'accepted' }, false],
    ['the same of a person known by handle alone', { ...ada, personUrn: null }, true],
    ['the same of a person known by member id alone', { ...ada, handle: null }, true],
    ['the same of somebody else', { ...ada, personUrn: 'ACoAAb', handle: 'ben' }, false],
    ['the same of somebody else of whom as little is known', { ...ada, personUrn: null, handle: null }, false],
  ])('%s is a repetition: %s', (_what, reported, repeated) => {
    expect(withoutRepeats([reported], [ada])).toEqual(repeated ? [] : [reported])
    expect(withoutRepeats([ada, reported], [])).toEqual(repeated ? [ada] : [ada, reported])
  })
  it('is a repetition of what was told without a campaign, whichever it names', () => {
    expect(withoutRepeats([ada], [{ ...ada, campaignId: null }])).toEqual([])
  })
})
