import { createCache } from './cache.ts'
import tables from './data/companies.json' with { type: 'json' }
import { isAbsent, remember } from './names.ts'
import { COUNTRIES, COUNTRY_WEIGHT, placeSeeded, type Place } from './places.ts'
import { hash32, pickWeighted, randomFrom } from './random.ts'
import { given, type CompanySeed } from './seed-schemas.ts'

/** A company page; `headquarters` is null for the few without a place. */
export type Company = {
  id: string
  slug: string
  name: string
  tagline: string
  description: string
  website: string | null
  logo: string | null
  industry: { id: string; name: string }
  type: string
  employees: number
  size: { start: number; end: number | null }
  followers: number
  foundedYear: number | null
  specialities: string[]
  headquarters: Place | null
  phone: string | null
}

export const COMPANY_COUNT = 2000

const { first: FIRST, second: SECOND, industries: INDUSTRIES, types: TYPES, specialities: SPECIALITIES } = tables
const SIZES: readonly (Company['size'] & { weight: number })[] = tables.sizes

const slugAt = (index: number): string =>
  `${FIRST[Math.floor(index / SECOND.length)]}-${SECOND[index % SECOND.length]}`.toLowerCase()
const idAt = (index: number): string => String(2_000_000 + ((index * 7919 + 104729) % 6_000_011))
const INDEX_OF_SLUG = new Map(Array.from({ length: COMPANY_COUNT }, (_, index) => [slugAt(index), index]))
const INDEX_OF_ID = new Map(Array.from({ length: COMPANY_COUNT }, (_, index) => [idAt(index), index]))

/** The population index of a generated company; undefined for any other. */
export function companyIndex(slugOrId: string): number | undefined {
  return INDEX_OF_SLUG.get(slugOrId) ?? INDEX_OF_ID.get(slugOrId)
}

/** The page number of a slug; deterministic. */
function companyIdOf(slug: string): string {
  const index = INDEX_OF_SLUG.get(slug)
  return index === undefined
    ? String(100_000_000 + ((hash32(slug, 31) * 7 + hash32(slug, 32)) % 800_000_000))
    : idAt(index)
}

/** The standard size band for a number of employees. */
function sizeBand(employees: number): { start: number; end: number | null } {
  const { start, end } = SIZES.find((size) => size.end === null || employees <= size.end)!
  return { start, end }
}

export type Companies = ReturnType<typeof createCompanies>

/** The companies of a seed: every slug is a page, whose data follow from its id. */
export function createCompanies(seed: string) {
  const cache = createCache<string, Company>(5000)
  const seeded = new Map<string, Company | null>()
  const slugOfId = new Map<string, string>()
  const make = (slug: string, id: string): Company => cache.get(slug, () => generate(seed, slug, id))
  const bySlug = (slug: string): Company => make(slug, companyIdOf(slug))
  const generatedAt = (index: number): Company => make(slugAt(index), idAt(index))
  const companyAt = (index: number): Company => {
    const made = generatedAt(index % COMPANY_COUNT)
    return seeded.get(made.slug) ?? made
  }
  const company = (slugOrId: string): Company | undefined => {
    const key = slugOrId.toLowerCase()
    const slug = slugOfId.get(key) ?? key
    const own = seeded.get(slug)
    if (own !== undefined) return own ?? undefined
    if (isAbsent(slug) || slug === '') return undefined
    const index = companyIndex(slug)
    if (index !== undefined) return companyAt(index)
    if (/^\d+$/.test(slug)) return make(slug, slug)
    remember(slugOfId, companyIdOf(slug), slug)
    return bySlug(slug)
  }
  return {
    company,
    companyAt,
    /** The page of an actor, by index or name; generated when the name is unknown. */
    ofKey: (key: string | number): Company =>
      typeof key === 'number' ? companyAt(key) : (company(key) ?? bySlug(key)),
    /** `isGenerated`: replaces a generated page, at which people may work. */
    add(def: CompanySeed): { readonly made: Company; readonly isGenerated: boolean } {
      const slug = def.slug.toLowerCase()
      const index = companyIndex(slug)
      const made = withSeed(index === undefined ? bySlug(slug) : generatedAt(index), def)
      seeded.set(made.slug, def.exists === false ? null : made)
      slugOfId.set(made.id, made.slug)
      return { made, isGenerated: index !== undefined }
    },
    clear() {
      seeded.clear()
      slugOfId.clear()
    },
  }
}

function withSeed(base: Company, seed: CompanySeed): Company {
  const { slug: _slug, exists: _exists, posts: _posts, industry, country, city, ...plain } = seed
  return {
    ...base,
    ...given(plain),
    industry: industry === undefined ? base.industry : { id: '9999', name: industry },
    size: seed.employees === undefined ? base.size : sizeBand(seed.employees),
    headquarters: placeSeeded(base.headquarters, country, city),
  }
}

function generate(seed: string, slug: string, id: string): Company {
  const random = randomFrom(seed, 'company', id)
  const size = pickWeighted(random, SIZES, 100)
  const employees = random.between(size.start, size.end ?? 60000)
  const country = pickWeighted(random, COUNTRIES, COUNTRY_WEIGHT)
  const home = random.pick(country.cities)
  const industry = random.pick(INDUSTRIES)
  const name = /^\d+$/.test(slug)
    ? `${random.pick(FIRST)} ${random.pick(SECOND)} ${slug.slice(-3)}`
    : slug
        .split('-')
        .filter(Boolean)
        .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
        .join(' ')
  const specialities = [...new Set(Array.from({ length: 3 }, () => random.pick(SPECIALITIES)))]
  return {
    id,
    slug,
    name: name || slug,
    tagline: `${industry} that gets ${specialities[0]} done`,
    description: `${name} helps teams in ${country.name} and beyond with ${specialities.join(', ')}.`,
    website: random.chance(0.93) ? `https://www.${slug}.example` : null,
    logo: random.chance(0.95)
      ? `https://media.network.example/dms/image/v2/C4D0BAQ${hash32(id, 33).toString(36)}/company-logo_200_200/0/${id}?e=1798761600&v=beta`
      : null,
    industry: { id: String(4 + INDUSTRIES.indexOf(industry) * 3), name: industry },
    type: random.pick(TYPES),
    employees,
    size: { start: size.start, end: size.end },
    followers: Math.floor(employees * (3 + random.next() * 40)) + 20,
    foundedYear: random.chance(0.85) ? random.between(1975, 2024) : null,
    specialities,
    headquarters: random.chance(0.97)
      ? { countryCode: country.code, country: country.name, city: home.city, region: home.region }
      : null,
    phone: random.chance(0.3) ? `+1 555 ${String(random.int(10_000_000)).padStart(7, '0')}` : null,
  }
}
