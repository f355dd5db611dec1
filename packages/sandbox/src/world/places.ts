/** Where somebody or something is. */
export type Place = { countryCode: string; country: string; city: string | null; region: string | null }

/** A country of the world with the share of its members and the naming culture most of them have. */
export type Country = {
  code: string
  name: string
  culture: string
  weight: number
  cities: Array<{ city: string; region: string | null }>
}

const ROWS = `US|United States|english|26|New York:New York,San Francisco:California,Austin:Texas,Chicago:Illinois,Boston:Massachusetts,
  Seattle:Washington,Denver:Colorado,Atlanta:Georgia
GB|United Kingdom|english|10|London:England,Manchester:England,Edinburgh:Scotland,Bristol:England
CA|Canada|english|5|Toronto:Ontario,Vancouver:British Columbia,Montreal:Quebec
AU|Australia|english|4|Sydney:New South Wales,Melbourne:Victoria,Brisbane:Queensland
IE|Ireland|english|1.5|Dublin:County Dublin,Cork:County Cork
NZ|New Zealand|english|0.8|Auckland:Auckland,Wellington:Wellington
DE|Germany|german|7|Berlin:Berlin,Munich:Bavaria,Hamburg:Hamburg,Cologne:North Rhine-Westphalia
AT|Austria|german|1|Vienna:Vienna,Graz:Styria
CH|Switzerland|german|1.5|Zurich:Zurich,Basel:Basel
FR|France|french|5|Paris:Ile-de-France,Lyon:Auvergne-Rhone-Alpes,Nantes:Pays de la Loire
BE|Belgium|french|1|Brussels:Brussels Region,Antwerp:Flemish Region
ES|Spain|spanish|3.5|Madrid:Community of Madrid,Barcelona:Catalonia,Valencia:Valencian Community
MX|Mexico|spanish|2.5|Mexico City:Mexico City,Guadalajara:Jalisco,Monterrey:Nuevo Leon
AR|Argentina|spanish|1.3|Buenos Aires:Buenos Aires,Cordoba:Cordoba
CO|Colombia|spanish|1.3|Bogota:Capital District,Medellin:Antioquia
CL|Chile|spanish|0.8|Santiago:Santiago Metropolitan Region
PT|Portugal|portuguese|1.2|Lisbon:Lisbon,Porto:Porto
BR|Brazil|portuguese|5|Sao Paulo:Sao Paulo,Rio de Janeiro:Rio de Janeiro,Curitiba:Parana
IT|Italy|italian|3|Milan:Lombardy,Rome:Latium,Turin:Piedmont
NL|Netherlands|dutch|3|Amsterdam:North Holland,Rotterdam:South Holland,Utrecht:Utrecht
SE|Sweden|nordic|1.8|Stockholm:Stockholm County,Gothenburg:Vastra Gotaland County
NO|Norway|nordic|1|Oslo:Oslo,Bergen:Vestland
DK|Denmark|nordic|1.2|Copenhagen:Capital Region of Denmark,Aarhus:Middle Jutland
FI|Finland|nordic|0.9|Helsinki:Uusimaa,Tampere:Pirkanmaa
PL|Poland|slavic|2|Warsaw:Mazowieckie,Krakow:Malopolskie,Wroclaw:Dolnoslaskie
CZ|Czechia|slavic|0.9|Prague:Prague,Brno:South Moravia
UA|Ukraine|slavic|0.9|Kyiv:Kyiv City,Lviv:Lviv
RO|Romania|romanian|0.9|Bucharest:Bucharest,Cluj-Napoca:Cluj
GR|Greece|greek|0.6|Athens:Attiki,Thessaloniki:Central Macedonia
TR|Türkiye|turkish|1.5|Istanbul:Istanbul,Ankara:Ankara
IL|Israel|hebrew|1.2|Tel Aviv:Tel Aviv District,Haifa:Haifa District
AE|United Arab Emirates|arabic|1.5|Dubai:Dubai,Abu Dhabi:Abu Dhabi
SA|Saudi Arabia|arabic|1|Riyadh:Riyadh,Jeddah:Makkah
EG|Egypt|arabic|0.9|Cairo:Cairo,Alexandria:Alexandria
IN|India|indian|9|Bengaluru:Karnataka,Mumbai:Maharashtra,Delhi:Delhi,Hyderabad:Telangana,Pune:Maharashtra
PK|Pakistan|arabic|0.9|Lahore:Punjab,Karachi:Sindh
SG|Singapore|chinese|1.6|Singapore:
CN|China|chinese|1.5|Shanghai:Shanghai,Beijing:Beijing,Shenzhen:Guangdong
HK|Hong Kong SAR|chinese|0.8|Hong Kong:
JP|Japan|japanese|1.8|Tokyo:Tokyo,Osaka:Osaka
KR|South Korea|korean|1|Seoul:Seoul,Busan:Busan
VN|Vietnam|vietnamese|0.8|Ho Chi Minh City:,Hanoi:
PH|Philippines|spanish|1.2|Manila:National Capital Region,Cebu City:Central Visayas
ID|Indonesia|indonesian|1.2|Jakarta:Jakarta,Bandung:West Java
NG|Nigeria|african|1.3|Lagos:Lagos State,Abuja:Federal Capital Territory
KE|Kenya|african|0.7|Nairobi:Nairobi County
ZA|South Africa|african|1.2|Cape Town:Western Cape,Johannesburg:Gauteng`

/** Every country that members and companies of the world live in. */
export const COUNTRIES: readonly Country[] = ROWS.split(/\n(?! )/).map((row) => {
  const [code = '', name = '', culture = '', weight = '1', cities = ''] = row.split('|')
  return {
    code,
    name,
    culture,
    weight: Number(weight),
    cities: cities.split(',').map((entry) => {
      const [city = '', region = ''] = entry.trim().split(':')
      return { city, region: region || null }
    }),
  }
})

/** The sum of the countries' weights. */
export const COUNTRY_WEIGHT = COUNTRIES.reduce((sum, country) => sum + country.weight, 0)

/** The place named by an ISO code or a country name; an unknown name becomes a country of its own, without a code. */
export function placeNamed(text: string, city?: string): Place {
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

/** A place as one line, e.g. "Berlin, Germany". */
export function placeText(place: Place): string {
  return [place.city, place.region === place.city ? null : place.region, place.country]
    .filter((part) => part !== null && part !== '')
    .join(', ')
}
