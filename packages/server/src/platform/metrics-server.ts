import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics } from 'prom-client'
import type { Metrics } from './metrics.ts'

/** Serves `GET /metrics` on a separate port, never the public one (0: any free port), with the process's own numbers. */
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
