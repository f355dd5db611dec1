/** Recognises countries in text, by whole words (specification «Discover» 4; G93). Bare «America» and «Korea» name none. */
import { foldLetters, foldText, withoutUnseen } from '@les/contract'
import {
  alsoWords,
  elsewhere,
  english,
  englishNames,
  further,
  harmless,
  kindsOfPlaces,
  languages,
  notInLanguages,
  places,
  shared,
  shortStates,
  shownInstead,
  stateCodes,
  states,
  type CountryCode,
} from './country-lists.ts'

export type { CountryCode } from './country-lists.ts'

const apart: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', ı: 'i', þ: 'th' }

/** Lower-cases, removes accents, and separates words by one space. */
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

const names: ReadonlyMap<string, CountryCode> = new Map([
  ...Object.keys(english).flatMap((code) => everyName(code).map((name) => [foldPlace(name), code] as const)),
  // Two countries have this name; alone it means this one.
  ['congo', 'CG'],
])

/** `names`, and other places that imply a country; null for places that only look like one. */
const known: ReadonlyMap<string, CountryCode | null> = new Map<string, CountryCode | null>([
  ...names,
  ...[...states, ...places].map(([name, code]) => [foldPlace(name), code] as const),
])

let ofLanguages: ReadonlyMap<string, CountryCode> | undefined

/**
 * Names of countries in other languages and scripts, read when first needed. They count only as a whole part of a text, and not
 * where `known` says something. Georgia has none: in most languages the state in the US has the same name.
 */
function namesInLanguages(): ReadonlyMap<string, CountryCode> {
  if (ofLanguages !== undefined) return ofLanguages
  const codes = Object.keys(english).filter((code) => code !== 'GE')
  const found = languages.flatMap((language) => {
    const shown = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    return codes.map((code) => [foldPlace(shown.of(code) ?? ''), code] as const)
  })
  const isClear = (name: string) =>
    !known.has(name) && !shared.has(name) && !notInLanguages.has(name) && !/^[a-z]{0,3}$/.test(name)
  return (ofLanguages = new Map(found.filter(([name]) => isClear(name))))
}

const codeOf = (name: string): CountryCode | null | undefined => {
  const code = known.get(name) ?? known.get(name.replace(/^the /, ''))
  return code === undefined && !known.has(name) ? namesInLanguages().get(name) : code
}

/** These mean a country only as the whole text: elsewhere they are companies or words. */
const onlyAlone = new Set(['brd', 'bvi', 'dprk', 'drc', 'ksa', 'prc', 'rok', 'rsa'])

/** Names that are other words without accents (`Ísland`): among other words they need their accents. */
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

type PlaceWord = { readonly written: string; readonly folded: string }

const wordsOf = (part: string): PlaceWord[] =>
  part.split(/[^\p{L}\p{N}\p{M}]+/u).flatMap((written) => {
    const folded = foldPlace(written)
    return folded === '' ? [] : [{ written, folded }]
  })

/** `isPart` is false when `part` is the whole location. */
type WhereFound = { readonly part: string; readonly isPart: boolean }

/** Whether a name among other words is meant: `us` only when it stands out in capitals («Austin US», not «contact us»). */
function isMeant(name: string, written: readonly PlaceWord[], { part, isPart }: WhereFound): boolean {
  if (onlyAlone.has(name)) return false
  const spellings = accented.get(name)
  if (spellings !== undefined) return spellings.has(foldText(written[0]!.written))
  if (name !== 'us' && name !== 'the us') return true
  const last = written.at(-1)!.written
  return isPart && last === last.toUpperCase() && part !== part.toUpperCase()
}

const longest = Math.max(...[...known.keys()].map((name) => name.split(' ').length))

type FoundName = { readonly name: string; readonly from: number; readonly to: number }

/** Longest first, so that Guinea is not found in Papua New Guinea. */
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

/** A country code, `unclear`, or undefined when nothing is said. */
type Said = CountryCode | 'unclear' | undefined

/** Decides an ambiguous name by the towns in the whole text. */
function namesakeIn(name: string, text: string): Said {
  const folded = ` ${foldPlace(text)} `
  return (
    shared.get(name)!.find(({ towns }) => [...towns].some((town) => folded.includes(` ${town} `)))?.code ?? 'unclear'
  )
}

/** Whether the words after a name leave its meaning alone. */
function staysItself(name: string, behind: readonly PlaceWord[]): boolean {
  if (behind.every(({ folded }) => harmless.has(folded) || (folded === 'state' && states.has(name)))) return true
  // A name of several words hardly ever begins another one.
  if (name.includes(' ')) return true
  return names.has(name) && !alsoWords.has(name) && !behind.some(({ folded }) => kindsOfPlaces.has(folded))
}

/** The last name of a part counts, unless it begins a longer one (Turkey Creek, Romania Street). */
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

function saidByWhole(part: string, text: string): Said {
  const folded = foldPlace(part)
  if (shared.has(folded) && foldPlace(text) !== folded) return namesakeIn(folded, text)
  return codeOf(folded) ?? (part.trim().endsWith('.') ? (shortStates.get(folded) ?? undefined) : undefined)
}

/**
 * A state's abbreviation at the end. If it is also a country's code, it is the state only after the name of another country,
 * which is a town there (Lebanon, TN), and else unclear (Wilmington, DE; Berlin, DE).
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

/** An ISO 3166-1 alpha-2 code in upper case, also from `uk`; null for others, such as the regions `EU` and `UN`. */
export function countryCode(value: string | null | undefined): CountryCode | null {
  const code = withoutUnseen(value ?? '')
    .trim()
    .toUpperCase()
  if (code === 'UK') return 'GB'
  return Object.hasOwn(english, code) ? code : null
}

/** The one name that is shown for a code; null for an unknown code (G149). */
export function countryName(value: string | null | undefined): string | null {
  const code = countryCode(value)
  return code === null ? null : (shownInstead[code] ?? englishNames(code)[0]!)
}

/** The country of a text that is only its name, short form or code; else null. */
export function countryNamed(text: string): CountryCode | null {
  const folded = foldPlace(text)
  return (
    names.get(folded) ??
    names.get(folded.replace(/^the /, '')) ??
    countryCode(text) ??
    namesInLanguages().get(folded) ??
    null
  )
}

/** The folded texts that `countryNamed` recognises as a country, but for names in other languages, which have a code when stored. */
export function countrySpellings(code: CountryCode): string[] {
  return [...new Set([...everyName(code), code].map(foldText))].filter((name) => countryNamed(name) === code)
}

export const betweenParts = /[,，、،;|/·•()[\]\n]|\s[-–—]\s/

/** The country that a text or location names; null when none, or unclear. Later parts of a location win. */
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
    // A name may have a comma (Taiwan, Province of China).
    const withBefore = names.get(foldPlace(`${parts[at - 1] ?? ''} ${part}`))
    const said =
      withBefore ??
      saidByWhole(part, text) ??
      (isEnd ? saidByStateCode(part, parts[at - 1]) : undefined) ??
      saidBy(part, text)
    if (said === 'unclear') return null
    if (said !== undefined) return said
  }
  const said = saidBy(text, text, false)
  return said === undefined || said === 'unclear' ? null : said
}

/** The country in a filter: not from a bare state, which would match its whole country. */
const countryAsked = (text: string): CountryCode | null => (states.has(foldPlace(text)) ? null : countryIn(text))

const ambiguous: Readonly<Record<string, string>> = {
  america: 'it may be a country or a continent: write United States',
  korea: 'write South Korea or North Korea',
}

/** Warnings about wanted countries that are unknown: they are kept, but compared word by word and hardly match anybody. */
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

/** A country as saved: in English when it is known, else trimmed. */
export function cleanCountry(text: string): string {
  const code = countryAsked(text)
  if (code === null || (codeOf(foldPlace(text)) !== code && !/^\s*[A-Za-z]{2}\s*$/.test(text)))
    return text.trim().replace(/\s+/g, ' ')
  return countryName(code)!
}

/** The warnings of `unknownCountries` for an answer; empty without any. */
export function warnedOfCountries(wanted: readonly string[]): { warnings?: { field: 'countries'; message: string }[] } {
  const messages = unknownCountries(wanted)
  return messages.length === 0 ? {} : { warnings: messages.map((message) => ({ field: 'countries', message })) }
}

/** The first wanted country that a text names, or null; unknown ones are compared word by word. */
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
