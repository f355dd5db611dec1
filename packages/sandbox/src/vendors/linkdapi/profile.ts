import { wornName, wornTitle } from '../worn.ts'
import type { Network } from '../../world/network.ts'
import type { Person, Position } from '../../world/people.ts'
import { placeText } from '../../world/places.ts'

/** The data of `/profile/full`; the country code is small letters, an end year 0 means still there. */
export function fullProfile(network: Network, person: Person): Record<string, unknown> {
  const shown = person.hidden
    ? {
        ...person,
        firstName: 'LinkedIn',
        lastName: 'Member',
        headline: '',
        about: null,
        place: null,
        positions: [],
        picture: null,
      }
    : person
  const place = shown.place
  return {
    id: String(person.memberNumber),
    urn: person.id,
    username: person.hidden ? person.id : person.handle,
    firstName: person.hidden ? shown.firstName : wornName(person).firstName,
    lastName: person.hidden ? shown.lastName : wornName(person).lastName,
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

/** The data of `/profile/overview`. */
export function overviewProfile(person: Person): Record<string, unknown> {
  const place = person.hidden ? null : person.place
  const current = person.hidden ? [] : person.positions.filter((position) => position.end === null)
  return {
    firstName: person.hidden ? 'LinkedIn' : person.firstName,
    lastName: person.hidden ? 'Member' : person.lastName,
    fullName: person.hidden ? 'LinkedIn Member' : person.name,
    headline: person.hidden ? '' : (person.headline ?? ''),
    publicIdentifier: person.hidden ? person.id : person.handle,
    followerCount: person.followers,
    connectionsCount: person.connections,
    location: place
      ? {
          countryCode: place.countryCode.toLowerCase(),
          countryName: place.country,
          city: place.city ?? '',
          region: place.region ?? '',
          fullLocation: placeText(place),
          geoCountryUrn: `urn:li:fsd_geo:${place.countryCode}`,
        }
      : null,
    CurrentPositions: current.map((position) =>
      position.company
        ? {
            urn: position.company.id,
            name: position.companyName,
            url: `https://www.linkedin.com/company/${position.company.slug}/`,
            logoURL: position.company.logo ?? '',
          }
        : { urn: '', name: position.companyName, url: '', logoURL: '' },
    ),
    profileID: String(person.memberNumber),
    urn: person.id,
  }
}

function positionOf(network: Network, position: Position): Record<string, unknown> {
  const page = position.company ? network.company(position.company.id) : undefined
  return {
    companyId: position.company ? Number(position.company.id) : 0,
    companyName: position.companyName,
    companyUsername: position.company?.slug ?? '',
    companyURL: position.company ? `https://www.linkedin.com/company/${position.company.slug}/` : '',
    companyLogo: position.company?.logo ?? '',
    companyIndustry: page?.industry.name ?? '',
    companyStaffCountRange: page ? staffRange(page.size) : '',
    title: wornTitle(position),
    location: position.location ?? '',
    employmentType: position.employmentType,
    description: position.description ?? '',
    start: { year: position.start.year, month: position.start.month, day: 0 },
    end: position.end ? { year: position.end.year, month: position.end.month, day: 0 } : { year: 0, month: 0, day: 0 },
  }
}

/** A headcount band in LinkdAPI's words. */
export function staffRange(size: { start: number; end: number | null }): string {
  return size.end === null
    ? `${size.start.toLocaleString('en-US')}+ employees`
    : `${size.start.toLocaleString('en-US')}-${size.end.toLocaleString('en-US')} employees`
}
