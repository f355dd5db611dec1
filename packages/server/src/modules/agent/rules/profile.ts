/** What an agent knows about the website's customers. */
import type { Answer, OperationOf } from '@les/contract'
import { identityOfTerms, withoutOperators } from '../../keywords/rules/terms.ts'

/** An agent's profile, as answers show it. */
export type Profile = NonNullable<Answer<OperationOf<'getAgent'>>['agent']>['profile']

/** The profile of a new agent. */
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

/** The profile after a change; what a change does not name stays. */
export function changeProfile(
  profile: Profile,
  change: { readonly [K in keyof Profile]?: Profile[K] | undefined },
): Profile {
  return Object.fromEntries(fields.map((field) => [field, change[field] ?? profile[field]])) as Profile
}

/** What a topic has in common with every other spelling of it: the search that it comes to. */
const searchOf = (topic: string): string => identityOfTerms([withoutOperators(topic)])

/** The topics that a start searches, each once however it is spelled: two that are one search would share what they may spend. */
export function topicsToSearch(profile: Profile): string[] {
  return [...new Map(profile.topics.map((topic) => [searchOf(topic), topic])).values()]
}
