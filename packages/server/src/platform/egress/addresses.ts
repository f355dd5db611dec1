import ipaddr from 'ipaddr.js'

/** Public by registry, yet answered inside a cloud: Azure's host endpoint, which serves machine credentials. */
const NEVER = new Set(['168.63.129.16'])

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/**
 * True only for an address of the public internet.
 *
 * An allow-list: anything with a special meaning, any IPv6 form that carries an IPv4 address (mapped, compatible, NAT64,
 * 6to4, Teredo) unless it is plainly a mapped public one, and anything unreadable is not public.
 */
export function isPublicAddress(address: string): boolean {
  // A zone (`fe80::1%eth0`) only makes sense on a local link.
  if (address.includes('%') || !ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  if (ip.range() !== 'unicast' || NEVER.has(ip.toString())) return false
  // The library calls `::127.0.0.1` and unassigned space unicast; only 2000::/3 is handed out.
  return ip instanceof ipaddr.IPv6 ? ip.match(GLOBAL_IPV6) : true
}

/** The address a URL host spells literally (`1.2.3.4`, `[::1]`), or null for a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(bare) ? bare : null
}
