import { describe, expect, it } from 'vitest'
import { gainsOf, type Doing } from './words.ts'

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
