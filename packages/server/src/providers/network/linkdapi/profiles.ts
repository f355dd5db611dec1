import type { NetworkProvider, Profile } from '../../ports.ts'
import { readCountry } from '../normal/countries.ts'
import { type RawJob, readJobs } from '../normal/jobs.ts'
import { isHeld } from '../normal/months.ts'
import { memberIdIn, profileUrl, readHandle, readPerson } from '../normal/people.ts'
import type { LinkdClient } from './client.ts'
import { type LinkdMarked, type LinkdPosition, profile, usernameToUrn } from './schemas.ts'

/** Handle resolution and profiles. */
export function linkdProfiles(client: LinkdClient): Pick<NetworkProvider, 'resolveHandle' | 'profile'> {
  return {
    resolveHandle: async (handle, options) => {
      const operation = 'resolveHandle'
      const read = usernameToUrn.parse(
        await client.data({ operation, path: '/profile/username-to-urn', query: { username: handle } }, options),
      )
      const urn = memberIdIn(read.urn)
      if (urn === null) throw client.malformed(operation, 'the answer has no member id')
      return { urn, handle: readHandle(read.username) ?? readHandle(handle) ?? handle }
    },
    profile: async (who, options) => {
      const operation = 'profile'
      const query = 'handle' in who ? { username: who.handle } : { urn: who.urn }
      const made = readProfile(await client.data({ operation, path: '/profile/full', query }, options))
      if (made === null) throw client.malformed(operation, 'the profile has no member id')
      return made
    },
  }
}

/** A profile in the service's words; null without a member id. */
export function readProfile(data: unknown): Profile | null {
  const raw = profile.parse(data)
  const name = [raw.firstName, raw.lastName].filter(Boolean).join(' ')
  const url = readHandle(raw.username) === null ? null : profileUrl(raw.username!)
  const person = readPerson({ ids: [raw.urn, raw.id], name, headline: raw.headline, url, avatar: raw.profilePicture })
  if (person === null) return null
  const jobs = readJobs(raw.currentPositions.map(markedJob), raw.fullPositions.filter(isHeld).map(jobOf))
  const country = readCountry({ codes: [raw.geo?.countryCode], names: [raw.geo?.country], location: raw.geo?.full })
  return {
    ...person,
    jobs,
    jobTitle: jobs[0]?.title ?? null,
    country: country.name,
    countryCode: country.code,
    company: jobs[0]?.company ?? null,
  }
}

const jobOf = (job: LinkdPosition): RawJob => ({
  title: job.title,
  companyName: job.companyName,
  companyId: job.companyId,
  companySlug: job.companyUsername,
  companyUrl: job.companyURL,
})

/** A job among the current ones: as in the history, or as a page of which only name and number are told. */
const markedJob = ({ name, urn, url, ...job }: LinkdMarked): RawJob => ({
  ...jobOf(job),
  companyName: job.companyName ?? name,
  companyId: job.companyId ?? urn,
  companyUrl: job.companyURL ?? url,
})
