/** HarvestAPI's envelope and account. An answer without its payload key is a failure, never an empty result (G121). */
import { z } from 'zod'
import { sha256 } from '../../../platform/secrets.ts'
import { answered, type VendorAccount } from '../../accounts.ts'
import type { CallOptions } from '../../ports.ts'
import { wordsIn } from '../../vendor-message.ts'
import { count, dollars, listOf, maybe, text } from '../normal/lenient.ts'
import { judgeRefusal, statusIn } from '../refusals.ts'
import { type AdapterOptions, asRecord, type Body, createVendorClient, type VendorCall } from '../vendor-client.ts'
import { envelope, type Pagination } from './schemas.ts'

/** Concurrency until an answer states the account's limit; a free account allows one call. */
const firstInFlight = 1
const maxInFlight = 100

/** The HarvestAPI client, by kind of answer; `account` reads our own account. */
export type HarvestClient = {
  /** Concurrent calls the account allows, as its last answer says; one before the first answer. */
  callsAtOnce(): number
  element(call: VendorCall, options: CallOptions | undefined): Promise<Body>
  elements(
    call: VendorCall,
    options: CallOptions | undefined,
  ): Promise<{ rows: readonly unknown[]; pagination: Pagination | null }>
  account(call: VendorCall, options: CallOptions | undefined): Promise<Body>
  malformed(operation: string, message: string): Error
}

/** Opens the client. */
export function createHarvestClient(options: AdapterOptions): HarvestClient {
  // Named by its key, because another account's limit says nothing about this one.
  const account = `harvestapi:${sha256(options.apiKey).toString('hex').slice(0, 24)}`
  let allowed: number | undefined
  function noteLimit(concurrency: number): void {
    const inFlight = Math.min(concurrency, maxInFlight)
    if (inFlight === allowed) return
    allowed = inFlight
    // Ignore a failed write: the next answer states the limit again.
    options.budget.saveConcurrencyLimit(account, inFlight).catch(() => {})
  }
  const callsAtOnce = () => allowed ?? firstInFlight
  const client = createVendorClient(options, {
    provider: 'harvestapi',
    headers: { 'x-api-key': options.apiKey },
    limits: async () => {
      allowed ??= (await options.budget.findConcurrencyLimit(account)) ?? undefined
      return { maxInFlight: callsAtOnce, perMinute: null }
    },
    judge: (answer, call) => {
      const record = asRecord(answer.json)
      const read = envelope.parse(record ?? {})
      const concurrency = read.user?.requestsConcurrency
      if (concurrency) noteLimit(concurrency)
      if (answer.status === 200 && record !== null && isUsable(record, call))
        return { ok: true, body: record, cost: read.cost }
      const empty = record !== null && saysEmpty(answer.status, record)
      if (empty && call.list) return { ok: true, body: { ...record, elements: [], pagination: null }, cost: read.cost }
      const refused = judgeRefusal(answer)
      // For a single item, "no data" does not say whether it exists, and asking again changes nothing.
      return { ok: false, ...refused, kind: empty ? 'malformed' : refused.kind }
    },
  })
  return {
    callsAtOnce,
    malformed: client.malformed,
    account: (call, callOptions) => client.get({ ...call, about: 'account' }, callOptions),
    element: async (call, callOptions) => {
      const element = asRecord((await client.get(call, callOptions)).element)
      if (element === null) throw client.malformed(call.operation, 'the answer has no element')
      return element
    },
    elements: async (call, callOptions) => {
      const body = await client.get({ ...call, list: true }, callOptions)
      if (!Array.isArray(body.elements)) throw client.malformed(call.operation, 'the answer has no elements')
      return { rows: body.elements, pagination: envelope.parse(body).pagination }
    },
  }
}

function isUsable(record: Body, { about }: VendorCall): boolean {
  if (about === 'account') return asRecord(record.user) !== null
  if (!Array.isArray(record.elements)) return asRecord(record.element) !== null
  // An error next to an empty list is the reason why it is empty.
  return record.elements.length > 0 || (wordsIn(record.error) === null && statusIn(record.error) === null)
}

/** The vendor's wording for an empty list, seen with each of these statuses. */
function saysEmpty(status: number, { error, message }: Body): boolean {
  return (
    [200, 400, 500].includes(status) &&
    [error, message].some((part) => /^\s*no included data\b/i.test(wordsIn(part) ?? ''))
  )
}

const account = z.object({
  user: maybe(
    z.object({
      planName: text,
      membershipTier: text,
      requestsConcurrency: count,
      totalBalance: dollars,
      activePackages: listOf(z.object({ amountRemaining: dollars })),
    }),
  ),
  usage: maybe(z.object({ balance: dollars })),
})

/** HarvestAPI's account: prepaid dollar packages, and a concurrency limit by plan. */
export function harvestAccount(client: HarvestClient): VendorAccount {
  return {
    vendor: 'harvestapi',
    report: async (options) => {
      const operation = 'account'
      const { user, usage } = account.parse(
        await client.account({ operation, path: '/users/my-api-user', query: {} }, options),
      )
      if (user === null) throw client.malformed(operation, 'the answer has no user')
      const packages = user.activePackages.flatMap((each) => each.amountRemaining ?? [])
      const sum = packages.reduce((total, amount) => total + amount, 0)
      return {
        plan: user.planName ?? user.membershipTier,
        balance: user.totalBalance ?? usage?.balance ?? (packages.length > 0 ? sum : null),
        credits: null,
        maxInFlight: user.requestsConcurrency,
        perMinute: null,
      }
    },
    // This page always exists, and even "not found" would be an answer.
    canary: (options) => {
      const call = { operation: 'canary', path: '/linkedin/company', query: { universalName: 'linkedin' } }
      return answered(client.element(call, options))
    },
  }
}
