import places from './data/places.json' with { type: 'json' }

export type Place = { countryCode: string; country: string; city: string | null; region: string | null }

/** A country; `weight` is its share of members, `culture` its most common names. */
export type Country = {
  code: string
  name: string
  culture: string
  weight: number
  cities: Array<{ city: string; region: string | null }>
}

/** All countries of the world. */
export const COUNTRIES: readonly Country[] = places

export const COUNTRY_WEIGHT = COUNTRIES.reduce((sum, country) => sum + country.weight, 0)

/** A place by ISO code or country name; an unknown name becomes a country without a code. */
function placeNamed(text: string, city?: string): Place {
  const wanted = text.toLowerCase()
  const known = COUNTRIES.find(
    (country) => country.code.toLowerCase() === wanted || country.name.toLowerCase() === wanted,
  )
  if (!known)
    return {
      countryCode: /^[a-z]{2}$/i.test(text) ? text.toUpperCase() : '',
      country: text,
      city: city ?? null,
      region: null,
    }
  const home = known.cities.find((entry) => entry.city === city) ?? known.cities[0]
  return {
    countryCode: known.code,
    country: known.name,
    city: city ?? home?.city ?? null,
    region: city && home?.city !== city ? null : (home?.region ?? null),
  }
}

/** The place of a seeded person; country null: none, undefined: unchanged. */
export function placeSeeded(before: Place | null, country: string | null | undefined, city?: string): Place | null {
  if (country === undefined) return before
  return country === null ? null : placeNamed(country, city)
}

/** For example "Berlin, Germany". */
export function placeText(place: Place): string {
  return [place.city, place.region === place.city ? null : place.region, place.country]
    .filter((part) => part !== null && part !== '')
    .join(', ')
}
