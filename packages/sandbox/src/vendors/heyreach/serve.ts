import type { IncomingMessage } from 'node:http'
import type { Exchange } from '../exchange.ts'
import { playCall } from '../serve.ts'
import type { Reply, Vendor } from '../vendor.ts'
import { OPERATIONS, Refused } from './operations.ts'

/** Where the public API of HeyReach lies; the base address of the vendor includes it. */
export const HEYREACH_BASE = '/heyreach/api/public'

const MAX_BODY = 16 * 1024 * 1024

const refusal = (status: number, errorMessage: string): Reply => ({ status, body: { errorMessage } })

async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) return undefined
    chunks.push(chunk)
  }
  try {
    const value: unknown = size === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Plain values of the body, so that faults and holds can be told to match a campaign or an offset. */
const matchable = (body: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
      .map(([name, value]) => [name, String(value)]),
  )

/** HeyReach on the wire, for one call: header `X-API-KEY` names the workspace, errors are `{errorMessage}`. */
const vendorFor = (answer: () => unknown): Vendor => ({
  name: 'heyreach',
  prefix: '/heyreach',
  limitsInFlight: false,
  operationAt: () => undefined,
  keyOf: () => '',
  refuse: () => undefined,
  answer() {
    try {
      const result = answer()
      return typeof result === 'string' ? { status: 200, body: null, text: result } : { status: 200, body: result }
    } catch (error) {
      if (error instanceof Refused) return refusal(error.status, error.message)
      throw error
    }
  },
  failure: (status, message) => refusal(status, message),
  failureIn200: () => ({ status: 200, body: { errorMessage: 'The request failed' } }),
  notFound: () => refusal(404, 'Not found'),
})

/** Answers one call to the outreach platform: log, key, holds, faults, answer. */
export async function serveHeyreach(exchange: Exchange): Promise<void> {
  const { inside, request, path, query } = exchange
  const operation = path.startsWith(HEYREACH_BASE)
    ? OPERATIONS[`${request.method} ${path.slice(HEYREACH_BASE.length)}`]
    : undefined
  const body = await readBody(request)
  const key = String(request.headers['x-api-key'] ?? '')
  const refuse = (): Reply | undefined => {
    if (!operation) return { status: 404, body: null, text: '' }
    // It shows what it was given: whoever passes its words on passes the key on.
    if (inside.outreach.isRejected(key)) return refusal(401, `Invalid API key: ${key}`)
    return body
      ? undefined
      : {
          status: 400,
          body: {
            title: 'One or more validation errors occurred.',
            errors: { body: ['The JSON value could not be converted.'] },
          },
        }
  }
  const vendor = vendorFor(() =>
    operation?.answer({ campaigns: inside.outreach.workspace(key), body: body ?? {}, query, now: inside.clock.now() }),
  )
  await playCall(vendor, exchange, {
    operation: operation?.name ?? path,
    query: { ...query, ...matchable(body ?? {}) },
    refusal: refuse(),
  })
}
