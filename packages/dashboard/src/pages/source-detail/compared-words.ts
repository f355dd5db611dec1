import type { ResultOf } from '../../api/types.ts'
import { count, countOf, share } from '../../ui/format.ts'

type Answer = ResultOf<'compareCriteria'>

export function differenceWords({ people, fitNow, fitTried, hasCriteria }: Answer): string {
  if (people === 0) return 'There are no enriched leads to try them on yet.'
  const would = `${countOf(fitTried, 'person', 'people')} of ${count(people)} would fit (${share(fitTried, people)})`
  return hasCriteria
    ? `${would}; ${count(fitNow)} do now (${share(fitNow, people)}).`
    : `${would}; nobody is judged now, since there are no criteria.`
}

const each = (credits: number): string => `about ${countOf(credits, 'credit')}`

export function perFitWords({ people, creditsPerFit: { now, tried }, hasCriteria }: Answer): string {
  if (people === 0) return 'Each person is counted once, however often they engaged.'
  if (tried === null) return 'Nobody would fit: loosen a row.'
  const before = !hasCriteria || now === null || now === tried ? '' : `, compared with ${each(now)} now`
  return `At that share, a person who fits costs ${each(tried)}${before}.`
}

export const nearWords = (rows: number, { people, fitTried }: Answer): string =>
  rows < 2 || people === fitTried
    ? 'A near miss fails one of several rows that must all match.'
    : 'Nobody fails only one row.'
