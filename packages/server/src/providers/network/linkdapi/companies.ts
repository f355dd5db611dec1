import { cleanTextOrNull, cleanUrlOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { CompanyRecord, NetworkProvider } from '../../ports.ts'
import {
  companyUrl,
  companyUrn,
  readCompanyPage,
  readSlug,
  readSpecialties,
  readWebsite,
  staffRangeOf,
} from '../normal/companies.ts'
import { readIndustry } from '../normal/industries.ts'
import { headquartersOf } from '../normal/locations.ts'
import { asRecord } from '../vendor-client.ts'
import type { LinkdClient } from './client.ts'
import { company } from './schemas.ts'

/** Company pages. */
export function linkdCompanies(client: LinkdClient): Pick<NetworkProvider, 'company'> {
  return {
    company: async (which, options) => {
      const operation = 'company'
      // By its number a page costs one credit, nested in `company`; by its name only the call for two knows it.
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

/** A company in the service's words; null without an id or a name. */
export function readCompany(data: unknown): CompanyRecord | null {
  const raw = company.parse(data)
  const page = readCompanyPage(raw.linkedinUrl)
  const urn = companyUrn(raw.id) ?? page.urn
  const slug = readSlug(raw.universalName) ?? page.slug
  const name = cleanTextOrNull(raw.name, TEXT_LIMITS.name) ?? slug
  if (urn === null || name === null) return null
  const industry = readIndustry([...raw.industriesV2, ...raw.industries, ...raw.industriesLegacy])
  const home = raw.headquarter
  return {
    urn,
    slug: slug ?? urn.replace('urn:li:company:', ''),
    name,
    linkedinUrl: companyUrl({ urn, slug }) ?? '',
    website: readWebsite(raw.website),
    industry: industry?.name ?? null,
    industryId: industry?.id ?? null,
    employeeCount: raw.staffCount,
    staffRange: staffRangeOf(raw.staffCountRange),
    headquarters:
      home &&
      headquartersOf({
        city: home.city,
        region: home.geographicArea,
        codes: [home.countryCode, home.country],
        countries: [home.country],
      }),
    description: cleanTextOrNull(raw.description, TEXT_LIMITS.text),
    foundedYear: raw.founded?.year || null,
    followerCount: raw.followerCount,
    specialties: readSpecialties(raw.specialities),
    logoUrl: cleanUrlOrNull(raw.images?.logo),
    coverUrl: cleanUrlOrNull(raw.images?.cover),
  }
}
