import type { ExclusionKind } from '../values/exclusion.ts'

export const exclusionKindNames: Readonly<Record<ExclusionKind, string>> = {
  person: 'Person',
  company: 'Company',
  domain: 'Domain',
  email: 'Email address',
  title: 'Job title',
  country: 'Country',
}

/** Built-in lists; a team may add others. */
export const exclusionListNames = {
  do_not_contact: 'Do not contact',
  customers: 'Customers',
  competitors: 'Competitors',
  own_team: 'Own team',
} as const

export const exclusionOrigins = {
  api: 'By the API',
  dashboard: 'By hand',
  csv: 'From a file',
  destination: 'From a destination',
  result: 'By a reply',
} as const

/** A list's name; a team's own lists keep theirs. */
export const exclusionListInWords = (list: string): string =>
  Object.hasOwn(exclusionListNames, list) ? exclusionListNames[list as keyof typeof exclusionListNames] : list

export function excludedInWords({
  list,
  entryId,
  reason,
}: {
  readonly list: string
  readonly entryId: string | null
  readonly reason: string | null
}): string {
  if (entryId === null && reason === 'works_at_source') return 'They work at the tracked company.'
  if (entryId === null && reason === 'replied') return 'They have replied, or were won.'
  return `They are on the list “${exclusionListInWords(list)}”${reason === null || reason === '' ? '' : `: ${reason}`}.`
}
