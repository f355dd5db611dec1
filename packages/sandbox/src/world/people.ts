import { createCache } from './cache.ts'
import { COMPANY_COUNT, type Companies, type Company } from './companies.ts'
import tables from './data/people.json' with { type: 'json' }
import {
  looksLikeMemberId,
  memberIdOfHandle,
  memberIdOfIndex,
  readMemberId,
  type MemberIdContent,
} from './member-id.ts'
import { isAbsent, remember, slugOf } from './names.ts'
import { COUNTRIES, COUNTRY_WEIGHT, placeSeeded, placeText, type Place } from './places.ts'
import { hash32, pickWeighted, randomFrom, type Random } from './random.ts'
import { given, type PersonSeed, type PositionSeed } from './seed-schemas.ts'

/** A job; `end` null: current; `company` null: the employer has no page. */
export type Position = {
  title: string
  companyName: string
  company: { id: string; slug: string; logo: string | null } | null
  start: { year: number; month: number }
  end: { year: number; month: number } | null
  location: string | null
  employmentType: string
  description: string | null
}

/** A member; `positions` in profile order; `hidden` members show as "LinkedIn Member" only. */
export type Person = {
  id: string
  handle: string
  memberNumber: number
  hidden: boolean
  firstName: string
  lastName: string
  name: string
  headline: string | null
  about: string | null
  place: Place | null
  positions: Position[]
  picture: string | null
  followers: number
  connections: number
  premium: boolean
  openToWork: boolean
}

/** Size of the generated population. */
export const PERSON_COUNT = 200_000

const CULTURES: Readonly<Record<string, { readonly first: readonly string[]; readonly last: readonly string[] }>> =
  tables.cultures
const CULTURE_NAMES = Object.keys(CULTURES)
const TITLES = Object.entries(tables.titles).flatMap(([field, titles]) =>
  Object.entries(titles).map(([title, weight]) => ({ title, field, weight: Number(weight) })),
)
const TITLE_WEIGHT = TITLES.reduce((sum, { weight }) => sum + weight, 0)
const TITLES_OF_FIELD = Map.groupBy(TITLES, ({ field }) => field)
const STEP = 0x9e3779b1
const SHIFT = 0x7f4a7c15
const STEP_INVERSE = invert(STEP)

/** The member id does not contain the handle, so it must be remembered. */
const isUnreadable = (handle: string): boolean => handle.length > 30 || !/^[-0-9a-z_]+$/.test(handle)

export type People = ReturnType<typeof createPeople>

/** The members of a seed: the population by index, and any handle or foreign id. */
export function createPeople(seed: string, { company, companyAt }: Companies) {
  const cache = createCache<number | string, Person>(30_000)
  const seeded = new Map<string, Person | null>()
  const handleOfId = new Map<string, string>()
  const made = { seed, companyAt }
  const generatedAt = (index: number): Person =>
    cache.get(index, () => generate(memberIdOfIndex(index), { index }, made))
  const ofUnknownHandle = (handle: string): Person =>
    cache.get(handle, () => generate(memberIdOfHandle(handle), { handle }, made))
  const indexOfHandle = (handle: string): number | undefined => {
    const match = /-([0-9a-f]{8})([0-9a-f])$/.exec(handle)
    if (!match) return undefined
    const index = Math.imul((Number.parseInt(match[1]!, 16) - SHIFT) | 0, STEP_INVERSE) >>> 0
    return index < PERSON_COUNT && generatedAt(index).handle === handle ? index : undefined
  }
  const generated = (handle: string): Person => {
    const index = indexOfHandle(handle)
    return index === undefined ? ofUnknownHandle(handle) : generatedAt(index)
  }
  const byHandle = (text: string): Person | undefined => {
    const handle = text.toLowerCase()
    const own = seeded.get(handle)
    if (own !== undefined) return own ?? undefined
    if (isAbsent(handle) || handle === '') return undefined
    const person = generated(handle)
    if (isUnreadable(handle)) remember(handleOfId, person.id, handle)
    return person
  }
  const byMemberId = (id: string): Person | undefined => {
    const handle = handleOfId.get(id)
    if (handle !== undefined) return byHandle(handle)
    const content: MemberIdContent = readMemberId(id) ?? { hashed: true }
    if ('index' in content && content.index < PERSON_COUNT) return byHandle(generatedAt(content.index).handle)
    if ('handle' in content) return byHandle(content.handle)
    return cache.get(id, () => generate(id, { handle: id }, made))
  }
  const person = (handleOrId: string): Person | undefined =>
    looksLikeMemberId(handleOrId) || handleOfId.has(handleOrId) ? byMemberId(handleOrId) : byHandle(handleOrId)
  const personAt = (index: number): Person => {
    const drawn = generatedAt(index)
    return seeded.get(drawn.handle) ?? drawn
  }
  return {
    person,
    personAt,
    /** The member of an actor, by index or name; generated when the name is unknown. */
    ofKey: (key: string | number): Person =>
      typeof key === 'number' ? personAt(key) : (person(key) ?? ofUnknownHandle(key.toLowerCase())),
    add(def: PersonSeed): Person {
      const handle = looksLikeMemberId(def.handle)
        ? (person(def.handle)?.handle ?? def.handle)
        : def.handle.toLowerCase()
      const added = withSeed(generated(handle), def, company)
      seeded.set(handle, def.exists === false ? null : added)
      handleOfId.set(added.id, handle)
      handleOfId.set(memberIdOfHandle(handle), handle)
      return added
    },
    /** Drops generated members after pages they work at have changed. */
    regenerate: () => cache.clear(),
    clear() {
      cache.clear()
      seeded.clear()
      handleOfId.clear()
    },
  }
}

function headlineOf(title: string, companyName: string | null): string {
  return companyName ? `${title} at ${companyName}` : title
}

function generate(
  id: string,
  from: { index: number } | { handle: string },
  { seed, companyAt }: { seed: string } & Pick<Companies, 'companyAt'>,
): Person {
  const random = randomFrom(seed, 'person', id)
  const hidden = 'index' in from && random.chance(0.005)
  const country = pickWeighted(random, COUNTRIES, COUNTRY_WEIGHT)
  const culture = CULTURES[random.chance(0.85) ? country.culture : random.pick(CULTURE_NAMES)]!
  const drawn = [random.pick(culture.first), random.pick(culture.last)] as const
  const [firstName, lastName] = 'handle' in from ? (namesIn(from.handle) ?? drawn) : drawn
  const home = random.pick(country.cities)
  const place = random.chance(0.97)
    ? { countryCode: country.code, country: country.name, city: home.city, region: home.region }
    : null
  const positions = jobs(random, companyAt, place)
  const current = positions.find((position) => position.end === null)
  const headline = headlineFrom(random, current)
  return {
    id,
    handle: 'handle' in from ? from.handle : `${slugOf(`${firstName} ${lastName}`)}-${suffix(from.index)}`,
    memberNumber: 10_000_000 + (hash32(id, 41) % 1_400_000_000),
    hidden,
    firstName,
    lastName,
    name: `${firstName} ${lastName}`,
    headline,
    about: random.chance(0.6)
      ? `I work on ${random.pick(['growth', 'products', 'people', 'data', 'operations', 'customers'])} and write about what I learn.`
      : null,
    place,
    positions,
    picture: random.chance(0.88)
      ? `https://media.network.example/dms/image/v2/D4D03AQ${hash32(id, 42).toString(36)}/` +
        `profile-displayphoto-shrink_400_400/0/${hash32(id, 43)}?e=1798761600&v=beta`
      : null,
    followers: Math.floor(80 * Math.exp(random.next() * 5)),
    connections: random.between(40, 500),
    premium: random.chance(0.2),
    openToWork: random.chance(0.06),
  }
}

function jobs(random: Random, companyAt: Companies['companyAt'], place: Place | null): Position[] {
  if (random.chance(0.02)) return []
  const count = random.between(1, 4)
  const field = pickWeighted(random, TITLES, TITLE_WEIGHT).field
  const list: Position[] = []
  const life: Life = { random, companyAt, place, field }
  let year = random.between(2019, 2025)
  for (let i = 0; i < count; i += 1) {
    const start = { year, month: random.between(1, 12) }
    const later = list[list.length - 1]
    list.push(job(life, start, later ? { year: later.start.year, month: later.start.month } : null))
    year -= random.between(1, 5)
  }
  if (random.chance(0.03) && list[0]) list[0].end = { year: list[0].start.year + 1, month: list[0].start.month }
  else if (random.chance(0.08))
    list.splice(1, 0, job(life, { year: random.between(2018, 2025), month: random.between(1, 12) }, null))
  const past = list.findIndex((position) => position.end !== null)
  if (past > 0 && random.chance(0.16)) list.unshift(...list.splice(past, 1))
  return list
}

type Life = { random: Random; companyAt: Companies['companyAt']; place: Place | null; field: string }

function job({ random, companyAt, place, field }: Life, start: Position['start'], end: Position['end']): Position {
  const sameField = TITLES_OF_FIELD.get(field) ?? TITLES
  const company = companyAt(Math.floor(COMPANY_COUNT * random.next() ** 2))
  const pageless = random.chance(0.05)
  return {
    title: random.chance(0.85) ? random.pick(sameField).title : pickWeighted(random, TITLES, TITLE_WEIGHT).title,
    companyName: pageless
      ? random.pick(['Freelance', 'Self-employed', 'Stealth Startup', 'Independent', 'Family Business'])
      : company.name,
    company: pageless ? null : { id: company.id, slug: company.slug, logo: company.logo },
    start,
    end,
    location: place && random.chance(0.7) ? placeText(place) : null,
    employmentType: random.chance(0.9) ? 'Full-time' : random.pick(['Part-time', 'Contract', 'Self-employed']),
    description: random.chance(0.3) ? 'Building the team and the numbers behind it.' : null,
  }
}

function headlineFrom(random: Random, current: Position | undefined): string | null {
  if (!current) return random.pick(['Open to new opportunities', 'Exploring what comes next', 'Lifelong learner'])
  const style = random.int(10)
  if (style < 6) return headlineOf(current.title, current.companyName)
  if (style < 8) return `${current.title} @ ${current.companyName} | Speaker | Runner`
  if (style === 8) return `Helping teams do better work | ${current.title}`
  return `${current.title} 🚀 ${current.companyName}`
}

function namesIn(handle: string): readonly [string, string] | undefined {
  const parts = handle.split('-').filter((part) => !/\d/.test(part))
  if (parts.length < 2 || parts.length > 3 || parts.some((part) => !/^[a-z]{2,20}$/.test(part))) return undefined
  const [first, ...rest] = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1))
  return [first as string, rest.join(' ')]
}

function suffix(index: number): string {
  const code = (Math.imul(index, STEP) + SHIFT) >>> 0
  return code.toString(16).padStart(8, '0') + (hash32(String(index), 44) & 15).toString(16)
}

function invert(odd: number): number {
  let inverse = 1
  for (let i = 0; i < 6; i += 1) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse))
  return inverse
}

type PageOf = (slug: string) => Company | undefined

function withSeed(base: Person, seed: PersonSeed, pageOf: PageOf): Person {
  const { id, name, hidden, headline, about, picture } = seed
  const [first, ...rest] = (name ?? base.name).split(' ')
  const firstName = seed.firstName ?? (name === undefined ? base.firstName : (first ?? ''))
  const lastName = seed.lastName ?? (name === undefined ? base.lastName : rest.join(' '))
  const positions = positionsOf(base, seed, pageOf)
  const current = positions.find((position) => position.end === null)
  const jobChanged = seed.positions !== undefined || seed.title !== undefined || seed.company !== undefined
  return {
    ...base,
    firstName,
    lastName,
    name: `${firstName} ${lastName}`.trim(),
    hidden: name === undefined && base.hidden,
    headline: jobChanged && current ? headlineOf(current.title, current.companyName) : base.headline,
    place: placeSeeded(base.place, seed.country, seed.city),
    positions,
    ...given({ id, name, hidden, headline, about, picture }),
  }
}

function positionsOf(base: Person, seed: PersonSeed, pageOf: PageOf): Position[] {
  if (seed.positions) return seed.positions.map((position) => seededPosition(position, pageOf))
  if (seed.company === null) return []
  if (seed.title === undefined && seed.company === undefined) return base.positions
  const current = base.positions.find((position) => position.end === null)
  const company = seed.company ?? current?.company?.slug
  const employer = company === undefined ? { companyName: current?.companyName ?? 'Self-employed' } : { company }
  return [seededPosition({ title: seed.title ?? current?.title ?? 'Consultant', ...employer }, pageOf)]
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
