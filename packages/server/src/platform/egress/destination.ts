import ipaddr from 'ipaddr.js'

/** Public by registry, but inside a cloud it is Azure's host endpoint, which serves machine credentials. */
const NEVER = new Set(['168.63.129.16'])

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** True only for the public internet. IPv6 that carries IPv4 (NAT64, 6to4, Teredo) is not; a mapped address is its IPv4. */
export function isPublicAddress(address: string): boolean {
  // A zone (`fe80::1%eth0`) only makes sense on a local link.
  if (address.includes('%') || !ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  if (ip.range() !== 'unicast' || NEVER.has(ip.toString())) return false
  // The library calls `::127.0.0.1` and unassigned space unicast; only 2000::/3 is handed out.
  return ip instanceof ipaddr.IPv6 ? ip.match(GLOBAL_IPV6) : true
}

/** The address that a URL host spells (`1.2.3.4`, `[::1]`), or null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(bare) ? bare : null
}

/** The ports that the Fetch standard blocks («port blocking»): servers of other protocols must not receive HTTP. */
const blocked = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** The empty port is the scheme's standard one. */
const isBlockedPort = (port: string): boolean => port !== '' && blocked.has(Number(port))

type DestinationCheck = { ok: true; url: URL } | { ok: false; reason: string }

const MAX_DESTINATION_LENGTH = 2_000

/** Names that only resolve inside a private network, or not on the public internet. */
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
 * Checks a customer's URL by its text only, without a look-up (spec L119, G54, G152); the guarded egress checks the connected
 * address again. `allowPrivate` (the operator's switch) also permits http, any port, loopback and names without a dot.
 */
export function checkDestination(
  url: string,
  rules: { schemes: readonly ('https' | 'http')[]; allowPrivate: boolean },
): DestinationCheck {
  if (url.length > MAX_DESTINATION_LENGTH)
    return refuse(`The address is longer than ${MAX_DESTINATION_LENGTH} characters.`)
  // The URL parser silently drops these characters, and what is checked must be what was written.
  if (/[\u0000-\u0020\u007f]/.test(url)) return refuse('The address contains spaces or control characters.')
  const parsed = URL.parse(url)
  if (parsed === null) return refuse('The address is not a valid URL.')

  const schemes: readonly string[] = rules.allowPrivate ? ['https', 'http'] : rules.schemes
  const scheme = parsed.protocol.slice(0, -1)
  if (!schemes.includes(scheme))
    return refuse(`The address must start with ${schemes.map((name) => `${name}://`).join(' or ')}.`)
  // The parser repairs `https:example.com`, which was not meant.
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
