import type { Company } from '../../world/companies.ts'
import { placeText } from '../../world/places.ts'
import { fullCountry } from '../presentation.ts'

const locationOf = (home: NonNullable<Company['headquarters']>): Record<string, unknown> => ({
  country: home.countryCode,
  city: home.city,
  geographicArea: home.region,
  line1: '1 Main Street',
  line2: null,
  postalCode: null,
  headquarter: true,
  description: null,
  parsed: {
    text: placeText(home),
    countryCode: home.countryCode,
    regionCode: null,
    country: home.country,
    countryFull: fullCountry(home),
    state: home.region,
    city: home.city,
  },
})

/** The `/linkedin/company` element. */
export function companyElement(company: Company): Record<string, unknown> {
  const home = company.headquarters
  const logo = company.logo
  return {
    id: company.id,
    universalName: company.slug,
    linkedinUrl: `https://www.linkedin.com/company/${company.slug}/`,
    name: company.name,
    tagline: company.tagline,
    website: company.website,
    logo,
    logos: logo ? [200, 100].map((width) => ({ url: logo, width, height: width, expiresAt: 1798761600000 })) : [],
    foundedOn: company.foundedYear === null ? null : { month: null, year: company.foundedYear, day: null },
    employeeCount: company.employees,
    employeeCountRange: { start: company.size.start, end: company.size.end },
    followerCount: company.followers,
    description: company.description,
    companyType: company.type,
    locations: home ? [locationOf(home)] : [],
    specialities: company.specialities,
    industries: [
      {
        id: company.industry.id,
        name: company.industry.name,
        urn: `urn:li:fsd_industryV2:${company.industry.id}`,
        title: company.industry.name,
        hierarchy: company.industry.name,
      },
    ],
    phone: company.phone ? { number: company.phone, extension: null } : null,
    pageVerified: company.followers > 5000,
    active: true,
    fundingData: null,
    similarOrganizations: [],
    affiliatedPages: [],
  }
}
