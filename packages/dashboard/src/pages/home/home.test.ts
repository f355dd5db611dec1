import { describe, expect, it } from 'vitest'
import { anyLeft, byReason, stepsOf, type Known } from './words.ts'

it('what stops many sources for one reason is said once', () => {
  const poor = { kind: 'out_of_credits', text: 'No credits are left', advice: 'Get more.' }
  const silent = { kind: 'silent', text: 'Silent', advice: 'Look.' }
  expect(
    byReason([
      { source: 'a', warning: poor },
      { source: 'b', warning: silent },
      { source: 'c', warning: poor },
    ]),
  ).toEqual([
    { warning: poor, sources: ['a', 'c'] },
    { warning: silent, sources: ['b'] },
  ])
})

const nothing: Known = { sources: 0, judged: false, destinations: 0, access: 0, people: 1 }
const done = (known: Known) => stepsOf(known).flatMap(({ id, done: isDone }) => (isDone ? id : []))

describe('the first day', () => {
  it('ticks each step by what the team has; a team of one has invited nobody', () => {
    expect(done(nothing)).toEqual([])
    expect(done({ ...nothing, sources: 3, people: 2 })).toEqual(['track', 'invite'])
    expect(anyLeft(stepsOf({ sources: 1, judged: true, destinations: 1, access: 1, people: 2 }))).toBe(false)
  })

  it('is shown once something is known to be left, and not while all that is known is done', () => {
    const asked = { judged: undefined, destinations: undefined, access: undefined, people: undefined }
    expect(anyLeft(stepsOf({ sources: 0, ...asked }))).toBe(true)
    expect(anyLeft(stepsOf({ sources: 1, ...asked }))).toBe(false)
  })
})
