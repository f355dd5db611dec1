import type { NetworkProvider, Profile } from '../../ports.ts'
import { readCountry } from '../normal/countries.ts'
import { type RawJob, readJobs } from '../normal/jobs.ts'
import { isHeld } from '../normal/months.ts'
import { memberIdIn, readHandle, readPerson } from '../normal/people.ts'
import type { HarvestClient } from './client.ts'
import { type HarvestPosition, profile, profileId } from './schemas.ts'

/** Handle resolution and profiles. */
export function harvestProfiles(client: HarvestClient): Pick<NetworkProvider, 'resolveHandle' | 'profile'> {
  return {
    resolveHandle: async (handle, options) => {
      const operation = 'resolveHandle'
      const read = profileId.parse(
        await client.element({ operation, path: '/linkedin/profile-id', query: { publicIdentifier: handle } }, options),
      )
      const urn = memberIdIn(read.id)
      if (urn === null) throw client.malformed(operation, 'the answer has no member id')
      return { urn, handle: readHandle(read.publicIdentifier) ?? readHandle(handle) ?? handle }
    },
    profile: async (who, options) => {
      const operation = 'profile'
      // `main` is the cheap form: everything read here is in it.
      const query =
        'handle' in who ? { publicIdentifier: who.handle, main: 'true' } : { profileId: who.urn, main: 'true' }
      const made = readProfile(await client.element({ operation, path: '/linkedin/profile', query }, options))
      if (made === null) throw client.malformed(operation, 'the profile has no member id')
      return made
    },
  }
}

/** A profile in the service's words; null without a member id. */
export function readProfile(element: unknown): Profile | null {
  const raw = profile.parse(element)
  const name = [raw.firstName, raw.lastName].filter(Boolean).join(' ')
  const person = readPerson({
    ids: [raw.id, raw.objectUrn],
    name,
    headline: raw.headline,
    url: raw.linkedinUrl,
    handle: raw.publicIdentifier,
    avatar: raw.photo,
  })
  if (person === null) return null
  const jobs = readJobs(raw.currentPosition.map(jobOf), raw.experience.filter(isOngoing).map(jobOf))
  const { location } = raw
  const country = readCountry({
    codes: [location?.parsed?.countryCode, location?.countryCode],
    names: [location?.parsed?.countryFull, location?.parsed?.country],
    location: location?.linkedinText,
  })
  return {
    ...person,
    jobs,
    jobTitle: jobs[0]?.title ?? null,
    country: country.name,
    countryCode: country.code,
    company: jobs[0]?.company ?? null,
  }
}

const isOngoing = ({ startDate, endDate }: HarvestPosition): boolean => isHeld({ start: startDate, end: endDate })

const jobOf = (job: HarvestPosition): RawJob => ({
  title: job.position ?? job.title,
  companyName: job.companyName,
  companyId: job.companyId,
  companySlug: job.companyUniversalName,
  companyUrl: job.companyLinkedinUrl,
})
