/** Requests that change something must come from our own pages: browsers say where a request was made, and strangers cannot make them lie. */
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../../platform/refusal.ts'

const reading = ['GET', 'HEAD', 'OPTIONS']

/** True when a request's `Origin` is the public one, or the very host it was sent to. */
function isOurs(origin: string, headers: IncomingHttpHeaders, publicOrigin: string): boolean {
  if (origin === publicOrigin) return true
  const parsed = URL.parse(origin)
  // Behind no proxy the host that was called is ours; behind one the public origin is set.
  return (
    parsed !== null &&
    parsed.origin === origin &&
    headers.host !== undefined &&
    parsed.host === headers.host.toLowerCase() &&
    URL.parse(publicOrigin)?.protocol === parsed.protocol
  )
}

/**
 * Refuses `origin_refused` for what another site sent. A change needs `Sec-Fetch-Site: same-origin` or an `Origin` of ours, and
 * a JSON body type, which a form cannot send; a read is refused when the browser says that another site asks.
 */
export function judgeSite(method: string, headers: IncomingHttpHeaders, publicOrigin: string): void {
  const site = headers['sec-fetch-site']
  if (reading.includes(method)) {
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && headers['sec-fetch-mode'] !== 'navigate')
      throw new Refusal('origin_refused')
    return
  }
  const { origin } = headers
  // A program that carries a token of its own, and no cookie that a page could have made it send.
  if (
    origin === undefined &&
    site === undefined &&
    headers.cookie === undefined &&
    /^Bearer +\S/i.test(headers.authorization ?? '')
  )
    return
  if (origin !== undefined ? !isOurs(origin, headers, publicOrigin) : site !== 'same-origin')
    throw new Refusal('origin_refused')
  if (site !== undefined && site !== 'same-origin') throw new Refusal('origin_refused')
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && !/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw new Refusal('origin_refused', {}, 'Send the body as application/json')
}
