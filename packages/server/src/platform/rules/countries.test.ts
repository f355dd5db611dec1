import { describe, expect, it } from 'vitest'
import {
  cleanCountry,
  countryCode,
  countryIn,
  countryName,
  countryNamed,
  countrySpellings,
  foldPlace,
  matchCountry,
  unknownCountries,
  warnedOfCountries,
} from './countries.ts'
import { english } from './country-lists.ts'

describe('matching a country', () => {
  it.each([
    [['Germany'], 'germany'],
    [['  UNITED   states '], 'United States of America'],
    [['USA'], 'Austin, Texas, United States'],
    [['us'], 'U.S.A.'],
    [['UK'], 'London, England, United Kingdom'],
    [['United Kingdom'], 'Edinburgh, Scotland'],
    [['Great Britain'], 'uk'],
    [['UAE'], 'Dubai, United Arab Emirates'],
    [['Österreich'], 'Austria'],
    [['Osterreich'], 'Vienna, Austria'],
    [['Deutschland'], 'Berlin, Germany'],
    [['España'], 'Madrid, Community of Madrid, Spain'],
    [["Cote d'Ivoire"], 'Côte d’Ivoire'],
    [['Turkey'], 'Türkiye'],
    [['Netherlands'], 'Holland'],
    [['South Korea'], 'Seoul, Republic of Korea'],
    [['Georgia'], 'Tbilisi, Georgia'],
    [['DE'], 'Germany'],
    [['France', 'Czech Republic'], 'Brno, South Moravia, Czechia'],
    [['the united states of america'], 'US'],
    [['US'], 'the United States of America'],
    [['US'], 'Austin, us'],
    [['US'], 'Boston, MA U.S.'],
    [['Netherlands'], 'The Netherlands'],
    [['Gambia'], 'Banjul, the Gambia'],
  ])('%j names %j', (wanted, text) => {
    expect(matchCountry(wanted, text)).toBe(wanted.at(-1))
  })
  it.each([
    [['America'], 'United States of America'],
    [['Korea'], 'South Korea'],
    [['South Korea'], 'Korea'],
    [['North Korea'], 'South Korea'],
    [['Oman'], 'Romania'],
    [['Guinea'], 'Papua New Guinea'],
    [['Guinea'], 'Guinea-Bissau'],
    [['Mexico'], 'Albuquerque, New Mexico'],
    [['Jersey'], 'New Jersey'],
    [['Georgia'], 'Atlanta, Georgia, United States'],
    [['Ireland'], 'Belfast, Northern Ireland'],
    [['US'], 'Contact us'],
    [['United States'], 'Join us in Paris'],
    [['US'], 'All of us, Paris, France'],
    [['South Africa'], 'RSA Security, Boston'],
    [['South Korea'], 'Nowy rok, Warszawa'],
    [['Germany'], ''],
    [[''], 'Atlantis'],
  ])('%j is not named by %j', (wanted, text) => {
    expect(matchCountry(wanted, text)).toBeNull()
  })
  it('compares what no list knows word by word', () => {
    expect(matchCountry(['Atlantis'], 'New Harbour, Atlantis')).toBe('Atlantis')
    expect(matchCountry(['Atlan'], 'Atlantis')).toBeNull()
  })
})

describe('a country saved', () => {
  it.each([
    ['  usa ', 'United States'],
    ['deutschland', 'Germany'],
    ['uk', 'United Kingdom'],
    ['UAE', 'United Arab Emirates'],
    ['south   korea', 'South Korea'],
    ['  Atlantis  ', 'Atlantis'],
    ['America', 'America'],
    ['the united states of america', 'United States'],
    ['The Netherlands', 'Netherlands'],
    ['the UK', 'United Kingdom'],
    ['Bavaria, Germany', 'Bavaria, Germany'],
  ])('%j is %j', (text, saved) => {
    expect(cleanCountry(text)).toBe(saved)
  })
  it('that names none is told, with what to write instead', () => {
    expect(unknownCountries(['Germany', 'us', 'Bavaria, Germany', 'The Netherlands', ''])).toEqual([])
    expect(unknownCountries(['America', ' zzz ', 'zzz', 'korea'])).toEqual([
      expect.stringContaining('write United States'),
      expect.stringMatching(/^"zzz".*nobody matches/),
      expect.stringContaining('South Korea'),
    ])
  })
  it('every English name of the kept list leads to its country', () => {
    expect(
      [
        'Republic of the Congo',
        'Democratic Republic of the Congo',
        'Virgin Islands, U.S.',
        'Korea, Republic of',
        'Saint Martin (French part)',
      ].map(countryIn),
    ).toEqual(['CG', 'CD', 'VI', 'KR', 'MF'])
  })
})

describe('one name for a country', () => {
  it('is the same for its code, its shown name and every spelling of it, for every country [G149]', () => {
    for (const code of Object.keys(english)) {
      const name = countryName(code)!
      expect([code, countryNamed(name), countryIn(name), cleanCountry(name)]).toEqual([code, code, code, name])
      expect(countrySpellings(code)).toContain(name.toLowerCase())
      for (const spelling of countrySpellings(code))
        expect([spelling, countryNamed(spelling)]).toEqual([spelling, code])
    }
    expect(countrySpellings('US')).toEqual(
      expect.arrayContaining(['united states', 'united states of america', 'usa', 'us', 'u.s.']),
    )
  })
  it.each([
    ['us', 'US'],
    [' UK ', 'GB'],
    ['EU', null],
    ['UN', null],
    ['XX', null],
    ['DEU', null],
    ['', null],
    [null, null],
  ])('the code %j is %j', (text, code) => {
    expect(countryCode(text)).toBe(code)
  })
  it.each([
    ['USA', 'US'],
    ['the Netherlands', 'NL'],
    ['the Germany', 'DE'],
    ['Congo', 'CG'],
    ['Austin, Texas, United States', null],
    ['New Mexico', null],
    ['Mexico City', null],
    ['Korea', null],
    ['Germany and Austria', null],
  ])('%j alone names %j', (text, code) => {
    expect(countryNamed(text)).toBe(code)
  })
})

describe('a country in another language', () => {
  it.each([
    ['德国', 'DE'],
    ['Берлин, Германия', 'DE'],
    ['東京、日本', 'JP'],
    ['Varsovie, Pologne', 'PL'],
    ['برلين، ألمانيا', 'DE'],
    ['Taipei, Taiwan, Province of China', 'TW'],
    ["Pyongyang, Korea, Democratic People's Republic of", 'KP'],
    ['Granada', null],
    ['Salvador', null],
    ['Atlanta, Géorgie', null],
    ['Нью-Мексико', null],
    ['Jersey', 'JE'],
    ['CAD', null],
  ])('%j names %j [EXC-01]', (text, code) => expect(countryIn(text)).toBe(code))
})

describe('a place as it is compared', () => {
  it.each([
    ['Côte d’Ivoire', 'cote d ivoire'],
    ['  A -- B  ', 'a b'],
    ['ŁÓDŹ Đà ð Þ ı ß ø æ œ', 'lodz da d th i ss o ae oe'],
    ['भारत', 'भारत'],
    ['№5, x', 'no5 x'],
    ['𝗚𝗲𝗿𝗺𝗮𝗻𝘆 İ ẞ Ｆ', 'germany i ss f'],
    ['', ''],
  ])('%j is %j', (text, folded) => expect(foldPlace(text)).toBe(folded))
})

describe('the country of a place', () => {
  it.each([
    ['Albuquerque, New Mexico', 'US'],
    ['Sydney, New South Wales', 'AU'],
    ['Cardiff, South Wales', 'GB'],
    ['CDMX, Mexico City', 'MX'],
    ['Atlanta, Georgia', 'US'],
    ['Tbilisi, Georgia', 'GE'],
    ['Gulf of Mexico', null],
    ['Gary, Indiana', 'US'],
    ['Germany, Gulf of Mexico', 'DE'],
    ['Germany Gulf of Mexico', 'DE'],
    ['near Korea, Republic of', 'KR'],
    ['Austin US today', 'US'],
    [' de ', 'DE'],
    ['Berlin; Germany', 'DE'],
    ['Berlin · Germany', 'DE'],
    ['Berlin Germany', 'DE'],
    ['𝗕𝗲𝗿𝗹𝗶𝗻, 𝗚𝗲𝗿𝗺𝗮𝗻𝘆', 'DE'],
    ['Germany, Austria', 'AT'],
    ['Germany and Austria', 'AT'],
    ['Austria near Germany, Europe', 'DE'],
    ['The coast of Papua New Guinea today', 'PG'],
    ['Papua, New Guinea', 'PG'],
    ['de', 'DE'],
    ['DE1', null],
    ['a de b', null],
    ['xx', null],
    ['EU', null],
    ['Austin US', 'US'],
    ['Austin the US', 'US'],
    ['AUSTIN US', null],
    ['Austin us', null],
    ['join the us', null],
    ['RSA', 'ZA'],
    ['Boston, RSA', 'ZA'],
    ['Boston RSA', null],
    ['Seoul ROK', null],
    ['Seoul, ROK', 'KR'],
    ['', null],
    [' , ; ', null],
  ])('%j lies in %j', (text, code) => expect(countryIn(text)).toBe(code))
})

describe('a place that bears the name of a country', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    US: [
      'Providence, Rhode Island',
      'Rhode Island',
      'Long Island, New York',
      'Albuquerque, New Mexico',
      'Jersey City, New Jersey',
      'Newark, New Jersey',
      'Lebanon, Tennessee',
      'Lebanon, TN',
      'Peru, Indiana',
      'Peru, IN',
      'Cuba, Missouri',
      'Jordan, Minnesota',
      'West Jordan, Utah',
      'Paris, Texas',
      'Paris Texas',
      'Paris (Texas)',
      'Turkey Creek, Indiana',
      'China, Maine',
      'New Lebanon, New York',
      'San Marino, California',
      'Panama City, Florida',
      'Jamaica, Queens',
      'Georgia, Vermont',
      'Georgia (USA)',
      'Savannah, Georgia, United States',
      'Metro Atlanta, Georgia',
      'Atlanta Georgia',
      'Channel Islands, California',
      'Washington State',
      'Washington, DC',
      'Greater Paris, Texas Area',
      'Lebanon, Georgia, USA',
    ],
    CA: [
      'Charlottetown, Prince Edward Island',
      'Prince Edward Island',
      'London, Ontario',
      'Paris, ON',
      'Norway House, Manitoba',
      'Halifax, Nova Scotia',
      'New Germany, Nova Scotia',
    ],
    AU: ['Sydney, New South Wales', 'Sydney, NSW', 'Texas, Queensland', 'Kangaroo Island, South Australia'],
    IS: ['Reykjavík, Ísland', 'Ísland', 'Reykjavik Ísland', 'Reykjavík, Island', 'Island', 'Reykjavík, Iceland'],
    GE: [
      'Tbilisi, Georgia',
      'Georgia, Tbilisi',
      'Greater Tbilisi, Georgia',
      'Georgia',
      'Republic of Georgia',
      'Batumi, Georgia',
    ],
    LB: ['Beirut, Lebanon', 'Beirut Lebanon', 'Lebanon', 'Beirut, Lebanon, LB'],
    PE: ['Lima, Peru', 'Lima, Peru, PE', 'Lima, Perú'],
    JO: ['Amman, Jordan', 'Jordan'],
    HK: ['Jordan, Hong Kong'],
    ML: ['Bamako, Mali'],
    HR: ['Mali Lošinj, Croatia'],
    TD: ["N'Djamena, Chad"],
    OM: ['Muscat, Oman'],
    NG: ['Minna, Niger State, Nigeria', 'Niger State, Nigeria', 'Niger State', 'Niger Delta'],
    NE: ['Niamey, Niger'],
    GN: ['Conakry, Guinea'],
    GQ: ['Malabo, Equatorial Guinea', 'Malabo, Guinea Ecuatorial'],
    GW: ['Bissau, Guinea-Bissau'],
    PG: ['Port Moresby, Papua New Guinea', 'Papua, New Guinea'],
    IE: ['Dublin, Ireland', 'Cork (Ireland)'],
    GB: ['Belfast, Northern Ireland', 'Belfast, N. Ireland', 'Cardiff, South Wales', 'Holland Park, London, England'],
    KR: ['Seoul, South Korea', 'Seoul, Korea, Republic of', 'Seoul, Korea (South)'],
    CD: [
      'Kinshasa, Congo',
      'Kinshasa, Congo (DRC)',
      'Kinshasa, Democratic Republic of Congo',
      'Lubumbashi, Democratic Republic of the Congo',
      'Kinshasa, Congo (the Democratic Republic of the)',
    ],
    CG: ['Brazzaville, Congo', 'Pointe-Noire, Republic of the Congo', 'Congo'],
    DM: ['Roseau, Dominica'],
    DO: ['Santo Domingo, Dominican Republic', 'Santo Domingo, República Dominicana', 'Rep. Dominicana'],
    SD: ['Khartoum, Sudan'],
    SS: ['Juba, South Sudan', 'Juba, S. Sudan'],
    VI: ['St. Thomas, US Virgin Islands', 'U.S. Virgin Islands', 'Charlotte Amalie, Virgin Islands'],
    VG: ['Road Town, British Virgin Islands', 'Tortola, Virgin Islands', 'Tortola, Virgin Islands, British'],
    JE: ['St Helier, Jersey', 'Jersey, Channel Islands'],
    GG: ['St Peter Port, Guernsey, Channel Islands'],
    CN: ['Hohhot, Inner Mongolia'],
    GR: ['Thessaloniki, Central Macedonia'],
    TT: ['Port of Spain'],
    MX: ['Tijuana, Baja California', 'Mexico City', 'Tijuana, Mexico'],
    KW: ['Kuwait City'],
    TR: ['İstanbul, Türkiye', 'Istanbul, Turkey', 'Turkey - Istanbul'],
    AT: ['Wien Österreich', 'Wien, Osterreich', 'Österreich'],
    AD: ['Andorra la Vella'],
    IN: ['India Bangalore', 'Remote, India', 'India (Remote)', 'Bengaluru Area, India'],
    DE: ['Germany, Berlin', 'Greater Germany Area', 'Remote - Germany', 'Based in Germany now', 'Berlin, Germany, DE'],
  }
  it.each(Object.entries(cases).flatMap(([code, texts]) => texts.map((text) => [text, code] as const)))(
    'does not win over what the rest says: %j lies in %j [WLD-03]',
    (text, code) => expect(countryIn(text)).toBe(code),
  )
  it.each([
    'Coney Island',
    'Prince of Wales Island',
    'Turkey Creek',
    'Chad Gadya',
    'Mali Lošinj',
    'Emirates Stadium, London',
    'Lake Chad',
    'New Germany',
    'New Guinea',
    'Lebanon, Georgia',
    'Somewhere, Georgia',
    'South Georgia',
    'Virgin Islands',
    'Channel Islands',
    'Seoul, Korea',
    'Seattle, WA',
    'Wilmington, DE',
    'La Florida',
  ])('and names none where nobody can say: %j [WLD-03]', (text) => expect(countryIn(text)).toBeNull())
  it.each([
    ['Monaco di Baviera', 'DE'],
    ['Armenia, Quindío', 'CO'],
    ['East India Company', null],
  ] as const)('of a town or a company that bears a country’s name is not that country: «%s» [WLD-03]', (text, code) =>
    expect(countryIn(text)).toBe(code),
  )
  it('is found only where it is [WLD-03]', () => {
    for (const text of ['Providence, Rhode Island', 'Long Island, New York', 'Charlottetown, Prince Edward Island'])
      expect([text, matchCountry(['Iceland'], text)]).toEqual([text, null])
    expect(matchCountry(['Iceland'], 'Reykjavík, Ísland')).toBe('Iceland')
    expect(matchCountry(['United States'], 'Providence, Rhode Island')).toBe('United States')
  })
  it('is no country to ask for, where it is a state: all of its country would be meant [WLD-03]', () => {
    expect(cleanCountry('Rhode Island')).toBe('Rhode Island')
    expect(matchCountry(['Texas'], 'Boston, Massachusetts, United States')).toBeNull()
    expect(unknownCountries(['Texas'])).toEqual([
      '"Texas" names no country that is known, it is a part of a country: write United States to mean all of it.',
    ])
  })
})

describe('what is told of wanted countries', () => {
  const unknown =
    '"zzz" names no country that is known: it is compared word by word, so most likely nobody matches. ' +
    'Write the English name of the country, such as Germany.'
  it('is in these words', () =>
    expect(unknownCountries([' zzz', 'America', 'KOREA', 'zzz ', ' '])).toEqual([
      unknown,
      '"America" names no country that is known, it may be a country or a continent: write United States.',
      '"KOREA" names no country that is known, write South Korea or North Korea.',
    ]))
  it('is a warning of its field, and absent when all are known', () => {
    expect(warnedOfCountries(['zzz', 'us'])).toEqual({ warnings: [{ field: 'countries', message: unknown }] })
    expect(warnedOfCountries(['us', 'Germany'])).toEqual({})
    expect(warnedOfCountries([])).toEqual({})
  })
  it('is the name that is shown, from a code alone', () => {
    expect(['US', 'de', ' CI ', 'UK', 'XX', '', null, undefined].map(countryName)).toEqual([
      'United States',
      'Germany',
      "Côte d'Ivoire",
      'United Kingdom',
      null,
      null,
      null,
      null,
    ])
  })
  it.each([
    ['de', 'Germany'],
    [' zz ', 'zz'],
    [' Berlin,   Germany ', 'Berlin, Germany'],
    ['New  Mexico', 'New Mexico'],
    ['Bavaria,Germany', 'Bavaria,Germany'],
    ['', ''],
  ])('%j is saved as %j', (text, saved) => expect(cleanCountry(text)).toBe(saved))
  it.each([
    [['Atlantis', 'Germany'], 'Berlin, Germany', 'Germany'],
    [['Harbour, Atlantis'], 'The New Harbour Atlantis', 'Harbour, Atlantis'],
    [['!'], '!', null],
    [['New'], 'New Mexico', null],
    [['Atlantis'], 'Atlantis, Germany', null],
    [['Germany'], 'Atlantis', null],
    [[], 'Germany', null],
  ])('%j is matched by %j as %j', (wanted, text, match) => expect(matchCountry(wanted, text)).toBe(match))
  it('holds every way to write it, in lower case', () => {
    expect(countrySpellings('DE')).toEqual(expect.arrayContaining(['germany', 'deutschland', 'de']))
    expect(countrySpellings('GB')).toEqual(expect.arrayContaining(['united kingdom', 'uk', 'gb']))
  })
})
