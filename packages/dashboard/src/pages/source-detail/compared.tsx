import { column, SafeLink, type Column } from '../../ui/index.ts'

/** A person whom other criteria, or another search, would gain or lose. */
type Compared = {
  readonly linkedinUrl: string
  readonly name: string | null
  readonly jobTitle: string | null
  readonly company: string | null
  readonly country: string | null
}

export const comparedColumns: readonly Column<Compared>[] = [
  column('Name', (person) => <SafeLink href={person.linkedinUrl}>{person.name ?? 'Name unknown'}</SafeLink>),
  column('Job title', (person) => person.jobTitle ?? '–'),
  column('Company', { wide: true }, (person) => person.company ?? '–'),
  column('Country', { wide: true }, (person) => person.country ?? '–'),
]
