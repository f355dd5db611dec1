import { sha256 } from '../../../platform/secrets.ts'
import type { CallOptions } from '../../ports.ts'
import { wordsIn } from '../../vendor-message.ts'
import { judgeRefusal, statusIn } from '../refusals.ts'
import {
  type AdapterOptions,
  asRecord,
  createVendorClient,
  type Dialect,
  malformed,
  type VendorCall,
  type VendorClient,
} from '../vendor-client.ts'
import { envelope, type Pagination } from './schemas.ts'

/** Calls in flight until an answer says what the account may: a free account takes one. */
const FIRST_IN_FLIGHT = 1
const MOST_IN_FLIGHT = 100

/** The two kinds of HarvestAPI answers. */
export type HarvestClient = {
  /** How many calls the account takes at once, as its answers have said; one before the first. */
  callsAtOnce(): number
  element(call: VendorCall, options: CallOptions | undefined): Promise<Record<string, unknown>>
  elements(
    call: VendorCall,
    options: CallOptions | undefined,
  ): Promise<{ rows: readonly unknown[]; pagination: Pagination | null }>
  /** What the vendor says of our own account. */
  account(call: VendorCall, options: CallOptions | undefined): Promise<Record<string, unknown>>
  /** The failure of a payload that has not the promised shape. */
  malformed(operation: string, message: string): Error
}

/** Speaks HarvestAPI's envelope: an answer without its payload key is a failure, never an empty result (G121). */
export function createHarvestClient(options: AdapterOptions): HarvestClient {
  // The account by its key: what was learnt of another one says nothing.
  const account = `harvestapi:${sha256(options.apiKey).toString('hex').slice(0, 24)}`
  let maxInFlight: number | undefined
  const learn = (concurrency: number): void => {
    const allowed = Math.min(concurrency, MOST_IN_FLIGHT)
    if (allowed === maxInFlight) return
    maxInFlight = allowed
    // What cannot be kept is learnt again from the next answer.
    options.budget.learn(account, allowed).catch(() => {})
  }
  const inFlight = () => maxInFlight ?? FIRST_IN_FLIGHT
  const dialect: Dialect = {
    provider: 'harvestapi',
    headers: { 'x-api-key': options.apiKey },
    limits: async () => {
      maxInFlight ??= (await options.budget.learnt(account)) ?? undefined
      return { maxInFlight: inFlight, perMinute: null }
    },
    judge: (answer, call) => {
      const record = asRecord(answer.json)
      const read = envelope.parse(record ?? {})
      const concurrency = read.user?.requestsConcurrency
      if (concurrency) learn(concurrency)
      const rows = Array.isArray(record?.elements) ? (record.elements as unknown[]) : null
      // An error beside a list without rows says why there are none.
      const usable =
        call.about === 'account'
          ? asRecord(record?.user) !== null
          : rows === null
            ? asRecord(record?.element) !== null
            : rows.length > 0 || (wordsIn(record?.error) === null && statusIn(record?.error) === null)
      if (answer.status === 200 && record !== null && usable) return { ok: true, body: record, cost: read.cost }
      const empty = record !== null && saysEmpty(answer.status, record)
      if (empty && call.list) return { ok: true, body: { ...record, elements: [], pagination: null }, cost: read.cost }
      const refused = judgeRefusal(answer)
      // Of a single thing that does not say whether it exists, and asking again changes nothing.
      return { ok: false, ...refused, kind: empty ? 'malformed' : refused.kind }
    },
  }
  const client: VendorClient = createVendorClient(options, dialect)
  const wrong = (operation: string, message: string) => malformed(client, operation, message)
  return {
    callsAtOnce: inFlight,
    malformed: wrong,
    account: (call, callOptions) => client.get({ ...call, about: 'account' }, callOptions),
    element: async (call, callOptions) => {
      const element = asRecord((await client.get(call, callOptions)).element)
      if (element === null) throw wrong(call.operation, 'the answer has no element')
      return element
    },
    elements: async (call, callOptions) => {
      const body = await client.get({ ...call, list: true }, callOptions)
      if (!Array.isArray(body.elements)) throw wrong(call.operation, 'the answer has no elements')
      return { rows: body.elements, pagination: envelope.parse(body).pagination }
    },
  }
}

/** The vendor's words for a list without rows, seen with each of these statuses. */
function saysEmpty(status: number, { error, message }: Record<string, unknown>): boolean {
  return (
    [200, 400, 500].includes(status) &&
    [error, message].some((part) => /^\s*no included data\b/i.test(wordsIn(part) ?? ''))
  )
}
