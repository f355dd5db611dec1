/**
 * Which country a text names (specification «Discover» 4; G93): ignores case, spacing and accents, knows short forms and native
 * names, finds a country inside a location, and matches whole words only. Bare «America» and «Korea» name nothing.
 */
import { foldLetters, foldText, withoutUnseen } from '@les/contract'
import {
  alsoWords,
  elsewhere,
  english,
  englishNames,
  further,
  harmless,
  kindsOfPlaces,
  places,
  shared,
  shortStates,
  shownInstead,
  stateCodes,
  states,
  type CountryCode,
} from './country-lists.ts'

export type { CountryCode } from './country-lists.ts'

const apart: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  þ: 'th',
}

/** What `foldLetters` makes of a text, without accents, words parted by one space. */
export function foldPlace(text: string): string {
  return foldLetters(text)
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[øæœłđðıþ]/g, (letter) => apart[letter]!)
    .replace(/[^\p{L}\p{N}\p{Mc}]+/gu, ' ')
    .trim()
}

const everyName = (code: CountryCode): string[] => [
  ...englishNames(code),
  ...(further[code]?.split('|') ?? []),
  ...(shownInstead[code] === undefined ? [] : [shownInstead[code]]),
]

/** Every folded name by its code. */
const names: ReadonlyMap<string, CountryCode> = new Map([
  ...Object.keys(english).flatMap((code) => everyName(code).map((name) => [foldPlace(name), code] as const)),
  // Two countries share it.
  ['congo', 'CG'],
])

/** The same with states and other places that say a country; null for what only looks like one. */
const known: ReadonlyMap<string, CountryCode | null> = new Map<string, CountryCode | null>([
  ...names,
  ...[...states, ...places].map(([name, code]) => [foldPlace(name), code] as const),
])

/** The country of a folded name, with or without «the»; undefined when no list has it. */
const codeOf = (name: string): CountryCode | null | undefined => known.get(name) ?? known.get(name.replace(/^the /, ''))

/** Short forms that mean a country only where they stand alone: elsewhere they are companies and words of other languages. */
const onlyAlone = new Set(['brd', 'bvi', 'dprk', 'drc', 'ksa', 'prc', 'rok', 'rsa'])

/** Names that are other words once their accents are gone (`Ísland`): among other words they need them. */
const accented: ReadonlyMap<string, ReadonlySet<string>> = accentedNames()

function accentedNames(): Map<string, Set<string>> {
  const spelled = Object.keys(english).flatMap((code) => everyName(code).map(foldText))
  const plain = new Set(spelled.filter((name) => foldPlace(name) === name))
  const found = new Map<string, Set<string>>()
  for (const name of spelled) {
    const folded = foldPlace(name)
    if (/[ '-]/.test(name) || folded === name || plain.has(folded)) continue
    found.set(folded, (found.get(folded) ?? new Set()).add(name))
  }
  return found
}

/** A word as it is written, and folded. */
type PlaceWord = { readonly written: string; readonly folded: string }

const wordsOf = (part: string): PlaceWord[] =>
  part.split(/[^\p{L}\p{N}\p{M}]+/u).flatMap((written) => {
    const folded = foldPlace(written)
    return folded === '' ? [] : [{ written, folded }]
  })

/** The text that words were found in; `isPart` false: all of a location, and not one part of it. */
type WhereFound = { readonly part: string; readonly isPart: boolean }

/** Whether a name among other words is meant: `us` is a word unless it stands out in capitals («Austin US», not «contact us»). */
function isMeant(name: string, written: readonly PlaceWord[], { part, isPart }: WhereFound): boolean {
  if (onlyAlone.has(name)) return false
  const spellings = accented.get(name)
  if (spellings !== undefined) return spellings.has(foldText(written[0]!.written))
  if (name !== 'us' && name !== 'the us') return true
  const last = written.at(-1)!.written
  return isPart && last === last.toUpperCase() && part !== part.toUpperCase()
}

const longest = Math.max(...[...known.keys()].map((name) => name.split(' ').length))

/** A name found among words, from one to before another. */
type FoundName = { readonly name: string; readonly from: number; readonly to: number }

/** The names in a part, longer ones first, so that Guinea is not found in Papua New Guinea. */
function namesIn(words: readonly PlaceWord[], where: WhereFound): FoundName[] {
  const found: FoundName[] = []
  for (let at = 0; at < words.length; ) {
    let to = 0
    for (let count = Math.min(longest, words.length - at); count > 0 && to === 0; count--) {
      const taken = words.slice(at, at + count)
      const name = taken.map((word) => word.folded).join(' ')
      if ((known.has(name) || shared.has(name)) && isMeant(name, taken, where)) {
        found.push({ name, from: at, to: at + count })
        to = at + count
      }
    }
    at = Math.max(at + 1, to)
  }
  return found
}

/** What a text says about its country: a code, that it cannot be told, or nothing. */
type Said = CountryCode | 'unclear' | undefined

/** Which of the countries of one name is meant, by the towns in the whole text. */
function namesakeIn(name: string, text: string): Said {
  const folded = ` ${foldPlace(text)} `
  return (
    shared.get(name)!.find(({ towns }) => [...towns].some((town) => folded.includes(` ${town} `)))?.code ?? 'unclear'
  )
}

/** Whether a name means itself with these words behind it: at the end, or where nothing makes it the name of another place. */
function staysItself(name: string, behind: readonly PlaceWord[]): boolean {
  if (behind.every(({ folded }) => harmless.has(folded) || (folded === 'state' && states.has(name)))) return true
  // A name of several words is hardly ever the beginning of another.
  if (name.includes(' ')) return true
  return names.has(name) && !alsoWords.has(name) && !behind.some(({ folded }) => kindsOfPlaces.has(folded))
}

/**
 * What the words of one part of a location (or, `isPart` false, all of it) say. The last name counts, and not where it begins a
 * longer one (Turkey Creek, Romania Street).
 */
function saidBy(part: string, text: string, isPart = true): Said {
  const words = wordsOf(part)
  while (/^\d+$/.test(words.at(-1)?.folded ?? '')) words.pop()
  const found = namesIn(words, { part, isPart })
  let end = words.length
  for (const { name, from, to } of found.toReversed()) {
    if (!staysItself(name, words.slice(to, end))) return undefined
    end = from
    const code = known.get(name)
    if (shared.has(name) && words.length > to - from) return namesakeIn(name, text)
    if (code === null) continue
    if (elsewhere.has(words[from - 1]?.folded ?? '') && !places.has(name)) return undefined
    return code ?? namesakeIn(name, text)
  }
  return undefined
}

/** The whole of a part as a name: with accents or without, as a country's short form, or as that of a state. */
function saidByWhole(part: string, text: string): Said {
  const folded = foldPlace(part)
  if (shared.has(folded) && foldPlace(text) !== folded) return namesakeIn(folded, text)
  return codeOf(folded) ?? (part.trim().endsWith('.') ? (shortStates.get(folded) ?? undefined) : undefined)
}

/**
 * What a state's abbreviation at the end says. One that is also a country's code is the state only behind the name of another
 * country, which is a town there (Lebanon, TN); behind anything else nobody can say (Wilmington, DE; Berlin, DE).
 */
function saidByStateCode(part: string, before: string | undefined): Said {
  const words = part
    .trim()
    .split(/[\s.]+/)
    .filter((word) => !/^(?:\d[\d-]*)?$/.test(word))
  const code = words.at(-1) ?? ''
  const countries = stateCodes.get(code)
  if (countries === undefined || (words.length > 1 && part === part.toUpperCase())) return undefined
  const town = words.length > 1 ? words.slice(0, -1).join(' ') : (before ?? '')
  if (town === '') return undefined
  if (countries.length === 1 && !Object.hasOwn(english, code)) return countries[0]!
  const named = codeOf(foldPlace(town))
  if (named === code) return named
  return named !== undefined && countries.length === 1 ? countries[0]! : 'unclear'
}

/** An ISO 3166-1 alpha-2 code in upper case, also from `uk`; null for what is none, such as the regions `EU` and `UN`. */
export function countryCode(value: string | null | undefined): CountryCode | null {
  const code = withoutUnseen(value ?? '')
    .trim()
    .toUpperCase()
  if (code === 'UK') return 'GB'
  return Object.hasOwn(english, code) ? code : null
}

/** The one name that a country is shown by, from its code; null for what is no code (G149). */
export function countryName(value: string | null | undefined): string | null {
  const code = countryCode(value)
  return code === null ? null : (shownInstead[code] ?? englishNames(code)[0]!)
}

/** The country that a text is the name, a short form or the code of; null when it is more than that, or none. */
export function countryNamed(text: string): CountryCode | null {
  const folded = foldPlace(text)
  return names.get(folded) ?? names.get(folded.replace(/^the /, '')) ?? countryCode(text)
}

/** Every way to write a country that `countryNamed` knows, as texts are compared. */
export function countrySpellings(code: CountryCode): string[] {
  return [...new Set([...everyName(code), code].map(foldText))].filter((name) => countryNamed(name) === code)
}

/** What parts the places of a location. */
export const betweenParts = /[,;|/·•()[\]\n]|\s[-–—]\s/

/**
 * The country that a text names, alone or as the last part of a location; null when it names none. What ends a location says more
 * than what begins it.
 */
export function countryIn(written: string): CountryCode | null {
  const text = withoutUnseen(written)
  const whole = codeOf(foldPlace(text))
  if (whole !== undefined) return whole
  if (/^\s*[A-Za-z]{2}\s*$/.test(text))
    return Object.hasOwn(english, text.trim().toUpperCase()) ? text.trim().toUpperCase() : null
  const parts = text.split(betweenParts).filter((part) => foldPlace(part) !== '')
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at]!
    const isEnd = at === parts.length - 1
    const said =
      saidByWhole(part, text) ?? (isEnd ? saidByStateCode(part, parts[at - 1]) : undefined) ?? saidBy(part, text)
    if (said === 'unclear') return null
    if (said !== undefined) return said
  }
  const said = saidBy(text, text, false)
  return said === undefined || said === 'unclear' ? null : said
}

/** The country that somebody asks for: a state alone is none, or everybody in its country would be meant. */
const countryAsked = (text: string): CountryCode | null => (states.has(foldPlace(text)) ? null : countryIn(text))

const ambiguous: Readonly<Record<string, string>> = {
  america: 'it may be a country or a continent: write United States',
  korea: 'write South Korea or North Korea',
}

/**
 * What to tell about wanted countries that name none, each once; they are kept as written and compared word by word, so
 * that most likely nobody matches.
 */
export function unknownCountries(wanted: readonly string[]): string[] {
  const unknown = [...new Set(wanted.map((one) => one.trim()))].filter(
    (one) => one !== '' && countryAsked(one) === null,
  )
  return unknown.map((one) => {
    const country = countryName(states.get(foldPlace(one)))
    const several =
      country === null ? ambiguous[foldPlace(one)] : `it is a part of a country: write ${country} to mean all of it`
    const why =
      several === undefined
        ? ': it is compared word by word, so most likely nobody matches. Write the English name of the country, such as ' +
          'Germany'
        : `, ${several}`
    return `${JSON.stringify(one)} names no country that is known${why}.`
  })
}

/** A country as it is saved: trimmed, spaces collapsed, and in English when it is known. */
export function cleanCountry(text: string): string {
  const code = countryAsked(text)
  if (code === null || (codeOf(foldPlace(text)) !== code && !/^\s*[A-Za-z]{2}\s*$/.test(text)))
    return text.trim().replace(/\s+/g, ' ')
  return countryName(code)!
}

/** The same as an answer carries it; nothing when all are known. */
export function warnedOfCountries(wanted: readonly string[]): { warnings?: { field: 'countries'; message: string }[] } {
  const messages = unknownCountries(wanted)
  return messages.length === 0 ? {} : { warnings: messages.map((message) => ({ field: 'countries', message })) }
}

/** The first of the wanted countries that a text names; null when it names none of them. What no list knows is compared word by word. */
export function matchCountry(wanted: readonly string[], text: string): string | null {
  const code = countryIn(text)
  const folded = ` ${foldPlace(text)} `
  return (
    wanted.find((one) => {
      const asked = countryAsked(one)
      if (asked !== null || code !== null) return asked !== null && asked === code
      const name = foldPlace(one)
      return name !== '' && folded.includes(` ${name} `)
    }) ?? null
  )
}
