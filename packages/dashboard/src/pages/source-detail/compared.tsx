import type { ResultOf } from '../../api/index.ts'
import { column, type Column } from '../../ui/columns.tsx'
import { count, countOf, share } from '../../ui/format.ts'
import { SafeLink } from '../../ui/text.tsx'

type Answer = ResultOf<'compareCriteria'>

/** A person whom other criteria, or another search, would gain or lose. */
type Compared = Pick<Answer['gainedPeople'][number], 'linkedinUrl' | 'name' | 'jobTitle' | 'company' | 'country'>

export const comparedColumns: readonly Column<Compared>[] = [
  column('Name', (person) => <SafeLink href={person.linkedinUrl}>{person.name ?? 'Name unknown'}</SafeLink>),
  column('Job title', (person) => person.jobTitle ?? '–'),
  column('Company', (person) => person.company ?? '–'),
  column('Country', (person) => person.country ?? '–'),
]

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
