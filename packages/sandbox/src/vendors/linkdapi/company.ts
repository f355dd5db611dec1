import type { Company } from '../../world/companies.ts'
import { hash32 } from '../../world/random.ts'
import { staffRange } from './profile.ts'

/** What industries were called before. */
const before: Readonly<Record<string, string>> = {
  'Software Development': 'Computer Software',
  'IT Services and IT Consulting': 'Information Technology & Services',
  'Technology, Information and Internet': 'Internet',
  'Advertising Services': 'Marketing & Advertising',
  'Business Consulting and Services': 'Management Consulting',
  'Hospitals and Health Care': 'Hospital & Health Care',
}

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
    // Pages that were never opened since the names changed have only the older one.
    industriesV2: hash32(company.id, 98) % 1000 < 60 && before[company.industry.name] ? [] : [company.industry.name],
    industriesLegacy: [before[company.industry.name] ?? company.industry.name],
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
