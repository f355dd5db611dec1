/** LinkdAPI's envelope, in which `success` decides, also inside HTTP 200; its prices, its account, and the calls a minute this allows. */
import { z } from 'zod'
import { passedMs } from '../../../platform/clock.ts'
import { answered, type VendorAccount } from '../../accounts.ts'
import type { CallOptions } from '../../ports.ts'
import { count, dollars, maybe, text } from '../normal/lenient.ts'
import { judgeRefusal } from '../refusals.ts'
import { type AdapterOptions, asRecord, type Body, createVendorClient, type VendorCall } from '../vendor-client.ts'

const maxInFlight = 5

/** LinkdAPI's one kind of answer. */
export type LinkdClient = {
  /** How many calls the account takes at once. */
  callsAtOnce(): number
  data(call: VendorCall, options: CallOptions | undefined): Promise<Body>
  /** What the vendor says of our own account, by the whole path. */
  account(call: VendorCall, options: CallOptions | undefined): Promise<Body>
  /** The failure of a payload that does not have the promised shape. */
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
      // A success without its data says nothing that could be judged by its words.
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

/** Credits that a dollar buys, unless the account says otherwise. */
const creditsPerDollar = 100

/** Calls that cost more than one credit, by the published table: answers do not say what they cost. */
const dearCalls: Readonly<Record<string, number>> = {
  '/api/v1/companies/company/info': 2,
  '/api/v1/profile/overview': 2,
}

/** Dollars that an answer of a call costs; refusals, also that there is no such thing, are taken for free. */
export const priceOf = (path: string): number =>
  path.startsWith('/api/v1/') ? (dearCalls[path] ?? 1) / creditsPerDollar : 0

const tierPath = '/api/i/v1/credits/tier/k/'
const tier = z.object({
  balance: dollars,
  credits_per_dollar: dollars,
  current_tier: maybe(z.object({ name: text, limit_per_minute: count })),
})

/** The account as LinkdAPI shows it: credits bought ahead, and calls a minute by how many are left. */
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

/** A limit once read is believed for this long; more credits raise it. One that could not be read is asked for sooner. */
const believedMs = 10 * 60_000
const unreadMs = 60_000
/** Refusals this soon after the limit was read say nothing new of it. */
const refusedMs = 60_000
/** The documented rate of an account with at least 100 credits. */
const documentedPerMinute = 30

/**
 * The account's calls per minute, which depend on its credits: asked for, for free, concurrently with the first call, and again after a
 * refusal. Until it is known the documented rate holds; an account that says nothing of a limit has none of ours, and the vendor's 429
 * still rules.
 */
function followRate({ baseUrl, apiKey, egress, system }: AdapterOptions): {
  /** The present limit; asks the account when nothing is known, without waiting for it. */
  perMinute(): number | null
  /** A call was refused: what was believed is wrong. */
  onRefused(): void
} {
  let known: { perMinute: number | null; readMs: number; validMs: number } | null = null
  let asking = false

  async function readLimit(): Promise<number | null> {
    const answer = await egress.request({
      method: 'GET',
      url: `${baseUrl.replace(/\/+$/, '')}${tierPath}`,
      headers: {
        'x-linkdapi-apikey': apiKey,
        accept: 'application/json',
        'user-agent': 'lead-engagement-service/1.0',
      },
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
