import { cleanTextOrNull } from '../../../platform/text.ts'
import type { CallOptions } from '../../ports.ts'
import { type AdapterOptions, asRecord, createVendorClient, type Dialect, malformed, type Refused, type VendorCall, type VendorClient } from '../vendor-client.ts'
import { createTier } from './tier.ts'

const MOST_IN_FLIGHT = 5

/** LinkdAPI's one kind of answer. */
export type LinkdClient = {
  data(call: VendorCall, options: CallOptions | undefined): Promise<Record<string, unknown>>
  /** The failure of a payload that has not the promised shape. */
  malformed(operation: string, message: string): Error
}

/** Speaks LinkdAPI's envelope: `success` decides, also inside HTTP 200. */
export function createLinkdClient(options: AdapterOptions): LinkdClient {
  const tier = createTier(options)
  const dialect: Dialect = {
    provider: 'linkdapi',
    headers: { 'x-linkdapi-apikey': options.apiKey },
    limits: () => ({ maxInFlight: MOST_IN_FLIGHT, perMinute: tier.perMinute() }),
    onRateLimited: () => tier.learn(),
    judge: (body) => {
      const record = asRecord(body)
      if (record === null) return { ok: false, status: null, message: 'the answer is not an object' }
      if (record.success !== true) return refusal(record)
      if (asRecord(record.data) === null) return { ok: false, status: null, message: 'the answer has no data' }
      return { ok: true, body: record, cost: null }
    },
  }
  const client: VendorClient = createVendorClient(options, dialect)
  const wrong = (operation: string, message: string) => malformed(client, operation, message)
  return {
    malformed: wrong,
    data: async (call, callOptions) => {
      const data = asRecord((await client.get({ ...call, path: `/api/v1${call.path}` }, callOptions)).data)
      if (data === null) throw wrong(call.operation, 'the answer has no data')
      return data
    },
  }
}

/** An in-band refusal: by its own status code, else by what it says. */
function refusal(record: Record<string, unknown>): { ok: false } & Refused {
  const message = cleanTextOrNull(record.message, 200) ?? 'the answer is not a success'
  const status = typeof record.statusCode === 'number' && record.statusCode >= 400 ? record.statusCode : null
  const said = `${message} ${typeof record.errors === 'string' ? record.errors.slice(0, 500) : ''}`
  if (status === 404 || /not[ _-]?found|does(?: not|n't) exist|no such/i.test(said)) return { ok: false, status: 404, message }
  if (status === null || status === 400) {
    if (/rate[ _-]?limit|too many/i.test(said)) return { ok: false, status: 429, message }
    if (/credit|quota|balance|api[ _-]?key|unauthori[sz]ed/i.test(said)) return { ok: false, status, message, kind: 'account' }
  }
  return { ok: false, status, message }
}
