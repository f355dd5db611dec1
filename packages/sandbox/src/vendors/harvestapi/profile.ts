import { wornName, wornTitle } from '../worn.ts'
import type { Person, Position } from '../../world/people.ts'
import { placeText } from '../../world/places.ts'
import { fullCountry, monthName } from '../presentation.ts'

/** The `/linkedin/profile` element; `main` keeps at most five jobs. A hidden member is "LinkedIn Member" with nothing else. */
export function profileElement(person: Person, main: boolean): Record<string, unknown> {
  if (person.hidden) return hiddenElement(person)
  const experience = person.positions.map(experienceOf)
  const place = person.place
  return {
    id: person.id,
    publicIdentifier: person.handle,
    linkedinUrl: `https://www.linkedin.com/in/${person.handle}`,
    firstName: wornName(person).firstName,
    lastName: wornName(person).lastName,
    headline: person.headline,
    about: person.about,
    photo: person.picture,
    openToWork: person.openToWork,
    hiring: false,
    premium: person.premium,
    verified: person.memberNumber % 3 === 0,
    influencer: false,
    location: {
      linkedinText: place ? placeText(place) : '',
      countryCode: place?.countryCode ?? null,
      parsed: {
        text: place ? placeText(place) : '',
        countryCode: place?.countryCode ?? null,
        regionCode: null,
        country: place?.country ?? null,
        countryFull: place ? fullCountry(place) : null,
        state: place?.region ?? null,
        city: place?.city ?? null,
      },
    },
    objectUrn: `urn:li:member:${person.memberNumber}`,
    registeredAt: new Date(
      Date.UTC(2006 + (person.memberNumber % 18), person.memberNumber % 12, 1 + (person.memberNumber % 28)),
    ).toISOString(),
    topSkills: null,
    connectionsCount: person.connections,
    followerCount: person.followers,
    emails: [],
    websites: [],
    currentPosition: person.positions.filter((position) => position.end === null).map(experienceOf),
    experience: main ? experience.slice(0, 5) : experience,
    education: [],
    skills: [],
    languages: [{ name: 'English', proficiency: 'Professional working proficiency' }],
    certifications: [],
    projects: [],
    moreProfiles: [],
  }
}

function experienceOf(position: Position): Record<string, unknown> {
  const end = position.end
  const months = Math.max(
    1,
    ((end?.year ?? 2026) - position.start.year) * 12 + (end?.month ?? 1) - position.start.month,
  )
  return {
    position: wornTitle(position),
    location: position.location,
    employmentType: position.employmentType,
    workplaceType: null,
    companyName: position.companyName,
    ...(position.company
      ? {
          companyLinkedinUrl: `https://www.linkedin.com/company/${position.company.slug}/`,
          companyId: position.company.id,
          companyUniversalName: position.company.slug,
          ...(position.company.logo ? { companyLogo: { url: position.company.logo, width: 200, height: 200 } } : {}),
        }
      : {
          companyLinkedinUrl: `https://www.linkedin.com/search/results/all/?keywords=${encodeURIComponent(position.companyName)}`,
        }),
    duration: months < 12 ? `${months} mos` : `${Math.floor(months / 12)} yrs ${months % 12} mos`,
    description: position.description,
    skills: [],
    startDate: {
      month: monthName(position.start.month),
      year: position.start.year,
      text: `${monthName(position.start.month)} ${position.start.year}`,
    },
    endDate: end
      ? { month: monthName(end.month), year: end.year, text: `${monthName(end.month)} ${end.year}` }
      : saysPresent(position)
        ? { text: 'Present' }
        : null,
  }
}

/** Most jobs held now end at "Present", some have no end. */
const saysPresent = ({ start }: Position): boolean => start.month !== 7

function hiddenElement(person: Person): Record<string, unknown> {
  return {
    id: person.id,
    publicIdentifier: person.id,
    linkedinUrl: `https://www.linkedin.com/in/${person.id}`,
    firstName: 'LinkedIn',
    lastName: 'Member',
    headline: null,
    about: null,
    photo: null,
    openToWork: false,
    hiring: false,
    premium: false,
    verified: false,
    influencer: false,
    location: null,
    objectUrn: null,
    registeredAt: null,
    topSkills: null,
    connectionsCount: null,
    followerCount: null,
    emails: [],
    websites: [],
    currentPosition: [],
    experience: [],
    education: [],
    skills: [],
    languages: [],
    certifications: [],
    projects: [],
    moreProfiles: [],
  }
}
