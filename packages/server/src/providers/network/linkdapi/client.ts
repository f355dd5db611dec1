/** LinkdAPI's envelope (`success` decides, even in an HTTP 200), prices, account, and calls per minute. */
import { z } from 'zod'
import { passedMs } from '../../../platform/clock.ts'
import { answered, type VendorAccount } from '../../accounts.ts'
import type { CallOptions } from '../../ports.ts'
import { userAgent } from '../../calls.ts'
import { count, dollars, maybe, text } from '../normal/lenient.ts'
import { judgeRefusal } from '../refusals.ts'
import { type AdapterOptions, asRecord, type Body, createVendorClient, type VendorCall } from '../vendor-client.ts'

const maxInFlight = 5

/** The LinkdAPI client; `account` reads our own account and takes the whole path. */
export type LinkdClient = {
  callsAtOnce(): number
  data(call: VendorCall, options: CallOptions | undefined): Promise<Body>
  account(call: VendorCall, options: CallOptions | undefined): Promise<Body>
  malformed(operation: string, message: string): Error
}

/** Opens the client. */
export function createLinkdClient(options: AdapterOptions): LinkdClient {
  const rate = followRate(options)
  const client = createVendorClient(options, {
    provider: 'linkdapi',
    headers: { 'x-linkdapi-apikey': options.apiKey },
    limits: () => ({ maxInFlight: () => maxInFlight, perMinute: rate.perMinute() }),
    onRateLimited: rate.onRefused,
    judge: (answer, call) => {
      const record = asRecord(answer.json)
      const isSuccess = answer.status === 200 && record?.success === true
      if (isSuccess && asRecord(record.data) !== null) return { ok: true, body: record, cost: priceOf(call.path) }
      // The words of a success without data must not be judged as a refusal's.
      if (isSuccess) return { ok: false, kind: 'malformed', words: null, message: 'the answer has no data' }
      return { ok: false, ...judgeRefusal(answer, 'the answer is not a success') }
    },
  })
  async function dataOf(call: VendorCall, callOptions: CallOptions | undefined): Promise<Body> {
    const data = asRecord((await client.get(call, callOptions)).data)
    if (data === null) throw client.malformed(call.operation, 'the answer has no data')
    return data
  }
  return {
    callsAtOnce: () => maxInFlight,
    malformed: client.malformed,
    account: dataOf,
    data: (call, callOptions) => dataOf({ ...call, path: `/api/v1${call.path}` }, callOptions),
  }
}

const creditsPerDollar = 100

/** Calls that cost more than one credit, by the published price list; answers do not state their cost. */
const creditsByPath: Readonly<Record<string, number>> = {
  '/api/v1/companies/company/info': 2,
  '/api/v1/profile/overview': 2,
}

/** Dollars for a successful answer; refusals, including "not found", are taken to be free. */
export const priceOf = (path: string): number =>
  path.startsWith('/api/v1/') ? (creditsByPath[path] ?? 1) / creditsPerDollar : 0

const tierPath = '/api/i/v1/credits/tier/k/'
const tier = z.object({
  balance: dollars,
  credits_per_dollar: dollars,
  current_tier: maybe(z.object({ name: text, limit_per_minute: count })),
})

/** LinkdAPI's account: prepaid credits, and a rate per minute that depends on the credits left. */
export function linkdAccount(client: LinkdClient): VendorAccount {
  return {
    vendor: 'linkdapi',
    report: async (options) => {
      const read = tier.parse(await client.account({ operation: 'account', path: tierPath, query: {} }, options))
      const credits = read.balance
      return {
        plan: read.current_tier?.name ?? null,
        balance: credits === null ? null : credits / (read.credits_per_dollar || creditsPerDollar),
        credits,
        maxInFlight: null,
        perMinute: read.current_tier?.limit_per_minute ?? null,
      }
    },
    canary: (options) => {
      const path = '/companies/company/universal-name-to-id'
      return answered(client.data({ operation: 'canary', path, query: { universalName: 'linkedin' } }, options))
    },
  }
}

/** How long a limit is trusted after reading it (more credits raise it), and after a failed read. */
const believedMs = 10 * 60_000
const unreadMs = 60_000
/** A refusal within this time after a read says nothing new about the limit. */
const refusedMs = 60_000
/** The documented rate of an account with at least 100 credits. */
const documentedPerMinute = 30

/**
 * Follows the account's rate per minute, which depends on its credits. Reading it is free and happens concurrently with calls:
 * when the limit is unknown or old, and after a refusal. Until the first answer the documented rate applies; if the account
 * states no limit, we set none, and the vendor's 429 still applies.
 */
function followRate({ baseUrl, apiKey, egress, system }: AdapterOptions): {
  /** The current limit; starts a read when it is unknown or old, without waiting for it. */
  perMinute(): number | null
  /** Called after a 429: the assumed limit is wrong. */
  onRefused(): void
} {
  let known: { perMinute: number | null; readMs: number; validMs: number } | null = null
  let asking = false

  async function readLimit(): Promise<number | null> {
    const answer = await egress.request({
      method: 'GET',
      url: `${baseUrl.replace(/\/+$/, '')}${tierPath}`,
      headers: { 'x-linkdapi-apikey': apiKey, accept: 'application/json', 'user-agent': userAgent },
      timeoutMs: 5_000,
      maxBytes: 64_000,
    })
    const body = answer.status === 200 ? asRecord(JSON.parse(answer.body.toString('utf8'))) : null
    if (body === null) throw new Error('the account says nothing of its rate')
    return maybe(tier).parse(body.data)?.current_tier?.limit_per_minute || null
  }
  async function ask(): Promise<void> {
    if (asking) return
    asking = true
    const read = await readLimit().then(
      (perMinute) => ({ perMinute, validMs: believedMs }),
      () => ({ perMinute: known?.perMinute ?? documentedPerMinute, validMs: unreadMs }),
    )
    known = { ...read, readMs: system.nowMs() }
    asking = false
  }
  const isOlder = (ms: number) => known === null || passedMs(known.readMs, system.nowMs()) > ms
  return {
    perMinute: () => {
      if (known === null || passedMs(known.readMs, system.nowMs()) >= known.validMs) void ask()
      return known === null ? documentedPerMinute : known.perMinute
    },
    onRefused: () => {
      if (isOlder(refusedMs)) void ask()
    },
  }
}
