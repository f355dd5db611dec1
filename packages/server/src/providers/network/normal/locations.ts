/** The normal form of where a company sits: `City, Region, Country`. */
import { countryNamed, foldPlace } from '../../../platform/rules/countries.ts'
import { cleanTextOrNull } from '../../../platform/text.ts'
import { readCountry } from './countries.ts'

/** `City, Region, Country` without what is missing, said twice, or the country again in other words; null when nothing is left. */
export function headquartersOf(raw: {
  city: string | null
  region: string | null
  /** Vendors put the two-letter code in the country's place, too. */
  codes: readonly (string | null | undefined)[]
  countries: readonly (string | null | undefined)[]
}): string | null {
  const country = readCountry({ codes: raw.codes, names: raw.countries })
  const parts: string[] = []
  const seen = new Set<string>()
  for (const part of [raw.city, raw.region].flatMap((place) => (place ?? '').split(','))) {
    const clean = cleanTextOrNull(part, 100)?.replace(/\s+/gu, ' ') ?? ''
    const folded = foldPlace(clean)
    if (folded === '' || seen.has(folded) || (country.code !== null && countryNamed(clean) === country.code)) continue
    seen.add(folded)
    parts.push(clean)
  }
  if (country.name !== null) parts.push(country.name)
  return parts.length === 0 ? null : parts.join(', ')
}
