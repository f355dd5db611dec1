import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../platform/refusal.ts'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

const reading = ['GET', 'HEAD', 'OPTIONS']

/** True for the public origin, or loopback names on one port; never by `Host`, as anyone can point a name at this service. */
function isOurs(origin: string, publicOrigin: string): boolean {
  if (origin === publicOrigin) return true
  const [theirs, ours] = [URL.parse(origin), URL.parse(publicOrigin)]
  if (theirs === null || ours === null || theirs.origin !== origin) return false
  return (
    loopbackNames.includes(ours.hostname) &&
    loopbackNames.includes(theirs.hostname) &&
    theirs.protocol === ours.protocol &&
    theirs.port === ours.port
  )
}

/**
 * For the dashboard: refuses `origin_refused` for another site's request. A change needs `Sec-Fetch-Site: same-origin` or our
 * `Origin`, and JSON, which a form cannot send; a read only must not come from another site.
 */
export function checkSite(method: string, headers: IncomingHttpHeaders, publicOrigin: string): void {
  const site = headers['sec-fetch-site']
  if (reading.includes(method)) {
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && headers['sec-fetch-mode'] !== 'navigate')
      throw new Refusal('origin_refused')
    return
  }
  const { origin } = headers
  // A program with its own bearer token, and no cookie that a page could have made it send.
  if (
    origin === undefined &&
    site === undefined &&
    headers.cookie === undefined &&
    /^Bearer +\S/i.test(headers.authorization ?? '')
  )
    return
  if (origin !== undefined ? !isOurs(origin, publicOrigin) : site !== 'same-origin') throw new Refusal('origin_refused')
  if (site !== undefined && site !== 'same-origin') throw new Refusal('origin_refused')
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && !/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw new Refusal('origin_refused', {}, 'Send the body as application/json')
}

const isLoopbackAddress = (address: string | undefined) =>
  address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address)

const hostName = (address: string): string | null => URL.parse(`http://${address}`)?.hostname ?? null

/**
 * For the agent tools: why a request is refused, or null. Browsers never add API keys, so this is a second defence: a page may
 * call its own host, or come from the visitor's machine; over loopback without a proxy, only loopback names are served.
 */
export function whyRefused(headers: IncomingHttpHeaders, localAddress: string | undefined): string | null {
  const host = headers.host === undefined ? null : hostName(headers.host)
  const proxied = ['forwarded', 'x-forwarded-for', 'x-forwarded-host'].some((name) => headers[name] !== undefined)
  if (isLoopbackAddress(localAddress) && !proxied && host !== null && !loopbackNames.includes(host))
    return 'This address is not served under that Host: call it as localhost, or through a proxy that sets X-Forwarded-For'
  if (headers.origin === undefined) return null
  const origin = URL.parse(headers.origin)?.hostname
  if (origin !== undefined && (loopbackNames.includes(origin) || origin === host)) return null
  return 'Pages of that Origin may not call the agent tools'
}
