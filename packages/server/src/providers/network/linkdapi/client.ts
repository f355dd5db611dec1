import type { CallOptions } from '../../ports.ts'
import { judgeRefusal } from '../refusals.ts'
import {
  type AdapterOptions,
  asRecord,
  createVendorClient,
  type Dialect,
  malformed,
  type VendorCall,
  type VendorClient,
} from '../vendor-client.ts'
import { priceOf } from './prices.ts'
import { createTier } from './tier.ts'

const MOST_IN_FLIGHT = 5

/** LinkdAPI's one kind of answer. */
export type LinkdClient = {
  /** How many calls the account takes at once. */
  callsAtOnce(): number
  data(call: VendorCall, options: CallOptions | undefined): Promise<Record<string, unknown>>
  /** What the vendor says of our own account, by the whole path. */
  account(call: VendorCall, options: CallOptions | undefined): Promise<Record<string, unknown>>
  /** The failure of a payload that has not the promised shape. */
  malformed(operation: string, message: string): Error
}

/** Speaks LinkdAPI's envelope: `success` decides, also inside HTTP 200. */
export function createLinkdClient(options: AdapterOptions): LinkdClient {
  const tier = createTier(options)
  const dialect: Dialect = {
    provider: 'linkdapi',
    headers: { 'x-linkdapi-apikey': options.apiKey },
    limits: () => ({ maxInFlight: () => MOST_IN_FLIGHT, perMinute: tier.perMinute() }),
    onRateLimited: () => tier.learn(),
    judge: (answer, call) => {
      const record = asRecord(answer.json)
      if (answer.status === 200 && record?.success === true && asRecord(record.data) !== null)
        return { ok: true, body: record, cost: priceOf(call.path) }
      // A success without its data says nothing that could be judged by its words.
      if (answer.status === 200 && record?.success === true)
        return { ok: false, kind: 'malformed', words: null, message: 'the answer has no data' }
      return { ok: false, ...judgeRefusal(answer, 'the answer is not a success') }
    },
  }
  const client: VendorClient = createVendorClient(options, dialect)
  const wrong = (operation: string, message: string) => malformed(client, operation, message)
  const dataOf = async (call: VendorCall, callOptions: CallOptions | undefined) => {
    const data = asRecord((await client.get(call, callOptions)).data)
    if (data === null) throw wrong(call.operation, 'the answer has no data')
    return data
  }
  return {
    callsAtOnce: () => MOST_IN_FLIGHT,
    malformed: wrong,
    account: (call, callOptions) => dataOf(call, callOptions),
    data: (call, callOptions) => dataOf({ ...call, path: `/api/v1${call.path}` }, callOptions),
  }
}
