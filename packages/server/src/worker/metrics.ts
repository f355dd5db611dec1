/** Numbers about background work, and what the one process whose clock acts samples from the database. */
import { secondsBuckets, type Metrics } from '../platform/metrics.ts'

/** A unit of work of a kind that ended. */
export type WorkOutcome = { readonly kind: string; readonly outcome: 'worked' | 'failed'; readonly seconds: number }

/** What is sampled from the database. */
export type Sample = {
  /** By kind of work: how long the oldest piece that could be worked on has waited, and how many wait (counted to a bound). */
  readonly queues: Readonly<Record<string, { readonly oldestSeconds: number; readonly waiting: number }>>
  readonly holds: { readonly open: number; readonly overdue: number }
  /** Seconds since the rows of the team longest not gone through were due for it; 0 when none is. */
  readonly retentionLateSeconds: number
}

/** What workers and the clock count with. */
export type WorkMetrics = Pick<Metrics, 'count'> & {
  readonly work: (unit: WorkOutcome) => void
  /** Replaces what was sampled last; an old sample is not shown. */
  readonly sample: (sample: Sample, atMs: number) => void
  /** A round over accounts of the ledger: how many were compared, and how many of all seen so far do not add up. */
  readonly ledger: (round: { readonly compared: number; readonly drifting: number }) => void
}

const freshMs = 120_000

const byKind = (value: (queue: Sample['queues'][string]) => number) => (sample: Sample) =>
  Object.entries(sample.queues).map(([kind, queue]) => [{ kind }, value(queue)] as const)

const sampled = (metrics: Metrics): WorkMetrics['sample'] =>
  metrics.sampled<Sample>(freshMs, [
    {
      name: 'les_queue_oldest_seconds',
      help: 'How long the oldest piece of work that could be done has waited, in service time.',
      labels: ['kind'],
      read: byKind((queue) => queue.oldestSeconds),
    },
    {
      name: 'les_queue_waiting',
      help: 'Pieces of work that could be done now, counted to 1,000.',
      labels: ['kind'],
      read: byKind((queue) => queue.waiting),
    },
    {
      name: 'les_credit_holds',
      help: 'Credit holds that are open, and those past their time; counted to 10,000.',
      labels: ['state'],
      read: ({ holds }) => Object.entries(holds).map(([state, count]) => [{ state }, count] as const),
    },
    {
      name: 'les_retention_late_seconds',
      help: 'How long ago old rows of some team should have been searched for, in service time.',
      labels: [],
      read: ({ retentionLateSeconds }) => [[{}, retentionLateSeconds]],
    },
  ])

/** Declares them. */
export function workMetrics(metrics: Metrics): Omit<WorkMetrics, 'count'> {
  const work = metrics.counter({
    name: 'les_work_total',
    help: 'Units of background work ended.',
    labels: ['kind', 'outcome'],
  })
  const seconds = metrics.histogram({
    name: 'les_work_seconds',
    help: 'Time of a unit of background work.',
    labels: ['kind'],
    buckets: secondsBuckets,
  })
  const compared = metrics.counter({
    name: 'les_ledger_accounts_compared_total',
    help: 'Credit accounts whose lines were added up.',
    labels: [],
  })
  const drifting = metrics.gauge({
    name: 'les_ledger_drift_accounts',
    help: 'Credit accounts whose lines do not add up to their totals. Must be 0.',
    labels: [],
  })
  return {
    work: ({ kind, outcome, seconds: took }) => {
      work({ kind, outcome })
      seconds({ kind }, took)
    },
    sample: sampled(metrics),
    ledger: (round) => {
      compared({}, round.compared)
      drifting({}, round.drifting)
    },
  }
}
