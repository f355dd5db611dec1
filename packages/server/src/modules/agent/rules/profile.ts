/** The profile of an agent: what it knows about a website's customers. */
import type { Answer, OperationOf } from '@les/contract'
import { identityOfTerms, withoutOperators } from '../../keywords/rules/terms.ts'

export type Profile = NonNullable<Answer<OperationOf<'getAgent'>>['agent']>['profile']

export const emptyProfile: Profile = {
  summary: '',
  titles: [],
  industries: [],
  companySizes: [],
  countries: [],
  topics: [],
  competitors: [],
}

const fields = Object.keys(emptyProfile) as readonly (keyof Profile)[]

/** Changes the named fields of a profile. */
export function changeProfile(
  profile: Profile,
  change: { readonly [K in keyof Profile]?: Profile[K] | undefined },
): Profile {
  return Object.fromEntries(fields.map((field) => [field, change[field] ?? profile[field]])) as Profile
}

/** The identity of the search that a topic stands for, whatever its spelling. */
const searchOf = (topic: string): string => identityOfTerms([withoutOperators(topic)])

/** The topics to search, without other spellings of the same: two topics that are one search would share its budget. */
export function topicsToSearch(profile: Profile): string[] {
  return [...new Map(profile.topics.map((topic) => [searchOf(topic), topic])).values()]
}
