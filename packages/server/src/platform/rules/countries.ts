/**
 * Which country a text names (specification «Discover» 4; G93): ignores case, spacing and accents, knows short forms and native
 * names, finds a country inside a location, and matches whole words only. Bare «America» and «Korea» name nothing.
 */
import { foldText } from '@les/contract'
import { type CountryCode, english, englishNames, further, lies, notCountries, shownInstead } from './country-names.ts'

export type { CountryCode } from './country-names.ts'

const apart: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  þ: 'th',
}

/** Lower case, without accents, words parted by one space. */
export function foldPlace(text: string): string {
  // Lower case last: decorated capitals, such as mathematical ones, have none of their own.
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[ßøæœłđðıþ]/g, (letter) => apart[letter]!)
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

/** The same with the places that lie in a country; null for what only looks like a country. */
const known: ReadonlyMap<string, CountryCode | null> = new Map<string, CountryCode | null>([
  ...names,
  ...notCountries.map((name) => [name, lies[name] ?? null] as const),
])

/** The country of a folded name, with or without «the»; undefined when no list has it. */
const codeOf = (name: string): CountryCode | null | undefined => known.get(name) ?? known.get(name.replace(/^the /, ''))

/** Short forms that mean a country only where they stand alone: elsewhere they are companies and words of other languages. */
const onlyAlone = new Set(['dprk', 'drc', 'ksa', 'prc', 'rok', 'rsa'])

/** Whether a short form among other words is meant: `us` is a word unless it stands out in capitals («Austin US», not «contact us»). */
function isMeant({
  name,
  written,
  part,
  isPart,
}: {
  readonly name: string
  readonly written: readonly string[]
  readonly part: string
  readonly isPart: boolean
}): boolean {
  if (onlyAlone.has(name)) return false
  if (name !== 'us' && name !== 'the us') return true
  return isPart && written.at(-1) === written.at(-1)!.toUpperCase() && part !== part.toUpperCase()
}

const longest = Math.max(...[...known.keys()].map((name) => name.split(' ').length))

/**
 * The countries that one part of a location (or, `isPart` false, all of it) names, longer names first, so that Guinea
 * is not found in Papua New Guinea.
 */
function codesIn(part: string, isPart = true): CountryCode[] {
  const whole = codeOf(foldPlace(part))
  if (whole !== undefined) return whole === null ? [] : [whole]
  const written = part.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => foldPlace(word) !== '')
  const words = written.map(foldPlace)
  const found: CountryCode[] = []
  for (let at = 0; at < words.length; ) {
    let taken = 0
    for (let count = Math.min(longest, words.length - at); count > 0; count--) {
      const name = words.slice(at, at + count).join(' ')
      const code = known.get(name)
      if (code === undefined || !isMeant({ name, written: written.slice(at, at + count), part, isPart })) continue
      if (code !== null) found.push(code)
      taken = count
      break
    }
    at += Math.max(1, taken)
  }
  return found
}

/** An ISO 3166-1 alpha-2 code in upper case, also from `uk`; null for what is none, such as the regions `EU` and `UN`. */
export function countryCode(value: string | null | undefined): CountryCode | null {
  const code = value?.trim().toUpperCase() ?? ''
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

/** The country that a text names, alone or as the last part of a location; null when it names none. */
export function countryIn(text: string): CountryCode | null {
  const whole = codeOf(foldPlace(text))
  if (whole !== undefined) return whole
  if (/^\s*[A-Za-z]{2}\s*$/.test(text))
    return Object.hasOwn(english, text.trim().toUpperCase()) ? text.trim().toUpperCase() : null
  for (const part of text.split(/[,;|/·]/).reverse()) {
    const codes = codesIn(part)
    if (codes.length > 0) return codes.at(-1)!
  }
  return codesIn(text, false).at(-1) ?? null
}

const ambiguous: Readonly<Record<string, string>> = {
  america: 'it may be a country or a continent: write United States',
  korea: 'write South Korea or North Korea',
}

/**
 * What to tell about wanted countries that name none, each once; they are kept as written and compared word by word, so
 * that most likely nobody matches.
 */
export function unknownCountries(wanted: readonly string[]): string[] {
  const unknown = [...new Set(wanted.map((one) => one.trim()))].filter((one) => one !== '' && countryIn(one) === null)
  return unknown.map((one) => {
    const several = ambiguous[foldPlace(one)]
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
  const code = countryIn(text)
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
      const asked = countryIn(one)
      if (asked !== null || code !== null) return asked !== null && asked === code
      const name = foldPlace(one)
      return name !== '' && folded.includes(` ${name} `)
    }) ?? null
  )
}
