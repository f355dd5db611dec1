import type { Company } from '../../world/companies.ts'
import type { Network } from '../../world/network.ts'
import type { Person, Position } from '../../world/people.ts'
import { placeText } from '../../world/places.ts'
import { hash32 } from '../../world/random.ts'
import { decoratedName, decoratedTitle } from '../decorated.ts'

/** The data of `/profile/full`: country code in lower case, end year 0 for a current job. */
export function fullProfile(network: Network, person: Person): Record<string, unknown> {
  const hidden = { firstName: 'LinkedIn', lastName: 'Member', headline: '', about: null, place: null, picture: null }
  const shown = person.hidden ? { ...person, ...hidden, positions: [] } : { ...person, ...decoratedName(person) }
  const { place } = shown
  return {
    id: String(person.memberNumber),
    urn: person.id,
    username: person.hidden ? person.id : person.handle,
    firstName: shown.firstName,
    lastName: shown.lastName,
    headline: shown.headline ?? '',
    summary: shown.about ?? '',
    profilePicture: shown.picture ?? '',
    geo: {
      country: place?.country ?? '',
      city: place?.city ?? '',
      full: place ? placeText(place) : '',
      countryCode: place?.countryCode.toLowerCase() ?? '',
    },
    isOpenToWork: person.openToWork,
    isPremium: person.premium,
    followerCount: person.followers,
    connectionsCount: person.connections,
    currentPositions: shown.positions
      .filter((position) => position.end === null)
      .map((position) => positionOf(network, position)),
    fullPositions: shown.positions.map((position) => positionOf(network, position)),
    educations: [],
    skills: [],
    languages: [],
  }
}

function positionOf(network: Network, position: Position): Record<string, unknown> {
  const { company } = position
  const page = company ? network.company(company.id) : undefined
  return {
    companyId: company ? Number(company.id) : 0,
    companyName: position.companyName,
    companyUsername: company?.slug ?? '',
    companyURL: company ? `https://www.linkedin.com/company/${company.slug}/` : '',
    companyLogo: company?.logo ?? '',
    companyIndustry: page?.industry.name ?? '',
    companyStaffCountRange: page ? staffRange(page.size) : '',
    title: decoratedTitle(position),
    location: position.location ?? '',
    employmentType: position.employmentType,
    description: position.description ?? '',
    start: { ...position.start, day: 0 },
    end: { ...(position.end ?? { year: 0, month: 0 }), day: 0 },
  }
}

function staffRange(size: { start: number; end: number | null }): string {
  return size.end === null
    ? `${size.start.toLocaleString('en-US')}+ employees`
    : `${size.start.toLocaleString('en-US')}-${size.end.toLocaleString('en-US')} employees`
}

const before: Readonly<Record<string, string>> = {
  'Software Development': 'Computer Software',
  'IT Services and IT Consulting': 'Information Technology & Services',
  'Technology, Information and Internet': 'Internet',
  'Advertising Services': 'Marketing & Advertising',
  'Business Consulting and Services': 'Management Consulting',
  'Hospitals and Health Care': 'Hospital & Health Care',
}

/** The flat company of `/companies/company/info`; `/info-v2` wraps it in `company`. */
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
    // Pages not edited since the industries were renamed have only the old name.
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
