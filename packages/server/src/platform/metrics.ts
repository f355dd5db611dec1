/**
 * Numbers about the service in Prometheus' format; labels are names from our own lists, never anything a caller sent
 * (docs/operations.md).
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { passedMs, systemClock } from './clock.ts'

/** What is told of one request. */
export type RequestOutcome = {
  readonly surface: string
  readonly operation: string
  readonly status: number
  readonly seconds: number
}

/** What is told of one try of a call of an outside system. */
export type VendorCallOutcome = {
  readonly vendor: string
  readonly operation: string
  readonly outcome: string
  readonly seconds: number /** Dollars, when the vendor says. */
  readonly cost?: number | null
}

/** Figures that count what units of work have done, by a label of our own lists. */
const counterDefinitions = {
  credits_charged: { name: 'les_credits_charged_total', label: 'category', help: 'Credits charged.' },
  deliveries: {
    name: 'les_deliveries_total',
    label: 'outcome',
    help: 'Attempts to deliver an event, by what became of it.',
  },
  leases_taken_over: {
    name: 'les_leases_taken_over_total',
    label: 'kind',
    help: 'Work taken over because whoever had it fell silent.',
  },
  leases_lost: {
    name: 'les_leases_lost_total',
    label: 'kind',
    help: 'Results thrown away because the work was taken over or ended meanwhile.',
  },
  unexpected_failures: {
    name: 'les_unexpected_failures_total',
    label: 'kind',
    help: 'Work that failed unexpectedly and was put off, or ended after the fifth time.',
  },
  rows_purged: {
    name: 'les_rows_purged_total',
    label: 'rule',
    help: 'Rows deleted, or emptied, because a rule of retention keeps them no longer.',
  },
  reads_with_replica: {
    name: 'les_reads_with_replica_total',
    label: 'place',
    help: 'Reads that a replica was to answer, by who did: the replica, or the primary because that was behind or away.',
  },
  undeclared_refusals: {
    name: 'les_undeclared_refusals_total',
    label: 'operation',
    help: 'Refusals answered by an operation that does not declare them. Must be 0.',
  },
} as const

/** One of them. */
export type CounterName = keyof typeof counterDefinitions

/** What is sampled from the database, by the one process whose clock acts. */
export type Sample = {
  /** By kind of work: how long the oldest piece that could be worked on has waited, and how many wait (counted to a bound). */
  readonly queues: Readonly<Record<string, { readonly oldestSeconds: number; readonly waiting: number }>>
  readonly holds: { readonly open: number; readonly overdue: number }
  /** Seconds since the rows of the team longest not gone through were due for it; 0 when none is. */
  readonly retentionLateSeconds: number
}

/** A vendor's account as it was last looked at: dollars left, and why it is held. */
export type VendorSample = { readonly vendor: string; readonly balance: number | null; readonly held: string | null }

/** Collects numbers and writes them out. */
export type Metrics = {
  request(outcome: RequestOutcome): void
  /** A unit of work of a kind ended. */
  work(unit: { readonly kind: string; readonly outcome: 'worked' | 'failed'; readonly seconds: number }): void
  vendorCall(outcome: VendorCallOutcome): void
  count(counter: CounterName, label: string, by: number): void
  /** Replaces what was sampled last; an old sample is not shown. */
  sample(sample: Sample, atMs: number): void
  /** Replaces what was last seen of the vendors' accounts. */
  vendors(seen: readonly VendorSample[], atMs: number): void
  /** A round over accounts of the ledger: how many were compared, and how many of all seen so far do not add up. */
  ledger(round: { readonly compared: number; readonly drifting: number }): void
  text(): Promise<string>
  readonly registry: Registry
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const callBuckets = [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80]
const staleMs = 120_000

/** Opens a registry of its own, so that two services in one process do not mix. */
export function openMetrics(nowMs: () => number = systemClock.nowMs): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'les_requests_total',
    help: 'Requests answered.',
    labelNames: ['surface', 'operation', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'les_request_seconds',
    help: 'Time from the head of a request to its answer.',
    labelNames: ['surface', 'operation'],
    buckets: requestBuckets,
    registers,
  })
  const work = new Counter({
    name: 'les_work_total',
    help: 'Units of background work ended.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const workSeconds = new Histogram({
    name: 'les_work_seconds',
    help: 'Time of a unit of background work.',
    labelNames: ['kind'],
    buckets: requestBuckets,
    registers,
  })
  const calls = new Counter({
    name: 'les_vendor_calls_total',
    help: 'Tries of calls of outside systems.',
    labelNames: ['vendor', 'operation', 'outcome'],
    registers,
  })
  const callSeconds = new Histogram({
    name: 'les_vendor_call_seconds',
    help: 'Time of one try of a call of an outside system.',
    labelNames: ['vendor', 'operation'],
    buckets: callBuckets,
    registers,
  })
  const cost = new Counter({
    name: 'les_vendor_cost_dollars_total',
    help: 'What vendors said their answers cost.',
    labelNames: ['vendor'],
    registers,
  })
  const counters = Object.fromEntries(
    Object.entries(counterDefinitions).map(([counter, { name, label, help }]) => [
      counter,
      new Counter({ name, help, labelNames: [label], registers }),
    ]),
  ) as Record<CounterName, Counter>
  const compared = new Counter({
    name: 'les_ledger_accounts_compared_total',
    help: 'Credit accounts whose lines were added up.',
    registers,
  })
  const drifting = new Gauge({
    name: 'les_ledger_drift_accounts',
    help: 'Credit accounts whose lines do not add up to their figures. Must be 0.',
    registers,
  })
  const sampled = openSampled(registers, nowMs)
  return {
    registry,
    request: ({ surface, operation, status, seconds: took }) => {
      requests.inc({ surface, operation, status: String(status) })
      seconds.observe({ surface, operation }, took)
    },
    work: ({ kind, outcome, seconds: took }) => {
      work.inc({ kind, outcome })
      workSeconds.observe({ kind }, took)
    },
    vendorCall: ({ vendor, operation, outcome, seconds: took, cost: dollars }) => {
      calls.inc({ vendor, operation, outcome })
      callSeconds.observe({ vendor, operation }, took)
      if (dollars != null && dollars > 0) cost.inc({ vendor }, dollars)
    },
    count: (counter, label, by) => counters[counter].inc({ [counterDefinitions[counter].label]: label }, by),
    sample: sampled,
    vendors: openVendors(registers, nowMs),
    ledger: (round) => {
      compared.inc(round.compared)
      drifting.set(round.drifting)
    },
    text: () => registry.metrics(),
  }
}

/** Gauges of vendors' accounts; looked at every ten minutes, so they disappear after half an hour without a look. */
function openVendors(registers: Registry[], nowMs: () => number): Metrics['vendors'] {
  let last: { readonly seen: readonly VendorSample[]; readonly atMs: number } | undefined
  const fresh = () => (last && passedMs(last.atMs, nowMs()) < 15 * staleMs ? last.seen : [])
  new Gauge({
    name: 'les_vendor_balance_dollars',
    help: 'What is left at a vendor of data.',
    labelNames: ['vendor'],
    registers,
    collect() {
      this.reset()
      for (const { vendor, balance } of fresh()) if (balance !== null) this.set({ vendor }, balance)
    },
  })
  new Gauge({
    name: 'les_vendor_held',
    help: 'Vendors of data that are held, with the reason.',
    labelNames: ['vendor', 'reason'],
    registers,
    collect() {
      this.reset()
      for (const { vendor, held } of fresh()) if (held !== null) this.set({ vendor, reason: held }, 1)
    },
  })
  return (seen, atMs) => {
    last = { seen, atMs }
  }
}

/** Gauges of the last sample; they disappear when it is old: another process samples now, or none does. */
function openSampled(registers: Registry[], nowMs: () => number): Metrics['sample'] {
  let last: { readonly sample: Sample; readonly atMs: number } | undefined
  const fresh = () => (last && passedMs(last.atMs, nowMs()) < staleMs ? last.sample : undefined)
  const byKind = (name: string, help: string, value: (queue: Sample['queues'][string]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers,
      collect() {
        this.reset()
        for (const [kind, queue] of Object.entries(fresh()?.queues ?? {})) this.set({ kind }, value(queue))
      },
    })
  byKind(
    'les_queue_oldest_seconds',
    'How long the oldest piece of work that could be done has waited, in service time.',
    (queue) => queue.oldestSeconds,
  )
  byKind('les_queue_waiting', 'Pieces of work that could be done now, counted to 1,000.', (queue) => queue.waiting)
  new Gauge({
    name: 'les_credit_holds',
    help: 'Credit holds that are open, and those past their time; counted to 10,000.',
    labelNames: ['state'],
    registers,
    collect() {
      this.reset()
      for (const [state, count] of Object.entries(fresh()?.holds ?? {})) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'les_retention_late_seconds',
    help: 'How long ago old rows of some team should have been looked for, in service time.',
    registers,
    collect() {
      this.reset()
      const sample = fresh()
      if (sample) this.set(sample.retentionLateSeconds)
    },
  })
  return (sample, atMs) => {
    last = { sample, atMs }
  }
}
