/** Runs and their people as resources (G91, G92). */
import type { Answer, OperationOf } from '@les/contract'
import type { FoundPerson } from './people-store.ts'
import type { DiscoverRun } from './store.ts'

type RunWithPeople = Answer<OperationOf<'getDiscoverRun'>>

/** A run without its people. */
export const presentDiscoverRun = (run: DiscoverRun): Omit<RunWithPeople, 'influencers'> => ({
  id: run.id,
  state: run.state,
  keywords: [...run.keywords],
  countries: [...run.countries],
  minEngagement: run.minEngagement,
  maxInfluencers: run.maxInfluencers,
  found: run.found,
  qualified: run.qualified,
  countryChecked: run.countryChecked,
  countryMatched: run.countryMatched,
  createdAt: run.createdAt.toISOString(),
  finishedAt: run.finishedAt?.toISOString() ?? null,
  error: run.errorCode === null ? null : { code: run.errorCode, error: run.errorText ?? run.errorCode },
})

/** A run with its people. */
export const presentDiscoverRunWithPeople = (run: DiscoverRun, people: readonly FoundPerson[]): RunWithPeople => ({
  ...presentDiscoverRun(run),
  influencers: people.map((person) => ({
    name: person.name,
    linkedinUrl: person.linkedinUrl,
    avatarUrl: person.avatarUrl,
    jobTitle: person.jobTitle,
    company: person.company,
    country: person.country,
    highestEngagement: person.highest,
    averageEngagement: person.averageEngagement,
    postCount: person.postCount,
    totalEngagement: person.total,
    topPostUrl: person.topPostUrl,
    topPostText: person.topPostText,
  })),
})
