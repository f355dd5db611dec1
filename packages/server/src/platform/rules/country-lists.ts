/**
 * Lists for recognising countries in text, from `country-data.json` (specification «Discover» 4; G93, G149, WLD-03). There, `|`
 * separates the names of one country, and an empty code means no country.
 */
import en from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import data from './country-data.json' with { type: 'json' }

/** ISO 3166-1 alpha-2 in upper case. */
export type CountryCode = string

/** English names of every country, by code. */
export const english = en.countries as Readonly<Record<CountryCode, string | readonly string[]>>

/** The English names of one country; empty for an unknown code. */
export const englishNames = (code: CountryCode): readonly string[] =>
  Object.hasOwn(english, code) ? ([english[code]!].flat() as string[]) : []

/** Short forms, other spellings and native names, in addition to the English names of the package. */
export const further: Readonly<Record<CountryCode, string>> = data.further

/** The name to show where the package's first name is a legal form, or not the one that the network shows. */
export const shownInstead: Readonly<Record<CountryCode, string>> = data.shownInstead

const countryByName = (names: Readonly<Record<CountryCode, string>>): ReadonlyMap<string, CountryCode | null> =>
  new Map(
    Object.entries(names).flatMap(([code, list]) => list.split('|').map((name) => [name, code === '' ? null : code])),
  )
const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/**
 * States and provinces that may end a location. Georgia is decided by its towns; names in several countries (Victoria, Punjab)
 * say nothing.
 */
export const states = countryByName(data.states)

/** Abbreviations of states that count only with a dot after them. */
export const shortStates = countryByName(data.shortStates)

/** Places whose names contain a country's name, and the country they lie in; null when it is none or ambiguous. */
export const places = countryByName(data.places)

/** Codes of states in capitals; some are also codes of countries. */
export const stateCodes: ReadonlyMap<string, readonly CountryCode[]> = Object.entries(data.stateCodes)
  .flatMap(([country, codes]) => codes.split(' ').map((code) => [code, country] as const))
  .reduce((map, [code, country]) => map.set(code, [...(map.get(code) ?? []), country]), new Map<string, string[]>())

/** Words that, before a country's name, make it the name of another place: New Germany, Little Italy, La Florida. */
export const elsewhere = words(data.elsewhere)

/** Countries whose names are also words, names of people or of many towns: a word after one may make it anything. */
export const alsoWords = words(data.alsoWords)

/** Kinds of places that are named after countries. */
export const kindsOfPlaces = words(data.kindsOfPlaces)

/** Words that, after a country's name, leave it one. */
export const harmless = words(data.harmless)

/** Names shared by several countries, or by a country and a state, with the towns that say which one is meant. */
export const shared: ReadonlyMap<
  string,
  readonly { readonly code: CountryCode; readonly towns: ReadonlySet<string> }[]
> = new Map(
  Object.entries(data.shared).map(([name, countries]) => [
    name,
    Object.entries(countries).map(([code, towns]) => ({ code, towns: new Set(towns.split('|')) })),
  ]),
)
