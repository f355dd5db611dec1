import { describe, expect, it } from 'vitest'
import { changeOf, competitorIn, profileOf } from './agent.ts'

describe('a profile', () => {
  it.each([
    ['Acme', { name: 'Acme' }],
    ['Acme, acme.com', { name: 'Acme', domain: 'acme.com' }],
    ['Acme, Inc.', { name: 'Acme, Inc.' }],
    ['Smith, Jones and Co', { name: 'Smith, Jones and Co' }],
  ])('reads the competitor %s as %o', (text, competitor) => {
    expect(competitorIn(text)).toEqual(competitor)
  })
  it('leaves the daily limit out on a free trial, and an empty website clears it', () => {
    const change = changeOf(profileOf(null), true)
    expect(change).not.toHaveProperty('dailyCredits')
    expect(change.website).toBeNull()
    expect(changeOf(profileOf(null), false).dailyCredits).toBe(100)
  })
  it.each(['', '  ', 'many'])(
    'sends the daily limit "%s" as no number, so that the service refuses it by its name',
    (text) => {
      expect(changeOf({ ...profileOf(null), dailyCredits: text }, false).dailyCredits).toBeNaN()
    },
  )
})
