/**
 * Protection against pages that reach this server through their visitor's browser. Keys never travel by themselves, so this is a
 * second wall: a page may call only the host it came from or from the visitor's own machine, and a service that was reached over
 * loopback answers to loopback names alone, unless a proxy in front of it passed the request on.
 */
import type { IncomingHttpHeaders } from 'node:http'

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])
const isLoopbackAddress = (address: string | undefined) =>
  address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address)

const hostName = (address: string): string | null => URL.parse(`http://${address}`)?.hostname ?? null

/** Why a request is not served, or null. */
export function checkOrigin(headers: IncomingHttpHeaders, localAddress: string | undefined): string | null {
  const host = headers.host === undefined ? null : hostName(headers.host)
  const proxied = ['forwarded', 'x-forwarded-for', 'x-forwarded-host'].some((name) => headers[name] !== undefined)
  if (isLoopbackAddress(localAddress) && !proxied && host !== null && !loopbackNames.has(host))
    return 'This address is not served under that Host: call it as localhost, or through a proxy that sets X-Forwarded-For'
  if (headers.origin === undefined) return null
  const origin = URL.parse(headers.origin)?.hostname
  if (origin !== undefined && (loopbackNames.has(origin) || origin === host)) return null
  return 'Pages of that Origin may not call the agent tools'
}
