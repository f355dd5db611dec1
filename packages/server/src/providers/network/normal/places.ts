import { countryCode, countryIn, countryName, countryNamed, foldPlace } from '../../../platform/rules/countries.ts'
import { cleanTextOrNull } from '../../../platform/text.ts'

/** A country with the one name shown for it; an unknown place has no code and keeps its text. */
type Country = { readonly code: string | null; readonly name: string | null }

const nowhere: Country = { code: null, name: null }

/** The country of the first valid code, else of the first text that names or ends with one. Vendors share only codes (G149). */
export function readCountry(raw: {
  readonly codes: readonly (string | null | undefined)[]
  readonly names: readonly (string | null | undefined)[]
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

/** `City, Region, Country` without missing or repeated parts; null when nothing is left. */
export function headquartersOf(raw: {
  city: string | null
  region: string | null
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
