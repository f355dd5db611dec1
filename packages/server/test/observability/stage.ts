import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openLog, type Log } from '../../src/platform/log.ts'

export type Line = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string }

/** A log that keeps its lines as they would be written. */
export function keptLog(): {
  readonly log: Log
  readonly lines: () => Line[]
  readonly text: () => string
  clear(): void
} {
  let written: string[] = []
  const log = openLog('info', { write: (line: string) => void written.push(line) })
  return {
    log,
    lines: () => written.map((line) => JSON.parse(line) as Line),
    text: () => written.join(''),
    clear: () => {
      written = []
    },
  }
}

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean }
type WireSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Value }[]
  status: { code?: number }
}

/** A span as it was received. */
export type ReceivedSpan = {
  readonly traceId: string
  readonly id: string
  readonly parent: string | undefined
  readonly name: string
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly failed: boolean
  readonly tookMs: number
}

/** A receiver of OpenTelemetry's protocol (HTTP, JSON). */
export type Collector = {
  readonly url: string
  readonly spans: () => ReceivedSpan[]
  readonly bodies: string[]
  readonly headers: Record<string, unknown>[]
  readonly resources: () => Record<string, unknown>[]
  close(): Promise<void>
}

const plain = (attributes: WireSpan['attributes']) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ??
        (value.intValue === undefined ? (value.doubleValue ?? value.boolValue) : Number(value.intValue)),
    ]),
  )

/** Opens a receiver on a free port. */
export async function openCollector(): Promise<Collector> {
  const bodies: string[] = []
  const headers: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('utf8'))
      headers.push({ ...request.headers, path: request.url })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const batches = () =>
    bodies.flatMap(
      (body) =>
        (
          JSON.parse(body) as {
            resourceSpans: { resource: { attributes: WireSpan['attributes'] }; scopeSpans: { spans: WireSpan[] }[] }[]
          }
        ).resourceSpans,
    )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    bodies,
    headers,
    resources: () => batches().map(({ resource }) => plain(resource.attributes)),
    spans: () =>
      batches().flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) =>
          spans.map((span) => ({
            traceId: span.traceId,
            id: span.spanId,
            parent: span.parentSpanId || undefined,
            name: span.name,
            kind: span.kind,
            attributes: plain(span.attributes),
            failed: span.status.code === 2,
            tookMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
          })),
        ),
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
