/**
 * What says which country a text names, read from `country-data.json` (specification «Discover» 4; G93, G149, WLD-03). There, names of
 * one country are parted by `|`, and those of no country stand under an empty code.
 */
import en from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import data from './country-data.json' with { type: 'json' }

/** ISO 3166-1 alpha-2 in upper case. */
export type CountryCode = string

/** English names of every country, by its code. */
export const english = en.countries as Readonly<Record<CountryCode, string | readonly string[]>>

/** The English names of one country; none for a code that is no country's. */
export const englishNames = (code: CountryCode): readonly string[] =>
  Object.hasOwn(english, code) ? ([english[code]!].flat() as string[]) : []

/** Short forms, other spellings and native names, beside the English names of the kept list. */
export const further: Readonly<Record<CountryCode, string>> = data.further

/** Where the first name of the list is a form of law, or not the one that the network shows. */
export const shownInstead: Readonly<Record<CountryCode, string>> = data.shownInstead

const countryByName = (names: Readonly<Record<CountryCode, string>>): ReadonlyMap<string, CountryCode | null> =>
  new Map(
    Object.entries(names).flatMap(([code, list]) => list.split('|').map((name) => [name, code === '' ? null : code])),
  )
const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/**
 * States and provinces that end a location. Georgia is told apart by its towns; what lies in several countries (Victoria, Punjab)
 * says nothing.
 */
export const states = countryByName(data.states)

/** How states are written short with a point behind, where that is no word of its own. */
export const shortStates = countryByName(data.shortStates)

/** Places with a country's name in theirs, and where they lie; null: nowhere, or nobody can say. */
export const places = countryByName(data.places)

/** How states are written short, in capitals; some are also the codes of countries. */
export const stateCodes: ReadonlyMap<string, readonly CountryCode[]> = Object.entries(data.stateCodes)
  .flatMap(([country, codes]) => codes.split(' ').map((code) => [code, country] as const))
  .reduce((map, [code, country]) => map.set(code, [...(map.get(code) ?? []), country]), new Map<string, string[]>())

/** Words before a country's name that make it the name of somewhere else: New Germany, Little Italy, La Florida. */
export const elsewhere = words(data.elsewhere)

/** Countries whose names are words, names of people or of many towns: what follows one may make it anything. */
export const alsoWords = words(data.alsoWords)

/** Kinds of places, which are called after countries. */
export const kindsOfPlaces = words(data.kindsOfPlaces)

/** Words behind a country's name that leave it one. */
export const harmless = words(data.harmless)

/** Names that several countries, or a country and a state, share: the towns beside them say which is meant. */
export const shared: ReadonlyMap<
  string,
  readonly { readonly code: CountryCode; readonly towns: ReadonlySet<string> }[]
> = new Map(
  Object.entries(data.shared).map(([name, countries]) => [
    name,
    Object.entries(countries).map(([code, towns]) => ({ code, towns: new Set(towns.split('|')) })),
  ]),
)
