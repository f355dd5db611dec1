/** The normal form of countries, and of where a company sits. */
import { countryCode, countryIn, countryName, countryNamed, foldPlace } from '../../../platform/rules/countries.ts'
import { cleanTextOrNull } from '../../../platform/text.ts'

/** A country by its code, with the one name it is shown by; a place that no list knows has no code and keeps its words. */
type Country = { readonly code: string | null; readonly name: string | null }

const nowhere: Country = { code: null, name: null }

/**
 * The country that a vendor means: by the first code that is one, else by the first text that names one, be it alone, in another
 * language or the end of a location. What vendors call a country differs; the code does not (G149).
 */
export function readCountry(raw: {
  readonly codes: readonly (string | null | undefined)[]
  readonly names: readonly (string | null | undefined)[]
  /** Where somebody is, in words: it may name a country, and is none itself. */
  readonly location?: string | null | undefined
}): Country {
  for (const code of raw.codes) {
    const found = countryCode(cleanTextOrNull(code, 10))
    if (found !== null) return { code: found, name: countryName(found) }
  }
  const names = raw.names.flatMap((name) => cleanTextOrNull(name, 100) ?? [])
  for (const name of [...names, cleanTextOrNull(raw.location, 200) ?? '']) {
    const found = countryIn(name)
    if (found !== null) return { code: found, name: countryName(found) }
  }
  return names[0] === undefined ? nowhere : { code: null, name: names[0] }
}

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
