/** Numbers about the service in Prometheus' format; labels are names from our own lists, never anything a caller sent. */
import { Counter, Histogram, Registry } from 'prom-client'

/** What is told of one request. */
export type RequestOutcome = { readonly surface: string; readonly operation: string; readonly status: number; readonly seconds: number }

/** Collects numbers and writes them out. */
export type Metrics = { request(outcome: RequestOutcome): void; text(): Promise<string>; readonly registry: Registry }

/** Opens a registry of its own, so that two services in one process do not mix. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  const requests = new Counter({ name: 'les_requests_total', help: 'Requests answered.', labelNames: ['surface', 'operation', 'status'], registers: [registry] })
  const seconds = new Histogram({ name: 'les_request_seconds', help: 'Time from the head of a request to its answer.', labelNames: ['surface', 'operation'], buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30], registers: [registry] })
  return {
    registry,
    request: (outcome) => {
      requests.inc({ surface: outcome.surface, operation: outcome.operation, status: String(outcome.status) })
      seconds.observe({ surface: outcome.surface, operation: outcome.operation }, outcome.seconds)
    },
    text: () => registry.metrics(),
  }
}
