/**
 * Which country a text names (specification «Discover» 4; G93): ignores case, spacing and accents, knows short forms and native
 * names, finds a country inside a location, and matches whole words only. Bare «America» and «Korea» name nothing.
 */
import en from 'i18n-iso-countries/langs/en.json' with { type: 'json' }

/** ISO 3166-1 alpha-2 in upper case. */
export type CountryCode = string

/** Short forms, other spellings and native names, beside the English names of the kept list. */
const further: Readonly<Record<CountryCode, string>> = {
  AE: 'uae|u a e|emirates|الإمارات العربية المتحدة',
  AR: 'argentine republic',
  AT: 'österreich|oesterreich|autriche',
  AU: 'commonwealth of australia',
  BA: 'bosnia|bosna i hercegovina',
  BE: 'belgië|belgique|belgien',
  BG: 'българия',
  BO: 'plurinational state of bolivia',
  BR: 'brasil|brésil|brasilien',
  BY: 'беларусь',
  CD: 'dr congo|drc|d r congo|congo kinshasa',
  CG: 'congo brazzaville|congo republic',
  CH: 'schweiz|suisse|svizzera|svizra|suiza',
  CI: 'ivory coast',
  CN: 'prc|中国|中國|people s republic of china',
  CV: 'cabo verde',
  CY: 'κύπρος|kıbrıs',
  CZ: 'česko|česká republika|cesko',
  DE: 'deutschland|allemagne|alemania|alemanha|germania|duitsland|tyskland|federal republic of germany',
  DK: 'danmark|dänemark|danemark',
  DO: 'república dominicana',
  DZ: 'algérie|الجزائر',
  EE: 'eesti',
  EG: 'مصر',
  ES: 'españa|espagne|espanha|spanien|spagna|spanje',
  FI: 'suomi|finnland|finlande',
  FR: 'frankreich|francia|frankrijk|frankrike|frança',
  GB: 'uk|u k|great britain|britain|england|scotland|wales|northern ireland|royaume uni|reino unido|vereinigtes königreich|großbritannien|united kingdom of great britain and northern ireland',
  GR: 'ελλάδα|hellas|griechenland|hellenic republic',
  HK: 'hong kong sar|hong kong sar china|香港',
  HR: 'hrvatska|kroatien',
  HU: 'magyarország|ungarn',
  ID: 'republic of indonesia',
  IE: 'éire|republic of ireland|irland|irlande',
  IL: 'ישראל',
  IN: 'bharat|भारत|indien|inde',
  IR: 'islamic republic of iran|ایران',
  IS: 'ísland',
  IT: 'italia|italien|italie|italië|itália',
  JP: 'nippon|nihon|日本',
  KE: 'republic of kenya',
  KP: 'dprk|democratic people s republic of korea',
  KR: 's korea|rok|korea south|korea republic of|republic of korea|대한민국|한국',
  LA: 'laos',
  LT: 'lietuva',
  LU: 'lëtzebuerg|luxemburg',
  LV: 'latvija',
  MA: 'maroc|marruecos|المغرب',
  MD: 'moldova|republic of moldova',
  MK: 'macedonia|северна македонија',
  MO: 'macau|macao sar|macau sar',
  MM: 'burma',
  MX: 'méxico|mexique|mexiko|estados unidos mexicanos',
  NL: 'nederland|holland|niederlande|pays bas|países bajos|países baixos|paesi bassi',
  NO: 'norge|noreg|norwegen|norvège',
  NZ: 'aotearoa|nz',
  PE: 'perú',
  PH: 'pilipinas|the philippines',
  PL: 'polska|polen|pologne',
  PS: 'palestinian territories',
  PT: 'portugal continental|república portuguesa',
  RO: 'românia|rumänien',
  RS: 'srbija|србија',
  RU: 'россия|russland',
  SA: 'ksa|kingdom of saudi arabia|السعودية',
  SE: 'sverige|schweden|suède',
  SG: 'republic of singapore|新加坡',
  SI: 'slovenija',
  SK: 'slovensko|slovak republic',
  SN: 'sénégal',
  SY: 'syria',
  SZ: 'swaziland',
  TH: 'ประเทศไทย',
  TN: 'tunisie',
  TR: 'türkei|turkiye',
  TW: 'taiwan|台灣|republic of china',
  TZ: 'tanzania',
  UA: 'україна',
  US: 'usa|us|u s|u s a|united states|the united states|the us|the usa|vereinigte staaten|états unis|estados unidos|stati uniti|verenigde staten',
  VA: 'vatican|vatican city|holy see',
  VE: 'bolivarian republic of venezuela',
  VN: 'vietnam|viet nam|việt nam',
  ZA: 'rsa|republic of south africa|südafrika',
}

/** Places whose names contain a country's name and lie in another; they name no country by themselves. */
const notCountries = [
  'new mexico',
  'new jersey',
  'new england',
  'new south wales',
  'new britain',
  'south wales',
  'gulf of mexico',
  'mexico city',
  'panama city beach',
  'indiana',
  'jersey city',
  'lebanon ohio',
  'atlanta georgia',
  'north jersey',
  'south jersey',
] as const

/** Where such a place lies, when it is known. */
const lies: Readonly<Partial<Record<string, CountryCode>>> = {
  'new mexico': 'US',
  'new jersey': 'US',
  'new england': 'US',
  'new south wales': 'AU',
  'south wales': 'GB',
  'mexico city': 'MX',
  'panama city beach': 'US',
  'jersey city': 'US',
  'lebanon ohio': 'US',
  'atlanta georgia': 'US',
  'north jersey': 'US',
  'south jersey': 'US',
}

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
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[ßøæœłđðıþ]/g, (letter) => apart[letter]!)
    .replace(/[^\p{L}\p{N}\p{Mc}]+/gu, ' ')
    .trim()
}

const english = en.countries as Readonly<Record<CountryCode, string | readonly string[]>>
const namesOf = (code: CountryCode): readonly string[] => [english[code] ?? []].flat() as string[]

/** Every folded name by its code; null for what only looks like a country. */
const known: ReadonlyMap<string, CountryCode | null> = new Map<string, CountryCode | null>([
  ...Object.keys(english).flatMap((code) =>
    [...namesOf(code), ...(further[code]?.split('|') ?? [])].map((name) => [foldPlace(name), code] as const),
  ),
  // Two countries share it.
  ['congo', 'CG'],
  ...notCountries.map((name) => [name, lies[name] ?? null] as const),
])

/** The country of a folded name, with or without «the»; undefined when no list has it. */
const codeOf = (name: string): CountryCode | null | undefined => known.get(name) ?? known.get(name.replace(/^the /, ''))

/** Short forms that mean a country only where they stand alone: elsewhere they are companies and words of other languages. */
const onlyAlone = new Set(['dprk', 'drc', 'ksa', 'prc', 'rok', 'rsa'])

/** Whether a short form among other words is meant: `us` is a word unless it stands out in capitals («Austin US», not «contact us»). */
function isMeant(name: string, written: readonly string[], part: string, isPart: boolean): boolean {
  if (onlyAlone.has(name)) return false
  if (name !== 'us' && name !== 'the us') return true
  return isPart && written.at(-1) === written.at(-1)!.toUpperCase() && part !== part.toUpperCase()
}

const longest = Math.max(...[...known.keys()].map((name) => name.split(' ').length))

/** The countries that one part of a location (or, `isPart` false, all of it) names, longer names first, so that Guinea is not found in Papua New Guinea. */
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
      if (code === undefined || !isMeant(name, written.slice(at, at + count), part, isPart)) continue
      if (code !== null) found.push(code)
      taken = count
      break
    }
    at += Math.max(1, taken)
  }
  return found
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

/** What to tell about wanted countries that name none, each once; they are kept as written and compared word by word, so that most likely nobody matches. */
export function unknownCountries(wanted: readonly string[]): string[] {
  const unknown = [...new Set(wanted.map((one) => one.trim()))].filter((one) => one !== '' && countryIn(one) === null)
  return unknown.map(
    (one) =>
      `${JSON.stringify(one)} names no country that is known${ambiguous[foldPlace(one)] === undefined ? ': it is compared word by word, so most likely nobody matches. Write the English name of the country, such as Germany' : `, ${ambiguous[foldPlace(one)]}`}.`,
  )
}

/** A country as it is saved: trimmed, spaces collapsed, and in English when it is known. */
export function cleanCountry(text: string): string {
  const code = countryIn(text)
  if (code === null || (codeOf(foldPlace(text)) !== code && !/^\s*[A-Za-z]{2}\s*$/.test(text)))
    return text.trim().replace(/\s+/g, ' ')
  return shortNames[code] ?? namesOf(code)[0]!
}

const shortNames: Readonly<Record<CountryCode, string>> = {
  CI: 'Ivory Coast',
  CN: 'China',
  CZ: 'Czechia',
  FM: 'Micronesia',
  GM: 'Gambia',
  IR: 'Iran',
  KR: 'South Korea',
  LA: 'Laos',
  MD: 'Moldova',
  MK: 'North Macedonia',
  NL: 'Netherlands',
  PS: 'Palestine',
  RU: 'Russia',
  SY: 'Syria',
  TW: 'Taiwan',
  TZ: 'Tanzania',
  US: 'United States',
  VA: 'Vatican City',
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
