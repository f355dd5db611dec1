import type { NetworkProvider } from '../../ports.ts'
import { companyOf } from '../normal/companies.ts'
import { isHeld, profileOf, type RawJob } from '../normal/jobs.ts'
import { memberIdIn, readHandle } from '../normal/people.ts'
import type { HarvestClient } from './client.ts'
import { company, type HarvestPosition, profile, profileId } from './schemas.ts'

/** HarvestAPI's handle resolution, profiles and company pages. */
export function harvestProfiles(client: HarvestClient): Pick<NetworkProvider, 'resolveHandle' | 'profile' | 'company'> {
  return {
    resolveHandle: async (handle, options) => {
      const operation = 'resolveHandle'
      const call = { operation, path: '/linkedin/profile-id', query: { publicIdentifier: handle } }
      const read = profileId.parse(await client.element(call, options))
      const urn = memberIdIn(read.id)
      if (urn === null) throw client.malformed(operation, 'the answer has no member id')
      return { urn, handle: readHandle(read.publicIdentifier) ?? readHandle(handle) ?? handle }
    },
    profile: async (who, options) => {
      const operation = 'profile'
      // `main` is the cheap form and has every field read here.
      const query =
        'handle' in who ? { publicIdentifier: who.handle, main: 'true' } : { profileId: who.urn, main: 'true' }
      const made = readProfile(await client.element({ operation, path: '/linkedin/profile', query }, options))
      if (made === null) throw client.malformed(operation, 'the profile has no member id')
      return made
    },
    company: async (which, options) => {
      const operation = 'company'
      const query =
        'slug' in which ? { universalName: which.slug } : { companyId: which.urn.replace('urn:li:company:', '') }
      const made = readCompany(await client.element({ operation, path: '/linkedin/company', query }, options))
      if (made === null) throw client.malformed(operation, 'the company has no id or name')
      return made
    },
  }
}

function readProfile(element: unknown) {
  const raw = profile.parse(element)
  const { location } = raw
  return profileOf({
    person: {
      ids: [raw.id, raw.objectUrn],
      name: [raw.firstName, raw.lastName].filter(Boolean).join(' '),
      headline: raw.headline,
      url: raw.linkedinUrl,
      handle: raw.publicIdentifier,
      avatar: raw.photo,
    },
    marked: raw.currentPosition.map(jobOf),
    ongoing: raw.experience.filter(({ startDate, endDate }) => isHeld({ start: startDate, end: endDate })).map(jobOf),
    country: {
      codes: [location?.parsed?.countryCode, location?.countryCode],
      names: [location?.parsed?.countryFull, location?.parsed?.country],
      location: location?.linkedinText,
    },
  })
}

const jobOf = (job: HarvestPosition): RawJob => ({
  title: job.position ?? job.title,
  companyName: job.companyName,
  companyId: job.companyId,
  companySlug: job.companyUniversalName,
  companyUrl: job.companyLinkedinUrl,
})

function readCompany(element: unknown) {
  const raw = company.parse(element)
  const home = raw.locations.find(({ headquarter }) => headquarter) ?? null
  return companyOf({
    id: raw.id,
    slug: raw.universalName,
    url: raw.linkedinUrl,
    name: raw.name,
    website: raw.website,
    industries: raw.industries,
    employees: raw.employeeCount,
    staffRange: raw.employeeCountRange?.start ?? null,
    headquarters: home && {
      city: home.city ?? home.parsed?.city ?? null,
      region: home.geographicArea ?? home.parsed?.state ?? null,
      codes: [home.parsed?.countryCode, home.country],
      countries: [home.parsed?.countryFull, home.parsed?.country, home.country],
    },
    description: raw.description,
    foundedYear: raw.foundedOn?.year,
    followers: raw.followerCount,
    specialties: raw.specialities,
    logos: [raw.logo, widest(raw.logos)],
    covers: [raw.backgroundCover, widest(raw.backgroundCovers)],
  })
}

function widest(pictures: readonly { url: string | null; width: number | null }[]): string | null {
  return pictures.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0))[0]?.url ?? null
}
