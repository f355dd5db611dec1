/** Names from `country-data.json` («Discover» 4; G93, G149, WLD-03), separated by `|`; an empty code is no country. */
import en from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import data from './country-data.json' with { type: 'json' }

/** ISO 3166-1 alpha-2 in upper case. */
export type CountryCode = string

export const english = en.countries as Readonly<Record<CountryCode, string | readonly string[]>>

/** English names of a country; empty for an unknown code. */
export const englishNames = (code: CountryCode): readonly string[] =>
  Object.hasOwn(english, code) ? ([english[code]!].flat() as string[]) : []

/** Short forms, other spellings and native names. */
export const further: Readonly<Record<CountryCode, string>> = data.further

/** Names to show where the package's first name is a legal form, or not the network's. */
export const shownInstead: Readonly<Record<CountryCode, string>> = data.shownInstead

/** Languages whose names for countries are known. */
export const languages: readonly string[] = data.languages.split(' ')

/** Names of countries in these languages that are also towns, regions or people elsewhere (Granada, Salvador, Maurice). */
export const notInLanguages: ReadonlySet<string> = new Set(data.notInLanguages.split('|'))

const countryByName = (names: Readonly<Record<CountryCode, string>>): ReadonlyMap<string, CountryCode | null> =>
  new Map(
    Object.entries(names).flatMap(([code, list]) => list.split('|').map((name) => [name, code === '' ? null : code])),
  )
const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** States that end a location; without Georgia, which its towns decide, and names in several countries (Victoria, Punjab). */
export const states = countryByName(data.states)

/** Abbreviated states that count only with a dot. */
export const shortStates = countryByName(data.shortStates)

/** Places whose names contain a country's, and where they are; null: nowhere, or ambiguous. */
export const places = countryByName(data.places)

/** State codes in capitals; some are also country codes. */
export const stateCodes: ReadonlyMap<string, readonly CountryCode[]> = Object.entries(data.stateCodes)
  .flatMap(([country, codes]) => codes.split(' ').map((code) => [code, country] as const))
  .reduce((map, [code, country]) => map.set(code, [...(map.get(code) ?? []), country]), new Map<string, string[]>())

/** Words that make a country's name after them another place: New Germany, Little Italy, La Florida. */
export const elsewhere = words(data.elsewhere)

/** Countries whose names are also words, people's names or towns: a word after one may make it anything. */
export const alsoWords = words(data.alsoWords)

export const kindsOfPlaces = words(data.kindsOfPlaces)

export const harmless = words(data.harmless)

/** Names of several countries, or of a country and a state, with the towns that decide. */
export const shared: ReadonlyMap<
  string,
  readonly { readonly code: CountryCode; readonly towns: ReadonlySet<string> }[]
> = new Map(
  Object.entries(data.shared).map(([name, countries]) => [
    name,
    Object.entries(countries).map(([code, towns]) => ({ code, towns: new Set(towns.split('|')) })),
  ]),
)
