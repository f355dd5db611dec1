/** The network around the service: its public address, the proxies before it, the programs it sends people back to. */
import ipaddr from 'ipaddr.js'
import { text, url, type Reading } from './reading.ts'

/** What a browser would open or run itself, and what leads to a server: no scheme of a desktop program. */
const schemesOfOthers = /^(?:https?|wss?|ftps?|file|mailto|javascript|data|vbscript|blob|about|view-source|intent)$/

/** Schemes of desktop programs, separated by commas; `none` for none. */
export function redirectSchemes(reading: Reading): readonly string[] | undefined {
  const value = text(reading, 'LES_REDIRECT_SCHEMES')
  if (value === undefined) return undefined
  if (value === 'none') return []
  const named = value.split(',').map((each) => each.trim())
  const wrong = named.filter((each) => !/^[a-z][a-z0-9+.-]{1,49}$/.test(each) || schemesOfOthers.test(each))
  if (wrong.length > 0)
    reading.mistakes.push(
      'LES_REDIRECT_SCHEMES must be none, or name schemes of desktop programs such as cursor, ' +
        `in small letters and without ://, not ${wrong.map((each) => JSON.stringify(each)).join(', ')}`,
    )
  return named
}

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Where people reach the service: an origin, encrypted unless it is this machine, since browsers keep the session cookie to such alone. */
export function publicUrl(reading: Reading): string | null {
  const value = url(reading, 'LES_PUBLIC_URL', ['https:', 'http:'])
  if (value === undefined) return null
  const parsed = new URL(value)
  if (parsed.pathname !== '/' || `${parsed.search}${parsed.hash}${parsed.username}${parsed.password}` !== '')
    reading.mistakes.push('LES_PUBLIC_URL must be an address without a path, such as https://leads.example.com')
  if (parsed.protocol === 'http:' && !loopback.test(parsed.hostname))
    reading.mistakes.push(
      'LES_PUBLIC_URL must begin with https:// unless it is this machine: browsers keep the session cookie to encrypted addresses',
    )
  return parsed.origin
}

/** Addresses and ranges such as `10.0.0.0/8`, separated by commas. */
export function trustedProxies(reading: Reading): string[] {
  const named = (text(reading, 'LES_TRUSTED_PROXIES') ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const wrong = named.filter(
    (each) =>
      !(
        (ipaddr.IPv4.isValidFourPartDecimal(each.split('/')[0]!) || ipaddr.IPv6.isValid(each.split('/')[0]!)) &&
        (!each.includes('/') || ipaddr.isValidCIDR(each))
      ),
  )
  if (wrong.length > 0)
    reading.mistakes.push(
      `LES_TRUSTED_PROXIES must name addresses or ranges such as 10.0.0.0/8, not ${wrong.map((each) => JSON.stringify(each)).join(', ')}`,
    )
  return named
}
