import { lookup as systemLookup, Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { SystemClock } from '../clock.ts'
import { checkDestination, isPublicAddress, literalAddress } from './destination.ts'
import { asFailure, egressBy, skippingInformational } from './exchange.ts'
import { EgressFailure, type Egress, type Lookup, type ResolvedAddress } from './types.ts'

type GuardedEgressOptions = {
  /** The operator's switch: allows http, any port, loopback and private networks. */
  allowPrivate: boolean
  system: SystemClock
  lookup?: Lookup
  /** Handshake included; 15 s by default. */
  connectTimeoutMs?: number
  ca?: string
}

const MAX_RESPONSE_HEADER_BYTES = 16 * 1024
/** How long an idle connection is kept for reuse, and the longest life of any connection. */
const IDLE_MS = 3_000
const LONGEST_MS = 60_000
const CONNECT_MS = 15_000

/**
 * HTTP to customers' URLs (webhooks), only over connections to checked addresses.
 *
 * Each new connection resolves its host, requires all addresses to be public, uses only those, and checks the address it reached;
 * a literal address, which is never resolved, is checked too. A connection stays with its origin and is kept for some seconds, so
 * that many deliveries share one handshake. A failed exchange ends its connection.
 */
export function openGuardedEgress(options: GuardedEgressOptions): Egress {
  const closing = new AbortController()
  const agent = new Agent({
    connect: skippingInformational(checkedConnector(options, closing.signal)),
    connections: null,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    clientTtl: LONGEST_MS,
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    allowH2: false,
  })
  const egress = egressBy(agent, options.system, (address) => {
    const check = checkDestination(address, { schemes: ['https', 'http'], allowPrivate: options.allowPrivate })
    if (check.ok) return check.url
    throw new EgressFailure('refused_address', check.reason)
  })
  return {
    request: egress.request,
    close: () => {
      closing.abort()
      return egress.close()
    },
  }
}

/** One forbidden address refuses the host, since it may be the one chosen next time. */
async function resolveChecked(
  hostname: string,
  allowPrivate: boolean,
  lookup: Lookup,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  const literal = literalAddress(hostname)
  const addresses: readonly ResolvedAddress[] =
    literal === null
      ? await lookup(hostname, signal).catch((error: unknown) => Promise.reject(asFailure(error)))
      : [{ address: literal, family: literal.includes(':') ? 6 : 4 }]
  if (addresses.length === 0) throw new EgressFailure('connection', 'The host name does not resolve.')
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) throw refusedAddress()
  return addresses
}

const refusedAddress = () =>
  new EgressFailure('refused_address', 'The address points to a private or reserved network.')

/** Resolves and checks the host of every connection, connects only to those addresses, and checks the reached one. */
function checkedConnector(options: GuardedEgressOptions, closing: AbortSignal): buildConnector.connector {
  const lookup = options.lookup ?? (options.allowPrivate ? lookupBySystem : lookupByDns)
  return (target, callback) => {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(options.connectTimeoutMs ?? CONNECT_MS)])
    resolveChecked(target.hostname.replace(/^\[|\]$/g, ''), options.allowPrivate, lookup, signal)
      .then((addresses) => connectTo(addresses, options)(target, callback))
      .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null))
  }
}

function connectTo(addresses: readonly ResolvedAddress[], options: GuardedEgressOptions): buildConnector.connector {
  const [first] = addresses
  const answer: LookupFunction = (_hostname, { all }, callback) => {
    if (all === true) callback(null, [...addresses])
    else callback(null, first!.address, first!.family)
  }
  const connect = buildConnector({
    timeout: options.connectTimeoutMs ?? CONNECT_MS,
    lookup: answer,
    maxCachedSessions: 0,
    allowH2: false,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  })
  return (target, callback) => {
    connect(target, (...outcome: buildConnector.CallbackArgs) => {
      const [error, connected] = outcome
      if (error === null && connected && !options.allowPrivate && !isPublicAddress(connected.remoteAddress ?? '')) {
        connected.destroy()
        callback(refusedAddress(), null)
        return
      }
      callback(...outcome)
    })
  }
}

/** The system's resolver, with its hosts file: only where private destinations are allowed. */
const lookupBySystem: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }))

/** Asks DNS directly: hosts files name private hosts, and slow zones would block the system's few look-up threads. */
const lookupByDns: Lookup = async (hostname, signal) => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses: ResolvedAddress[] = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 as const })) : []),
  ]
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason
  return addresses
}
