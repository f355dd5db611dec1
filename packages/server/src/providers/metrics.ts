import type { Metrics } from '../platform/metrics.ts'

type VendorCallOutcome = {
  readonly vendor: string
  readonly operation: string
  readonly outcome: string
  readonly seconds: number
  readonly cost?: number | null
}

type VendorSample = { readonly vendor: string; readonly balance: number | null; readonly held: string | null }

export type VendorMetrics = {
  readonly vendorCall: (outcome: VendorCallOutcome) => void
  /** Replaces the last samples of all vendor accounts. */
  readonly vendors: (seen: readonly VendorSample[], atMs: number) => void
}

const buckets = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80]

/** Accounts are read every ten minutes; a sample is exposed for half an hour. */
const freshMs = 30 * 60_000

const accounts = (metrics: Metrics): VendorMetrics['vendors'] =>
  metrics.sampled<readonly VendorSample[]>(freshMs, [
    {
      name: 'les_vendor_balance_dollars',
      help: 'What is left at a vendor of data.',
      labels: ['vendor'],
      read: (seen) => seen.flatMap(({ vendor, balance }) => (balance === null ? [] : [[{ vendor }, balance] as const])),
    },
    {
      name: 'les_vendor_held',
      help: 'Vendors of data that are held, with the reason.',
      labels: ['vendor', 'reason'],
      read: (seen) =>
        seen.flatMap(({ vendor, held }) => (held === null ? [] : [[{ vendor, reason: held }, 1] as const])),
    },
  ])

/** Declares the vendor metrics. */
export function vendorMetrics(metrics: Metrics): VendorMetrics {
  const calls = metrics.counter({
    name: 'les_vendor_calls_total',
    help: 'Tries of calls of outside systems.',
    labels: ['vendor', 'operation', 'outcome'],
  })
  const seconds = metrics.histogram({
    name: 'les_vendor_call_seconds',
    help: 'Time of one try of a call of an outside system.',
    labels: ['vendor', 'operation'],
    buckets,
  })
  const cost = metrics.counter({
    name: 'les_vendor_cost_dollars_total',
    help: 'What vendors said their answers cost.',
    labels: ['vendor'],
  })
  return {
    vendorCall: ({ vendor, operation, outcome, seconds: took, cost: dollars }) => {
      calls({ vendor, operation, outcome })
      seconds({ vendor, operation }, took)
      if (dollars != null && dollars > 0) cost({ vendor }, dollars)
    },
    vendors: accounts(metrics),
  }
}
