import type { NetworkProvider } from '../../ports.ts'
import { companyOf } from '../normal/companies.ts'
import { isHeld, profileOf, type RawJob } from '../normal/jobs.ts'
import { memberIdIn, profileUrl, readHandle } from '../normal/people.ts'
import { asRecord } from '../vendor-client.ts'
import type { LinkdClient } from './client.ts'
import { company, type LinkdMarked, type LinkdPosition, profile, usernameToUrn } from './schemas.ts'

/** LinkdAPI's handle resolution, profiles and company pages. */
export function linkdProfiles(client: LinkdClient): Pick<NetworkProvider, 'resolveHandle' | 'profile' | 'company'> {
  return {
    resolveHandle: async (handle, options) => {
      const operation = 'resolveHandle'
      const call = { operation, path: '/profile/username-to-urn', query: { username: handle } }
      const read = usernameToUrn.parse(await client.data(call, options))
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
    company: async (which, options) => {
      const operation = 'company'
      // By number a page costs one credit and is nested in `company`; by name only the two-credit call works.
      const call =
        'slug' in which
          ? { operation, path: '/companies/company/info', query: { name: which.slug } }
          : { operation, path: '/companies/company/info-v2', query: { id: which.urn.replace('urn:li:company:', '') } }
      const data = await client.data(call, options)
      const made = readCompany(asRecord(data.company) ?? data)
      if (made === null) throw client.malformed(operation, 'the company has no id or name')
      return made
    },
  }
}

function readProfile(data: unknown) {
  const raw = profile.parse(data)
  return profileOf({
    person: {
      ids: [raw.urn, raw.id],
      name: [raw.firstName, raw.lastName].filter(Boolean).join(' '),
      headline: raw.headline,
      url: readHandle(raw.username) === null ? null : profileUrl(raw.username!),
      avatar: raw.profilePicture,
    },
    marked: raw.currentPositions.map(markedJob),
    ongoing: raw.fullPositions.filter(isHeld).map(jobOf),
    country: { codes: [raw.geo?.countryCode], names: [raw.geo?.country], location: raw.geo?.full },
  })
}

const jobOf = (job: LinkdPosition): RawJob => ({
  title: job.title,
  companyName: job.companyName,
  companyId: job.companyId,
  companySlug: job.companyUsername,
  companyUrl: job.companyURL,
})

/** A current job: either like a history row, or a page with only name and number. */
const markedJob = ({ name, urn, url, ...job }: LinkdMarked): RawJob => ({
  ...jobOf(job),
  companyName: job.companyName ?? name,
  companyId: job.companyId ?? urn,
  companyUrl: job.companyURL ?? url,
})

function readCompany(data: unknown) {
  const raw = company.parse(data)
  const home = raw.headquarter
  return companyOf({
    id: raw.id,
    slug: raw.universalName,
    url: raw.linkedinUrl,
    name: raw.name,
    website: raw.website,
    industries: [...raw.industriesV2, ...raw.industries, ...raw.industriesLegacy],
    employees: raw.staffCount,
    staffRange: raw.staffCountRange,
    headquarters: home && {
      city: home.city,
      region: home.geographicArea,
      codes: [home.countryCode, home.country],
      countries: [home.country],
    },
    description: raw.description,
    foundedYear: raw.founded?.year,
    followers: raw.followerCount,
    specialties: raw.specialities,
    logos: [raw.images?.logo],
    covers: [raw.images?.cover],
  })
}
