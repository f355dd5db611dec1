import type { Company } from '../../world/companies.ts'
import type { Person, Position } from '../../world/people.ts'
import { placeText, type Place } from '../../world/places.ts'
import { decoratedName, decoratedTitle } from '../decorated.ts'
import unchanging from './unchanging.json' with { type: 'json' }

const fullCountry = (place: Place): string => (place.countryCode === 'US' ? 'United States of America' : place.country)

const parsedPlace = (place: Place | null): Record<string, unknown> => ({
  text: place ? placeText(place) : '',
  countryCode: place?.countryCode ?? null,
  regionCode: null,
  country: place?.country ?? null,
  countryFull: place ? fullCountry(place) : null,
  state: place?.region ?? null,
  city: place?.city ?? null,
})

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function dateOf({ year, month }: Position['start']): Record<string, unknown> {
  const name = MONTHS[month - 1] ?? 'Jan'
  return { month: name, year, text: `${name} ${year}` }
}

/** The `/linkedin/profile` element; `main` keeps at most five jobs. */
export function profileElement(person: Person, main: boolean): Record<string, unknown> {
  const experience = person.positions.map(experienceOf)
  const { place } = person
  const { firstName, lastName } = decoratedName(person)
  return {
    id: person.id,
    publicIdentifier: person.handle,
    linkedinUrl: `https://www.linkedin.com/in/${person.handle}`,
    firstName,
    lastName,
    headline: person.headline,
    about: person.about,
    photo: person.picture,
    openToWork: person.openToWork,
    premium: person.premium,
    verified: person.memberNumber % 3 === 0,
    location: {
      linkedinText: place ? placeText(place) : '',
      countryCode: place?.countryCode ?? null,
      parsed: parsedPlace(place),
    },
    objectUrn: `urn:li:member:${person.memberNumber}`,
    registeredAt: new Date(
      Date.UTC(2006 + (person.memberNumber % 18), person.memberNumber % 12, 1 + (person.memberNumber % 28)),
    ).toISOString(),
    connectionsCount: person.connections,
    followerCount: person.followers,
    currentPosition: person.positions.filter((position) => position.end === null).map(experienceOf),
    experience: main ? experience.slice(0, 5) : experience,
    languages: [{ name: 'English', proficiency: 'Professional working proficiency' }],
    ...unchanging.profile,
    ...(person.hidden ? hiddenFields(person) : {}),
  }
}

function experienceOf(position: Position): Record<string, unknown> {
  const { start, end, company } = position
  const months = Math.max(1, ((end?.year ?? 2026) - start.year) * 12 + (end?.month ?? 1) - start.month)
  return {
    position: decoratedTitle(position),
    location: position.location,
    employmentType: position.employmentType,
    companyName: position.companyName,
    ...(company
      ? {
          companyLinkedinUrl: `https://www.linkedin.com/company/${company.slug}/`,
          companyId: company.id,
          companyUniversalName: company.slug,
          ...(company.logo ? { companyLogo: { url: company.logo, width: 200, height: 200 } } : {}),
        }
      : {
          companyLinkedinUrl: `https://www.linkedin.com/search/results/all/?keywords=${encodeURIComponent(position.companyName)}`,
        }),
    duration: months < 12 ? `${months} mos` : `${Math.floor(months / 12)} yrs ${months % 12} mos`,
    description: position.description,
    ...unchanging.job,
    startDate: dateOf(start),
    // Most current jobs end at "Present", some have no end.
    endDate: end ? dateOf(end) : start.month === 7 ? null : { text: 'Present' },
  }
}

const hiddenFields = ({ id }: Person): Record<string, unknown> => ({
  publicIdentifier: id,
  linkedinUrl: `https://www.linkedin.com/in/${id}`,
  ...unchanging.hiddenProfile,
})

const locationOf = (home: NonNullable<Company['headquarters']>): Record<string, unknown> => ({
  country: home.countryCode,
  city: home.city,
  geographicArea: home.region,
  ...unchanging.address,
  parsed: parsedPlace(home),
})

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
    ...unchanging.company,
  }
}
