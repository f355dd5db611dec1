import { isPublicAddress, literalAddress } from './addresses.ts'
import { isBlockedPort } from './blocked-ports.ts'

/** Whether an address may be saved as a destination, with a sentence for its owner when it may not. */
export type DestinationCheck = { ok: true; url: URL } | { ok: false; reason: string }

/** Longest destination accepted, in characters. */
export const MAX_DESTINATION_LENGTH = 2_000

/** Names that only mean something inside a network, or that no resolver of the public internet answers. */
const INSIDE_SUFFIXES = [
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'onion',
]

const refuse = (reason: string): DestinationCheck => ({ ok: false, reason })

/**
 * Judges a customer-given address by its spelling alone (spec L119, G54, G152): pure, no look-up.
 *
 * `allowPrivate` (the operator's switch) also permits http, any port, loopback and names without a dot. The address really
 * connected to is judged again by the guarded egress.
 */
export function checkDestination(
  url: string,
  rules: { schemes: readonly ('https' | 'http')[]; allowPrivate: boolean },
): DestinationCheck {
  if (url.length > MAX_DESTINATION_LENGTH)
    return refuse(`The address is longer than ${MAX_DESTINATION_LENGTH} characters.`)
  // The URL parser silently drops tabs and line breaks and trims; what was checked must be what was written.
  if (/[\u0000-\u0020\u007f]/.test(url)) return refuse('The address contains spaces or control characters.')
  const parsed = URL.parse(url)
  if (parsed === null) return refuse('The address is not a valid URL.')

  const schemes: readonly string[] = rules.allowPrivate ? ['https', 'http'] : rules.schemes
  const scheme = parsed.protocol.slice(0, -1)
  if (!schemes.includes(scheme))
    return refuse(`The address must start with ${schemes.map((name) => `${name}://`).join(' or ')}.`)
  // `https:example.com` is repaired by the parser; refuse what was not meant.
  if (!/^[a-z]+:\/\//i.test(url)) return refuse('The address is not a valid URL.')
  if (parsed.username !== '' || parsed.password !== '')
    return refuse('The address must not contain a user name or password.')
  if (parsed.hostname === '') return refuse('The address names no host.')
  if (rules.allowPrivate) return { ok: true, url: parsed }

  if (isBlockedPort(parsed.port))
    return refuse(`The address must not use port ${parsed.port}: it belongs to another protocol.`)
  const reason = refuseHost(parsed.hostname)
  return reason === null ? { ok: true, url: parsed } : refuse(reason)
}

/** Why a URL's host may not be a public destination; null when its spelling is fine. */
function refuseHost(hostname: string): string | null {
  const literal = literalAddress(hostname)
  if (literal !== null) return isPublicAddress(literal) ? null : 'The address points to a private or reserved network.'
  if (hostname.endsWith('.')) return 'The host name must not end with a dot.'
  const name = hostname.toLowerCase()
  if (INSIDE_SUFFIXES.some((suffix) => name === suffix || name.endsWith(`.${suffix}`)))
    return 'The host name belongs to a private network.'
  if (!name.includes('.')) return 'The host must be a full name with a dot, such as example.com.'
  if (name.length > 253 || name.split('.').some((label) => label === '' || label.length > 63))
    return 'The host name is not valid.'
  return null
}
