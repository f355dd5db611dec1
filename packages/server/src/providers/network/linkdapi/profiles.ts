import { cleanTextOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { NetworkProvider, Profile } from '../../ports.ts'
import { readEmployer } from '../normal/companies.ts'
import { countryCode, countryName } from '../normal/countries.ts'
import { memberIdIn, profileUrl, readHandle, readPerson } from '../normal/people.ts'
import type { LinkdClient } from './client.ts'
import { profile, usernameToUrn } from './schemas.ts'

/** Handle resolution and profiles. */
export function linkdProfiles(client: LinkdClient): Pick<NetworkProvider, 'resolveHandle' | 'profile'> {
  return {
    resolveHandle: async (handle, options) => {
      const operation = 'resolveHandle'
      const read = usernameToUrn.parse(await client.data({ operation, path: '/profile/username-to-urn', query: { username: handle } }, options))
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
  const job = raw.fullPositions.find(({ end }) => end) ?? null
  const page = raw.currentPositions[0] ?? null
  const code = countryCode(raw.geo?.countryCode)
  return {
    ...person,
    jobTitle: cleanTextOrNull(job?.title ?? page?.title, TEXT_LIMITS.headline) ?? person.headline,
    // The served name can be in any language; the code cannot.
    country: countryName(code) ?? cleanTextOrNull(raw.geo?.country, 100),
    countryCode: code,
    company:
      job !== null
        ? readEmployer({ name: job.companyName, id: job.companyId, slug: job.companyUsername, url: job.companyURL })
        : page && readEmployer({ name: page.companyName ?? page.name, id: page.urn, slug: null, url: page.url }),
  }
}
