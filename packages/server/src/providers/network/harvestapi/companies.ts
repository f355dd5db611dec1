import { cleanTextOrNull, cleanUrlOrNull, TEXT_LIMITS } from '../../../platform/text.ts'
import type { CompanyRecord, NetworkProvider } from '../../ports.ts'
import {
  companyUrl,
  companyUrn,
  readCompanyPage,
  readSlug,
  readSpecialties,
  readWebsite,
  staffRange,
} from '../normal/companies.ts'
import { readIndustry } from '../normal/industries.ts'
import { headquartersOf } from '../normal/locations.ts'
import type { HarvestClient } from './client.ts'
import { company } from './schemas.ts'

/** Company pages. */
export function harvestCompanies(client: HarvestClient): Pick<NetworkProvider, 'company'> {
  return {
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

/** A company in the service's words; null without an id or a name. */
export function readCompany(element: unknown): CompanyRecord | null {
  const raw = company.parse(element)
  const page = readCompanyPage(raw.linkedinUrl)
  const urn = companyUrn(raw.id) ?? page.urn
  const slug = readSlug(raw.universalName) ?? page.slug
  const name = cleanTextOrNull(raw.name, TEXT_LIMITS.name) ?? slug
  if (urn === null || name === null) return null
  const home = raw.locations.find(({ headquarter }) => headquarter) ?? null
  const industry = readIndustry(raw.industries)
  return {
    urn,
    slug: slug ?? urn.replace('urn:li:company:', ''),
    name,
    linkedinUrl: companyUrl({ urn, slug }) ?? '',
    website: readWebsite(raw.website),
    industry: industry?.name ?? null,
    industryId: industry?.id ?? null,
    employeeCount: raw.employeeCount,
    staffRange: staffRange(raw.employeeCountRange?.start ?? null),
    headquarters:
      home &&
      headquartersOf({
        city: home.city ?? home.parsed?.city ?? null,
        region: home.geographicArea ?? home.parsed?.state ?? null,
        codes: [home.parsed?.countryCode, home.country],
        countries: [home.parsed?.countryFull, home.parsed?.country, home.country],
      }),
    description: cleanTextOrNull(raw.description, TEXT_LIMITS.text),
    foundedYear: raw.foundedOn?.year || null,
    followerCount: raw.followerCount,
    specialties: readSpecialties(raw.specialities),
    logoUrl: cleanUrlOrNull(raw.logo) ?? cleanUrlOrNull(widest(raw.logos)),
    coverUrl: cleanUrlOrNull(raw.backgroundCover) ?? cleanUrlOrNull(widest(raw.backgroundCovers)),
  }
}

function widest(pictures: readonly { url: string | null; width: number | null }[]): string | null {
  return pictures.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0))[0]?.url ?? null
}
