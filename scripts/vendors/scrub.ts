/** Replaces all text in an answer, except under keys with the vendor's own words and in formats that identify nobody. */

const own = new Set(
  (
    'type,reactionType,countryCode,country,countryFull,regionCode,employmentType,workplaceType,postedAgoShort,' +
    'relativeDay,staffCountRange,membershipTier,planName,error,message,proficiency,companyType,month,payments,' +
    'sortBy,cursor'
  ).split(','),
)
/** Identifying numbers, which are replaced. */
const numbered =
  /^(?:id|.*Id|entityId|objectUrn|memberNumber|totalLikes|connectionsCount|followerCount|followersCount)$/

const invented = 'ACoAAScrubbedScrubbedScrubbedScrubbed00'
const memberId = /AC[ow]AA[\w-]{30,}/g
const digitsOf = (text: string): string => text.replace(/\d{4,}/g, (digits) => '7'.padEnd(digits.length, '0'))

function scrubText(text: string, key: string): string {
  if (text === '' || own.has(key)) return text
  if (/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?)?(?:Z| \+0000 UTC)?$/.test(text)) return text
  if (/^\d+$/.test(text)) return digitsOf(text)
  if (/^AC[ow]AA[\w-]+$/.test(text)) return invented
  if (/^urn:li:/.test(text)) return digitsOf(text.replace(memberId, invented))
  if (/^https?:\/\//.test(text)) return scrubAddress(text)
  if (/^[\w.+-]+@[\w.-]+$/.test(text)) return 'somebody@example.com'
  if (/date$/i.test(key) && /^(?:[A-Z][a-z]{2,8} )?\d{4}$|^Present$/.test(text)) return text
  return 'words'
}

function scrubAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null) return 'https://example.com/'
  if (!/(?:^|\.)linkedin\.com$/.test(url.hostname)) return 'https://media.example/picture.jpg'
  const path = digitsOf(url.pathname.replace(memberId, invented))
    .replace(/\/in\/(?!AC[ow]AA)[^/]+/, '/in/somebody')
    .replace(/\/(company|school|showcase)\/[^/]+/, '/$1/some-page')
    .replace(/\/posts\/[^/]*?(activity|share|ugcPost)/, '/posts/somebody_words-$1')
    .replace(/\/pulse\/[^/]+/, '/pulse/words')
    .replace(/-[\w-]{4}$/, '-AbCd')
  const query = url.search === '' ? '' : digitsOf(url.search.replace(/AC[ow]AA[\w-]{30,}/g, invented))
  return `https://www.linkedin.com${path}${query}`
}

/** The same shape without people. */
export function scrub(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return scrubText(value, key)
  if (typeof value === 'number' && numbered.test(key) && value > 999) return Number(digitsOf(String(Math.trunc(value))))
  if (Array.isArray(value)) return value.slice(0, 5).map((one) => scrub(one, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      // The request and its sender.
      /^(?:query|originalQuery)$/.test(name)
        ? {}
        : name === 'requestId'
          ? '00000000-0000-4000-a000-000000000000'
          : scrub(inner, name),
    ]),
  )
}
