/**
 * Places that say which country a location is in, or that only look like a country's name: states and provinces, places with a
 * country's name in theirs, and the towns by which two countries of one name are told apart (WLD-03).
 */
import type { CountryCode } from './country-names.ts'

const each = (code: CountryCode | null, names: string): (readonly [string, CountryCode | null])[] =>
  names.split('|').map((name) => [name, code] as const)

/**
 * States and provinces that end a location. Georgia is told apart by its towns; what lies in several countries (Victoria, Punjab)
 * says nothing.
 */
export const states: ReadonlyMap<string, CountryCode | null> = new Map([
  ...each(
    'US',
    'alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|district of columbia|florida|hawaii|idaho|illinois|' +
      'indiana|iowa|kansas|kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|' +
      'nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|' +
      'rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming',
  ),
  ...each(
    'CA',
    'alberta|british columbia|manitoba|new brunswick|newfoundland|newfoundland and labrador|northwest territories|nova scotia|' +
      'nunavut|ontario|prince edward island|quebec|saskatchewan|yukon',
  ),
  ...each('AU', 'australian capital territory|new south wales|northern territory|queensland|tasmania'),
])

/** How states are written short, in capitals; some are also the codes of countries. */
export const stateCodes: ReadonlyMap<string, readonly CountryCode[]> = new Map(
  (
    [
      [
        'US',
        'AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR PA RI ' +
          'SC SD TN TX UT VA VT WA WI WV WY',
      ],
      ['CA', 'AB BC MB NB NL NS NT NU ON PE QC SK YT'],
      ['AU', 'ACT NSW NT QLD SA TAS VIC WA'],
    ] as const
  )
    .flatMap(([country, codes]) => codes.split(' ').map((code) => [code, country] as const))
    .reduce((map, [code, country]) => map.set(code, [...(map.get(code) ?? []), country]), new Map<string, string[]>()),
)

/** How states are written short with a point behind, where that is no word of its own. */
export const shortStates: ReadonlyMap<string, CountryCode | null> = new Map(
  each(
    'US',
    'ala|ariz|calif|colo|conn|d c|fla|kans|mich|minn|n c|n d|n h|n j|n m|n y|nebr|okla|r i|s c|s d|tenn|tex|w va|wisc|wyo',
  ),
)

/** Places with a country's name in theirs, and where they lie; null: nowhere, or nobody can say. */
export const places: ReadonlyMap<string, CountryCode | null> = new Map([
  ...each(
    null,
    'gulf of mexico|gulf of oman|gulf of guinea|gulf of thailand|sea of japan|new guinea|channel islands|new britain',
  ),
  ...each(
    null,
    'lake chad|chad basin|east china sea|south china sea|niger river|jordan river|jordan valley|east india company',
  ),
  ...each(
    'US',
    'new england|jersey city|jersey shore|north jersey|south jersey|central jersey|jersey village|panama city beach|' +
      'west jordan|south jordan|long island|staten island|washington dc|washington d c|little italy|mexico beach|jamaica plain|' +
      'brooklyn|manhattan|queens|bronx|the bronx',
  ),
  ...each('CA', 'vancouver island'),
  ...each('GB', 'south wales|north wales|mid wales|west wales|n ireland|holland park'),
  ...each('NZ', 'north island|south island'),
  ...each(
    'MX',
    'mexico city|mexico df|mexico d f|baja california|baja california sur|state of mexico|estado de mexico',
  ),
  ...each('GR', 'central macedonia|western macedonia|west macedonia|eastern macedonia|eastern macedonia and thrace'),
  ...each('BE', 'belgian luxembourg|province of luxembourg|luxembourg province'),
  ...each('CN', 'inner mongolia'),
  ...each('DE', 'monaco di baviera'),
  ...each('CO', 'armenia quindio|montenegro quindio'),
  ...each('NG', 'niger state|niger delta'),
  ...each('TT', 'port of spain'),
  ...each('PA', 'panama city'),
  ...each('KW', 'kuwait city'),
  ...each('GT', 'guatemala city'),
  ...each('AD', 'andorra la vella'),
  ...each('LU', 'luxembourg city|luxembourg ville'),
  ...each('BZ', 'belize city'),
  ...each('DJ', 'djibouti city'),
])

/** Words before a country's name that make it the name of somewhere else: New Germany, Little Italy, La Florida. */
export const elsewhere = new Set(['new', 'little', 'nueva', 'nuevo', 'nova', 'novo', 'nouvelle', 'neu', 'la', 'villa'])

/** Countries whose names are words, names of people or of many towns: what follows one may make it anything. */
export const alsoWords = new Set(
  (
    'chad mali turkey jordan guinea niger jersey georgia congo cuba peru lebanon china holland mexico poland norway jamaica panama ' +
    'palestine macedonia emirates oman togo malta samoa sudan grenada dominica montserrat us'
  ).split(' '),
)

/** Kinds of places, which are called after countries. */
export const kindsOfPlaces = new Set(
  (
    'street road avenue lane drive square plaza platz strasse rue calle boulevard bridge tunnel station airport gate house hotel tower ' +
    'center centre mall market stadium arena park garden gardens club school college university institute hall palace bank ' +
    'creek river lake bay beach point harbor harbour island islands falls spring springs pond canal valley hill hills ridge ' +
    'mountain mountains canyon grove wood woods forest field fields flats plain plains heights corner corners crossing junction ' +
    'city town township village county parish district quarter'
  ).split(' '),
)

/** Words behind a country's name that leave it one. */
export const harmless = new Set(
  (
    'area metro metropolitan region country remote remotely hybrid office offices hq headquarters based today now only ' +
    'and or und et y e of the in &'
  ).split(' '),
)

type Namesake = { readonly code: CountryCode; readonly towns: ReadonlySet<string> }
const namesake = (code: CountryCode, towns: string): Namesake => ({ code, towns: new Set(towns.split('|')) })

/** Names that several countries, or a country and a state, share: the towns beside them say which is meant. */
export const shared: ReadonlyMap<string, readonly Namesake[]> = new Map([
  [
    'georgia',
    [
      namesake(
        'GE',
        'tbilisi|tiflis|batumi|kutaisi|rustavi|gori|zugdidi|poti|telavi|khashuri|samtredia|senaki|zestafoni|marneuli|mtskheta|' +
          'akhaltsikhe|ozurgeti|borjomi|kobuleti|sukhumi|tskhinvali|gudauri|mestia|adjara|ajara|imereti|kakheti|svaneti|samegrelo|' +
          'guria|kvemo kartli|shida kartli|caucasus|europe|republic|eurasia|sakartvelo',
      ),
      namesake(
        'US',
        'atlanta|augusta|columbus|macon|savannah|athens|sandy springs|roswell|johns creek|warner robins|alpharetta|marietta|smyrna|' +
          'valdosta|brookhaven|dunwoody|peachtree city|peachtree corners|newnan|gainesville|milton|rome|east point|hinesville|dalton|' +
          'kennesaw|lagrange|lawrenceville|woodstock|duluth|statesboro|douglasville|canton|carrollton|mcdonough|decatur|' +
          'cartersville|tucker|norcross|suwanee|buford|cumming|fayetteville|stockbridge|conyers|albany|thomasville|brunswick|' +
          'snellville|chamblee|evans|stonecrest|south fulton|college park|covington|winder|griffin|acworth|tifton|vidalia|county|' +
          'american state|us state',
      ),
    ],
  ],
  [
    'congo',
    [
      namesake(
        'CD',
        'kinshasa|lubumbashi|goma|bukavu|kisangani|mbuji mayi|kolwezi|kananga|likasi|matadi|kikwit|uvira|bunia|katanga|kivu|' +
          'democratic|leopoldville',
      ),
      namesake('CG', 'brazzaville|pointe noire|dolisie|nkayi|ouesso'),
    ],
  ],
  [
    'virgin islands',
    [
      namesake(
        'VI',
        'charlotte amalie|saint thomas|st thomas|saint croix|st croix|christiansted|frederiksted|saint john|st john',
      ),
      namesake('VG', 'road town|tortola|virgin gorda|anegada|jost van dyke'),
    ],
  ],
])
