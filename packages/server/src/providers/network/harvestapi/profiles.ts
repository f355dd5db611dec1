import { cleanTextOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { NetworkProvider, Profile } from '../../ports.ts'
import { readEmployer } from '../normal/companies.ts'
import { countryCode, countryName } from '../normal/countries.ts'
import { memberIdIn, readHandle, readPerson } from '../normal/people.ts'
import type { HarvestClient } from './client.ts'
import { type HarvestPosition, profile, profileId } from './schemas.ts'

/** Handle resolution and profiles. */
export function harvestProfiles(client: HarvestClient): Pick<NetworkProvider, 'resolveHandle' | 'profile'> {
  return {
    resolveHandle: async (handle, options) => {
      const operation = 'resolveHandle'
      const read = profileId.parse(await client.element({ operation, path: '/linkedin/profile-id', query: { publicIdentifier: handle } }, options))
      const urn = memberIdIn(read.id)
      if (urn === null) throw client.malformed(operation, 'the answer has no member id')
      return { urn, handle: readHandle(read.publicIdentifier) ?? readHandle(handle) ?? handle }
    },
    profile: async (who, options) => {
      const operation = 'profile'
      // `main` is the cheap form: everything read here is in it.
      const query = 'handle' in who ? { publicIdentifier: who.handle, main: 'true' } : { profileId: who.urn, main: 'true' }
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
  const person = readPerson({ ids: [raw.id, raw.objectUrn], name, headline: raw.headline, url: raw.linkedinUrl, handle: raw.publicIdentifier, avatar: raw.photo })
  if (person === null) return null
  const job = currentJob(raw.currentPosition, raw.experience)
  const code = countryCode(raw.location?.parsed?.countryCode) ?? countryCode(raw.location?.countryCode)
  return {
    ...person,
    jobTitle: cleanTextOrNull(job?.position, TEXT_LIMITS.headline) ?? person.headline,
    country: cleanTextOrNull(raw.location?.parsed?.countryFull, 100) ?? countryName(code),
    countryCode: code,
    company: job === null ? null : readEmployer({ name: job.companyName, id: job.companyId, slug: job.companyUniversalName, url: job.companyLinkedinUrl }),
  }
}

/** The job held now: what the profile calls current, completed from its experience; never simply the first listed. */
function currentJob(current: readonly HarvestPosition[], experience: readonly HarvestPosition[]): HarvestPosition | null {
  const ongoing = experience.filter(({ endDate }) => endDate !== null && /present/i.test(endDate))
  const first = current[0]
  if (first === undefined) return ongoing[0] ?? null
  const same = ongoing.find((job) => (first.companyId !== null ? job.companyId === first.companyId : job.companyName === first.companyName))
  return {
    ...first,
    position: first.position ?? same?.position ?? null,
    companyId: first.companyId ?? same?.companyId ?? null,
    companyUniversalName: first.companyUniversalName ?? same?.companyUniversalName ?? null,
    companyLinkedinUrl: first.companyLinkedinUrl ?? same?.companyLinkedinUrl ?? null,
  }
}
