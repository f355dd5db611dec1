import { lookup as systemLookup, Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { SystemClock } from '../clock.ts'
import { isPublicAddress, literalAddress } from './destination.ts'
import { checkDestination } from './destination.ts'
import { asFailure, openExchanges } from './exchange.ts'
import { passingOverInterim } from './exchange.ts'
import { EgressFailure, type Egress, type Lookup, type ResolvedAddress } from './types.ts'

/** How customer-given destinations are reached. */
type GuardedEgressOptions = {
  /** The operator's switch: http, any port, loopback and private networks are allowed. */
  allowPrivate: boolean
  system: SystemClock
  /** Replaces name resolution in tests. */
  lookup?: Lookup
  /** For making a connection, handshake included; 15 s by default. */
  connectTimeoutMs?: number
  /** Extra certificate authorities (PEM) to trust, for tests and private installations. */
  ca?: string
}

const MAX_RESPONSE_HEADER_BYTES = 16 * 1024
/** A connection that has nothing to do is kept so long for the next exchange with its origin, and none is used for longer than a minute. */
const IDLE_MS = 3_000
const LONGEST_MS = 60_000
const CONNECT_MS = 15_000

/**
 * The way out to customer-given addresses (webhooks): every connection goes to an address that was checked for it.
 *
 * When a connection is made its host name is resolved, every answer must be public, and the connection may only use those answers;
 * a literal host never passes a resolver, so it is judged by itself; what was reached is judged again. A connection stays with the
 * origin and the address it was made for, and is kept for a few seconds: many deliveries to one receiver need not greet it each
 * time. An exchange that does not end well ends its connection.
 */
export function openGuardedEgress(options: GuardedEgressOptions): Egress {
  const closing = new AbortController()
  const agent = new Agent({
    connect: passingOverInterim(checkedConnector(options, closing.signal)),
    connections: null,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    clientTtl: LONGEST_MS,
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
    allowH2: false,
  })
  const exchanges = openExchanges(agent)
  return {
    request: async (request) => {
      const startedMs = options.system.nowMs()
      const check = checkDestination(request.url, { schemes: ['https', 'http'], allowPrivate: options.allowPrivate })
      if (!check.ok) throw new EgressFailure('refused_address', check.reason)
      const answer = await exchanges.run(request, check.url)
      return { ...answer, elapsedMs: options.system.nowMs() - startedMs }
    },
    close: async () => {
      closing.abort()
      exchanges.giveUp()
      await agent.destroy()
    },
  }
}

/** All addresses of a host, each of them allowed; one that is not refuses the host, since it may be the one chosen next time. */
async function resolveChecked({
  hostname,
  allowPrivate,
  lookup,
  signal,
}: {
  hostname: string
  allowPrivate: boolean
  lookup: Lookup
  signal: AbortSignal
}): Promise<readonly ResolvedAddress[]> {
  const literal = literalAddress(hostname)
  const addresses: readonly ResolvedAddress[] =
    literal === null
      ? await resolve(lookup, hostname, signal)
      : [{ address: literal, family: literal.includes(':') ? 6 : 4 }]
  if (addresses.length === 0) throw new EgressFailure('connection', 'The host name does not resolve.')
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) throw refusedAddress()
  return addresses
}

async function resolve(lookup: Lookup, hostname: string, signal: AbortSignal): Promise<readonly ResolvedAddress[]> {
  try {
    return await lookup(hostname, signal)
  } catch (error) {
    throw asFailure(error)
  }
}

const refusedAddress = () =>
  new EgressFailure('refused_address', 'The address points to a private or reserved network.')

/**
 * A connector that resolves and judges the host of every connection, goes only to what it found, and looks at where the
 * socket really ended.
 */
function checkedConnector(options: GuardedEgressOptions, closing: AbortSignal): buildConnector.connector {
  const lookup = options.lookup ?? (options.allowPrivate ? lookupBySystem : lookupByDns)
  return (target, callback) => {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(options.connectTimeoutMs ?? CONNECT_MS)])
    resolveChecked({
      hostname: target.hostname.replace(/^\[|\]$/g, ''),
      allowPrivate: options.allowPrivate,
      lookup,
      signal,
    })
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
      const reached = connected?.remoteAddress
      if (
        error === null &&
        connected !== null &&
        !options.allowPrivate &&
        (reached === undefined || !isPublicAddress(reached))
      ) {
        connected.destroy()
        callback(refusedAddress(), null)
        return
      }
      callback(...outcome)
    })
  }
}

/** The machine's own resolver with its hosts file: only where private destinations are allowed. */
const lookupBySystem: Lookup = async (hostname) =>
  (await systemLookup(hostname, { all: true })).map(({ address, family }) => ({
    address,
    family: family === 6 ? 6 : 4,
  }))

/**
 * Asks DNS directly: the hosts file names private things, and the system call would let a slow zone occupy the few threads
 * that file access shares.
 */
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
