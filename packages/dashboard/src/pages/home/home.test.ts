import { describe, expect, it } from 'vitest'
import { anyLeft, byReason, gainsOf, stepsOf, type Doing, type Known } from './words.ts'

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

const source = (label: string, rest: Partial<Doing> = {}, ...kinds: string[]): Doing => ({
  id: label,
  label,
  status: 'active',
  leads: 0,
  creditsSpent: 0,
  ...rest,
  warnings: kinds.map((kind) => ({ kind })),
})
const inWords = (sources: readonly Doing[], unsent = 0) =>
  gainsOf(sources, unsent).map((gain) =>
    [gain.kind, 'source' in gain && gain.source.label, 'leads' in gain && gain.leads].filter(Boolean).join(' '),
  )

describe('what would bring more', () => {
  it('is nothing where everything is judged, sent and within its caps', () => {
    expect(inWords([source('ana', { leads: 9, creditsSpent: 9 })])).toEqual([])
  })

  it('names the source with the most leads nobody has judged, and counts those of all', () => {
    const sources = [source('few', { leads: 2 }, 'no_icp'), source('many', { leads: 7 }, 'no_icp')]
    expect(inWords(sources, 3)).toEqual(['send 3', 'judge many 9'])
  })

  it('leaves out sources that were stopped, that have no leads to judge, and that cost nothing', () => {
    const gone = source('gone', { status: 'inactive', leads: 5, creditsSpent: 5 }, 'no_icp', 'starved', 'low_yield')
    expect(inWords([gone, source('new', {}, 'no_icp'), source('free', { leads: 60 }, 'low_yield')])).toEqual([])
  })

  it('names what a cap held back, and what costs the most for hardly anybody who fits', () => {
    const sources = [
      source('a', { creditsSpent: 10 }, 'low_yield'),
      source('b', { creditsSpent: 40 }, 'low_yield', 'starved'),
    ]
    expect(inWords(sources)).toEqual(['raise b', 'narrow b'])
  })
})
