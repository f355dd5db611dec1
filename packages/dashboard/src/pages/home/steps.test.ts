import { describe, expect, it } from 'vitest'
import { allDone, stepsOf, type Known } from './steps.ts'

const nothing: Known = { sources: 0, judged: false, destinations: 0, access: 0, people: 1 }
const done = (known: Known) => stepsOf(known).flatMap(({ id, done: isDone }) => (isDone ? id : []))

describe('the first day', () => {
  it('ticks each step by what the team has; a team of one has invited nobody', () => {
    expect(done(nothing)).toEqual([])
    expect(done({ ...nothing, sources: 3, people: 2 })).toEqual(['track', 'invite'])
    expect(allDone(stepsOf({ sources: 1, judged: true, destinations: 1, access: 1, people: 2 }))).toBe(true)
  })

  it('is not over while something is still being asked for', () => {
    expect(allDone(stepsOf({ sources: 1, judged: true, destinations: 1, access: undefined, people: 2 }))).toBe(false)
  })
})
