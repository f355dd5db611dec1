import type { ResultOf } from '../../api/index.ts'
import { column, type Column } from '../../ui/columns.tsx'
import { SafeLink } from '../../ui/text.tsx'

/** A person whom other criteria, or another search, would gain or lose. */
type Compared = Pick<
  ResultOf<'compareCriteria'>['gainedPeople'][number],
  'linkedinUrl' | 'name' | 'jobTitle' | 'company' | 'country'
>

export const comparedColumns: readonly Column<Compared>[] = [
  column('Name', (person) => <SafeLink href={person.linkedinUrl}>{person.name ?? 'Name unknown'}</SafeLink>),
  column('Job title', (person) => person.jobTitle ?? '–'),
  column('Company', (person) => person.company ?? '–'),
  column('Country', (person) => person.country ?? '–'),
]
