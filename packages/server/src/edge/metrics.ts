/** Numbers about requests. */
import { secondsBuckets, type Metrics } from '../platform/metrics.ts'

/** What is counted of one request. */
export type RequestOutcome = {
  readonly surface: string
  readonly operation: string
  readonly status: number
  readonly seconds: number
}

/** What the edge counts with. */
export type EdgeMetrics = Pick<Metrics, 'count'> & { readonly request: (outcome: RequestOutcome) => void }

/** Declares them. */
export function requestMetrics(metrics: Metrics): Pick<EdgeMetrics, 'request'> {
  const requests = metrics.counter({
    name: 'les_requests_total',
    help: 'Requests answered.',
    labels: ['surface', 'operation', 'status'],
  })
  const seconds = metrics.histogram({
    name: 'les_request_seconds',
    help: 'Time from the head of a request to its answer.',
    labels: ['surface', 'operation'],
    buckets: secondsBuckets,
  })
  return {
    request: ({ surface, operation, status, seconds: took }) => {
      requests({ surface, operation, status: String(status) })
      seconds({ surface, operation }, took)
    },
  }
}
