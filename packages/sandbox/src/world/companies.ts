import { createCache } from './cache.ts'
import { COUNTRIES, COUNTRY_WEIGHT, type Place } from './places.ts'
import { hash32, pickWeighted, randomFrom } from './random.ts'

/** A company page; `headquarters` is null for the few pages that name no place. */
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

/** How many companies the generated population has. */
export const COMPANY_COUNT = 2000

const FIRST = `
  Nord Blue Apex Lumen Vertex Quanta Harbor Cedar Orbit Pioneer Atlas Nimbus Ember Summit Delta Helio Terra Novus
  Bright Iron Silver Clear Swift Polar Echo Zenith Cobalt Maple Granite Falcon Aurora Kite Lotus Meridian Onyx
  Prism Raven Sable Tidal Umbra
`
  .trim()
  .split(/\s+/)
const SECOND = `
  Logic Works Labs Health Bank Cloud Systems Media Energy Robotics Foods Partners Capital Analytics Security
  Mobility Pay Data Studio Networks Consulting Learning Logistics Biotech Soft Retail Legal Travel Home Sports
  Insurance Materials Aero Games Pharma Telecom Motors Digital Talent Motion Semiconductors Ventures Marine
  Interactive Water Commerce Design Agri Dynamics Group
`
  .trim()
  .split(/\s+/)
const INDUSTRIES = [
  'Software Development',
  'IT Services and IT Consulting',
  'Financial Services',
  'Banking',
  'Advertising Services',
  'Hospitals and Health Care',
  'Biotechnology Research',
  'Retail',
  'Business Consulting and Services',
  'Technology, Information and Internet',
  'Staffing and Recruiting',
  'Insurance',
  'Telecommunications',
  'Motor Vehicle Manufacturing',
  'Renewable Energy Power Generation',
  'Education Administration Programs',
  'Real Estate',
  'Law Practice',
  'Hospitality',
  'Food and Beverage Services',
  'Transportation, Logistics and Storage',
  'Computer and Network Security',
  'Media Production',
  'Design Services',
  'Pharmaceutical Manufacturing',
  'Non-profit Organizations',
  'E-Learning Providers',
  'Construction',
]
const SIZES: ReadonlyArray<{ start: number; end: number | null; weight: number }> = [
  { start: 2, end: 10, weight: 18 },
  { start: 11, end: 50, weight: 28 },
  { start: 51, end: 200, weight: 22 },
  { start: 201, end: 500, weight: 12 },
  { start: 501, end: 1000, weight: 7 },
  { start: 1001, end: 5000, weight: 7 },
  { start: 5001, end: 10000, weight: 3 },
  { start: 10001, end: null, weight: 3 },
]
const TYPES = [
  'Privately Held',
  'Privately Held',
  'Privately Held',
  'Privately Held',
  'Public Company',
  'Self-Owned',
  'Nonprofit',
  'Partnership',
]
const SPECIALITIES = `
  automation,analytics,customer experience,data privacy,machine learning,supply chain,payments,cloud migration,
  employer branding,sustainability,go-to-market,open source,product design,compliance,e-commerce,digital health
`
  .trim()
  .split(/,\s*/)

const slugAt = (index: number): string =>
  `${FIRST[Math.floor(index / SECOND.length)]}-${SECOND[index % SECOND.length]}`.toLowerCase()
const idAt = (index: number): string => String(2_000_000 + ((index * 7919 + 104729) % 6_000_011))
const INDEX_OF_SLUG = new Map(Array.from({ length: COMPANY_COUNT }, (_, index) => [slugAt(index), index]))
const INDEX_OF_ID = new Map(Array.from({ length: COMPANY_COUNT }, (_, index) => [idAt(index), index]))

/** The population index of a generated company's slug or id; undefined for any other company. */
export function companyIndex(slugOrId: string): number | undefined {
  return INDEX_OF_SLUG.get(slugOrId) ?? INDEX_OF_ID.get(slugOrId)
}

/** The numeric page id of any slug, always the same. */
export function companyIdOf(slug: string): string {
  const index = INDEX_OF_SLUG.get(slug)
  return index === undefined
    ? String(100_000_000 + ((hash32(slug, 31) * 7 + hash32(slug, 32)) % 800_000_000))
    : idAt(index)
}

/** The smallest standard headcount band that holds this many people. */
export function sizeBand(employees: number): { start: number; end: number | null } {
  const band = SIZES.find((size) => size.end === null || employees <= size.end) as { start: number; end: number | null }
  return { start: band.start, end: band.end }
}

/** The generated part of the company world: every slug is a page, and its numbers follow from its id. */
export function createCompanies(seed: string): {
  at(index: number): Company
  bySlug(slug: string): Company
  byUnknownId(id: string): Company
} {
  const cache = createCache<string, Company>(5000)
  const make = (slug: string, id: string): Company => cache.get(slug, () => generate(seed, slug, id))
  return {
    at: (index) => make(slugAt(index), idAt(index)),
    bySlug: (slug) => make(slug, companyIdOf(slug)),
    byUnknownId: (id) => make(id, id),
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
  const specialities = [...new Set([random.pick(SPECIALITIES), random.pick(SPECIALITIES), random.pick(SPECIALITIES)])]
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
