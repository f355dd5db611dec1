/** A recording HTTP proxy in front of a vendor. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One recorded call; `body` is JSON or text. Keys are not kept. */
export type Exchange = {
  readonly path: string
  /** The path without its common parts: `profile-full`, `post-reactions`. */
  readonly operation: string
  readonly query: Readonly<Record<string, string>>
  /** 0: the vendor did not answer. */
  readonly status: number
  readonly body: unknown
  readonly ms: number
}

export const operationOf = (path: string): string =>
  path
    .replace(/^\/+(?:linkedin|api\/v1)\//, '')
    .replace(/^\/+|\/+$/g, '')
    .replaceAll('/', '-')

/** Dollars stated in the answer (HarvestAPI), else from the price table. */
export function costOf({ body, path, status }: Exchange, priceOf: (path: string) => number): number {
  const told = typeof body === 'object' && body !== null ? (body as { cost?: unknown }).cost : undefined
  if (typeof told === 'number' && Number.isFinite(told) && told >= 0) return told
  return status === 200 ? priceOf(path) : 0
}

/** Opens the proxy on a free local port. When `mayAsk` returns false, calls are answered as for an account without money. */
export async function openRecordingProxy(
  upstream: string,
  mayAsk: () => boolean = () => true,
): Promise<{ readonly url: string; readonly exchanges: Exchange[]; close(): Promise<void> }> {
  const exchanges: Exchange[] = []
  const base = upstream.replace(/\/+$/, '')
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedMs = performance.now()
    const asked = new URL(request.url ?? '/', 'http://proxy')
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const keep = (status: number, text: string): void => {
      exchanges.push({
        path: asked.pathname,
        operation: operationOf(asked.pathname),
        query: Object.fromEntries(asked.searchParams),
        status,
        body: parsed(text),
        ms: Math.round(performance.now() - startedMs),
      })
    }
    if (!mayAsk()) {
      response.writeHead(402, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ status: 402, error: 'The limit of dollars is reached.' }))
      return
    }
    try {
      const answer = await fetch(`${base}${asked.pathname}${asked.search}`, {
        method: request.method ?? 'GET',
        headers: { ...(headers as Record<string, string>), 'accept-encoding': 'identity' },
        redirect: 'manual',
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      })
      const text = await answer.text()
      keep(answer.status, text)
      const told = ['content-type', 'retry-after', 'x-request-id', 'cf-ray'].flatMap((name) => {
        const value = answer.headers.get(name)
        return value === null ? [] : [[name, value] as const]
      })
      response.writeHead(answer.status, Object.fromEntries(told)).end(text)
    } catch {
      // A broken connection to the vendor breaks the caller's too.
      keep(0, '')
      response.destroy()
    }
  }
  const server = createServer((request, response) => void pass(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
