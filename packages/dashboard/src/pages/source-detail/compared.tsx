import { column, type Column } from '../../ui/columns.tsx'
import { SafeLink } from '../../ui/text.tsx'

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
  column('Company', (person) => person.company ?? '–'),
  column('Country', (person) => person.country ?? '–'),
]
