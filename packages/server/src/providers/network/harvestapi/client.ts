import { cleanTextOrNull } from '../../../platform/text.ts'
import type { CallOptions } from '../../ports.ts'
import { type AdapterOptions, asRecord, createVendorClient, type Dialect, malformed, type VendorCall, type VendorClient } from '../vendor-client.ts'
import { envelope, type Pagination } from './schemas.ts'

/** Calls in flight until an answer says what the account may. */
const FIRST_IN_FLIGHT = 5
const MOST_IN_FLIGHT = 100

/** The two kinds of HarvestAPI answers. */
export type HarvestClient = {
  element(call: VendorCall, options: CallOptions | undefined): Promise<Record<string, unknown>>
  elements(call: VendorCall, options: CallOptions | undefined): Promise<{ rows: readonly unknown[]; pagination: Pagination | null }>
  /** The failure of a payload that has not the promised shape. */
  malformed(operation: string, message: string): Error
}

/** Speaks HarvestAPI's envelope: an answer without its payload key is a failure, never an empty result (G121). */
export function createHarvestClient(options: AdapterOptions): HarvestClient {
  let maxInFlight = FIRST_IN_FLIGHT
  const dialect: Dialect = {
    provider: 'harvestapi',
    headers: { 'x-api-key': options.apiKey },
    limits: () => ({ maxInFlight, perMinute: null }),
    judge: (body) => {
      const record = asRecord(body)
      if (record === null) return { ok: false, status: null, message: 'the answer is not an object' }
      const read = envelope.parse(record)
      const concurrency = read.user?.requestsConcurrency
      if (concurrency) maxInFlight = Math.min(concurrency, MOST_IN_FLIGHT)
      if (asRecord(record.element) !== null || Array.isArray(record.elements)) return { ok: true, body: record, cost: read.cost }
      // Errors come inside HTTP 200 too: the status in the body, or in its error.
      const status = [asRecord(record.error)?.status, record.error, record.status].find((value): value is number => typeof value === 'number' && value >= 400 && value < 600) ?? null
      return { ok: false, status, message: cleanTextOrNull(record.message, 200) ?? cleanTextOrNull(record.error, 200) ?? cleanTextOrNull(asRecord(record.error)?.error, 200) ?? 'the answer has no payload' }
    },
  }
  const client: VendorClient = createVendorClient(options, dialect)
  const wrong = (operation: string, message: string) => malformed(client, operation, message)
  return {
    malformed: wrong,
    element: async (call, callOptions) => {
      const element = asRecord((await client.get(call, callOptions)).element)
      if (element === null) throw wrong(call.operation, 'the answer has no element')
      return element
    },
    elements: async (call, callOptions) => {
      const body = await client.get(call, callOptions)
      if (!Array.isArray(body.elements)) throw wrong(call.operation, 'the answer has no elements')
      return { rows: body.elements, pagination: envelope.parse(body).pagination }
    },
  }
}
