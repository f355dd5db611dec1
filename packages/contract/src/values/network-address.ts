/** Reads addresses of the network as users paste them (G7, G146). */
import { readMemberId } from './member-id.ts'
import { decodeFully } from './percent.ts'
import { withoutUnseen } from './text.ts'

/** A person by handle or member id, a company page by slug or number, or another page and why it cannot be used. */
export type NetworkAddress =
  | { readonly kind: 'person' | 'company'; readonly name: string }
  | { readonly kind: 'other'; readonly why: string }

const networkHost = /^(?:[a-z0-9-]+\.)*linkedin\.com$/
const withoutScheme = /^(?:\/\/)?((?:[a-z0-9-]+\.)*(?:linkedin\.com|lnkd\.in)(?:[/?#:]|$))/i
/** First path segments of other sites with the same pages: mobile, mails, guests. */
const siteVariantPrefixes = new Set(['mwlite', 'm', 'comm', 'organization-guest'])
/** Sign-in pages, which carry the requested address as a parameter. */
const signIn = /^\/(?:authwall|login|uas\/login|signup|checkpoint)(?:\/|$)/i
const longest = 4_000

const opening = new Set('<"\'([{“„«‘‹')
const closing = new Set('>"\')]}”“»’›')

/** Removes quotes and brackets around a text. A bracket closing one inside the text stays, as in the URN of an update. */
function withoutQuotes(text: string, pairs = 3): string {
  const bare = text.trim()
  if (pairs === 0 || bare.length < 2 || !opening.has(bare[0]!) || !closing.has(bare.at(-1)!)) return bare
  return withoutQuotes(bare.slice(1, -1), pairs - 1)
}

/** A pasted text without the quotes and brackets around it, decoded when it is encoded as a whole. */
export function unwrapped(text: string): string {
  if (text.length > longest) return text
  const bare = withoutQuotes(withoutUnseen(text)).replace(/^<|>$/g, '')
  return /[:/]/.test(bare) ? bare : decodeFully(bare)
}

/** Parses an http(s) address; an address of the network may lack its scheme. Null for any other text. */
export function parseAddress(text: string): URL | null {
  if (text.length > longest) return null
  const absolute = text.replace(withoutScheme, 'https://$1')
  const url = /^https?:\/\//i.test(absolute) ? URL.parse(absolute) : null
  return url !== null && url.username === '' && url.password === '' ? url : null
}

/** An address on the network; a sign-in page yields the page it leads to. Null for any other text. */
export function networkUrl(text: string): URL | null {
  const url = parseAddress(unwrapped(text))
  if (url === null || !networkHost.test(url.hostname)) return null
  const asked = signIn.test(url.pathname)
    ? (url.searchParams.get('sessionRedirect') ?? url.searchParams.get('session_redirect'))
    : null
  const inner = asked === null ? null : parseAddress(new URL(decodeFully(asked), url.origin).href)
  return inner !== null && networkHost.test(inner.hostname) ? inner : url
}

/** Path segments, split before decoding, without the prefixes in `siteVariantPrefixes`. */
export function pathParts(url: URL): string[] {
  const parts = url.pathname
    .split('/')
    .filter((part) => part !== '')
    .map((part) => decodeFully(part).trim())
  while (parts.length > 1 && siteVariantPrefixes.has(parts[0]!.toLowerCase())) parts.shift()
  return parts
}

const reasons: readonly (readonly [first: RegExp, why: string])[] = [
  [
    /^(?:sales|talent|recruiter|cap)$/,
    'is an address of Sales Navigator or Recruiter, which does not name the public profile or page: ' +
      'open the profile itself and use its address',
  ],
  [
    /^(?:pub|profile)$/,
    'is an old form of a profile address, which no longer says whose profile it is: open it and use the address it leads to',
  ],
  [
    /^(?:pulse|newsletters)$/,
    'is an article, which has no engagement of its own here: use the post that shares it, or its author',
  ],
  [/^(?:posts|feed|embed|video)$/, 'is the address of a post or a feed, not of a person or a company page'],
  [
    /^(?:groups|events|jobs|search|school-search|learning|products|services|showcase-pages|mynetwork|messaging|notifications)$/,
    'is not the address of a person or a company page',
  ],
]

/** Reads the address of a person or a company page; null when the text is not an address on the network. */
export function readNetworkAddress(text: string): NetworkAddress | null {
  const url = networkUrl(text)
  if (url === null) return null
  const [first = '', second = ''] = pathParts(url)
  const kind = first.toLowerCase()
  if (kind === 'in' && second.toLowerCase() === 'me')
    return {
      kind: 'other',
      why: 'is the profile of the person who is signed in: open your profile and use the address with your handle in it',
    }
  // Trailing punctuation comes from the text around the address: no handle ends in it.
  const handle = kind === 'in' ? second.replace(/[.,;:!?…)\]}>"»”’]{1,3}$/, '') : ''
  if (handle !== '') return { kind: 'person', name: handle }
  if (/^(?:company|school|showcase|company-beta)$/.test(kind) && second !== '') return { kind: 'company', name: second }
  const viewed = kind === 'profile' ? readMemberId(url.searchParams.get('id') ?? '') : null
  if (viewed !== null) return { kind: 'person', name: viewed }
  return {
    kind: 'other',
    why: reasons.find(([words]) => words.test(kind))?.[1] ?? 'is not the address of a person, a company page or a post',
  }
}
