import { type Company, sizeBand } from './companies.ts'
import { headlineOf, type Person, type Position } from './people.ts'
import { placeNamed } from './places.ts'
import type { CompanySeed, PersonSeed, PositionSeed } from './seed-schemas.ts'

/** Finds a page by slug for a seeded job. */
export type PageOf = (slug: string) => Company | undefined

/** A generated person with the seed's fields put over it. */
export function withPersonSeed(base: Person, seed: PersonSeed, pageOf: PageOf): Person {
  const [first, ...rest] = (seed.name ?? base.name).split(' ')
  const firstName = seed.firstName ?? (seed.name === undefined ? base.firstName : (first ?? ''))
  const lastName = seed.lastName ?? (seed.name === undefined ? base.lastName : rest.join(' '))
  const positions = positionsOf(base, seed, pageOf)
  const current = positions.find((position) => position.end === null)
  const jobChanged = seed.positions !== undefined || seed.title !== undefined || seed.company !== undefined
  return {
    ...base,
    id: seed.id ?? base.id,
    firstName,
    lastName,
    name: seed.name ?? `${firstName} ${lastName}`.trim(),
    hidden: seed.hidden ?? (seed.name === undefined ? base.hidden : false),
    headline:
      seed.headline !== undefined
        ? seed.headline
        : jobChanged
          ? current
            ? headlineOf(current.title, current.companyName)
            : base.headline
          : base.headline,
    about: seed.about !== undefined ? seed.about : base.about,
    picture: seed.picture !== undefined ? seed.picture : base.picture,
    place: seed.country === undefined ? base.place : seed.country === null ? null : placeNamed(seed.country, seed.city),
    positions,
  }
}

/** A generated company with the seed's fields put over it. */
export function withCompanySeed(base: Company, seed: CompanySeed): Company {
  return {
    ...base,
    id: seed.id ?? base.id,
    name: seed.name ?? base.name,
    tagline: seed.tagline ?? base.tagline,
    description: seed.description ?? base.description,
    website: seed.website !== undefined ? seed.website : base.website,
    logo: seed.logo !== undefined ? seed.logo : base.logo,
    industry: seed.industry === undefined ? base.industry : { id: '9999', name: seed.industry },
    type: seed.type ?? base.type,
    employees: seed.employees ?? base.employees,
    size: seed.employees === undefined ? base.size : sizeBand(seed.employees),
    followers: seed.followers ?? base.followers,
    foundedYear: seed.foundedYear !== undefined ? seed.foundedYear : base.foundedYear,
    specialities: seed.specialities ?? base.specialities,
    headquarters:
      seed.country === undefined
        ? base.headquarters
        : seed.country === null
          ? null
          : placeNamed(seed.country, seed.city),
  }
}

function positionsOf(base: Person, seed: PersonSeed, pageOf: PageOf): Position[] {
  if (seed.positions) return seed.positions.map((position) => seededPosition(position, pageOf))
  if (seed.company === null) return []
  if (seed.title === undefined && seed.company === undefined) return base.positions
  const current = base.positions.find((position) => position.end === null)
  const company = seed.company ?? current?.company?.slug
  return [
    seededPosition(
      {
        title: seed.title ?? current?.title ?? 'Consultant',
        ...(company === undefined ? { companyName: current?.companyName ?? 'Self-employed' } : { company }),
      },
      pageOf,
    ),
  ]
}

function seededPosition(seed: PositionSeed, pageOf: PageOf): Position {
  const page = seed.company ? pageOf(seed.company) : undefined
  return {
    title: seed.title,
    companyName: seed.companyName ?? page?.name ?? seed.company ?? 'Self-employed',
    company: page ? { id: page.id, slug: page.slug, logo: page.logo } : null,
    start: seed.start ? { year: seed.start.year, month: seed.start.month ?? 1 } : { year: 2022, month: 3 },
    end: seed.end ? { year: seed.end.year, month: seed.end.month ?? 1 } : null,
    location: seed.location ?? null,
    employmentType: 'Full-time',
    description: null,
  }
}
