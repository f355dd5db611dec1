import { expect, it } from 'vitest'
import { openServiceMetrics } from '../../src/composition/metrics.ts'
import { openMetricsServer } from '../../src/platform/metrics-server.ts'
import { freePort } from '../world/free-port.ts'

it('the metrics are on a port of their own, with those of the process, and nothing else is', async () => {
  const metrics = openServiceMetrics()
  const port = await freePort()
  const server = await openMetricsServer(metrics, port, '127.0.0.1')
  metrics.count('credits_charged', 'source', 3)
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
  const text = await answer.text()
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(text).toContain('les_credits_charged_total{category="source"} 3')
  expect(text).toMatch(/^process_resident_memory_bytes \d+/m)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  server.close()
})
