/** Serves the metrics on their own port, so that they are never reachable at the public address. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import type { Metrics } from './metrics.ts'

/**
 * Opens `GET /metrics` on `port` (0: any free one), including the process's own numbers (memory, event loop, garbage collection).
 */
export async function openMetricsServer(
  metrics: Pick<Metrics, 'registry' | 'text'>,
  port: number,
  host: string,
): Promise<{ readonly port: number; close(): void }> {
  collectDefaultMetrics({ register: metrics.registry })
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}
