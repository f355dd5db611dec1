/**
 * Requests that change something must come from our own pages: browsers say where a request was made, and strangers
 * cannot make them lie.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '../../platform/refusal.ts'

const reading = ['GET', 'HEAD', 'OPTIONS']

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

/**
 * True when a request's `Origin` is the public one; on a developer's machine also under its other names. Never merely the host
 * that was called: a name that somebody else points at this service is theirs.
 */
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
 * Refuses `origin_refused` for what another site sent. A change needs `Sec-Fetch-Site: same-origin` or an `Origin` of ours, and
 * a JSON body type, which a form cannot send; a read is refused when the browser says that another site asks.
 */
export function checkSite(method: string, headers: IncomingHttpHeaders, publicOrigin: string): void {
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
  if (origin !== undefined ? !isOurs(origin, publicOrigin) : site !== 'same-origin') throw new Refusal('origin_refused')
  if (site !== undefined && site !== 'same-origin') throw new Refusal('origin_refused')
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && !/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw new Refusal('origin_refused', {}, 'Send the body as application/json')
}
