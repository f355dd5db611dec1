import type { Company } from '../../world/companies.ts'
import { staffRange } from './profile.ts'

/** The flat company of `/companies/company/info`, which `/info-v2` wraps in `company`. */
export function companyData(company: Company): Record<string, unknown> {
  const home = company.headquarters
  const place = home
    ? {
        countryCode: home.countryCode,
        geographicArea: home.region ?? '',
        country: home.country,
        city: home.city ?? '',
        postalCode: '',
        line1: '1 Main Street',
      }
    : null
  return {
    id: company.id,
    name: company.name,
    universalName: company.slug,
    linkedinUrl: `https://www.linkedin.com/company/${company.slug}`,
    tagline: company.tagline,
    description: company.description,
    type: company.type,
    images: { logo: company.logo ?? '', cover: '' },
    isVerified: company.followers > 5000,
    staffCount: company.employees,
    staffCountRange: staffRange(company.size),
    headquarter: place,
    locations: place ? [{ ...place, headquarter: true }] : [],
    industriesV2: [company.industry.name],
    industriesLegacy: [company.industry.name],
    specialities: company.specialities,
    website: company.website ?? '',
    founded: { year: company.foundedYear ?? 0, month: 0, day: 0 },
    followerCount: company.followers,
    phone: company.phone ?? '',
    crunchbaseUrl: '',
    fundingData: null,
    pageVerification: null,
  }
}
