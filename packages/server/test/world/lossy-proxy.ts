/** A proxy that passes calls on and turns chosen successful answers into its own 504 or a broken connection. */
import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a lost answer becomes. */
export type Loss = 'timeout' | 'reset'

/** A call that passed through: the service's answer, and whether the caller received it. */
export type PassedCall = {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly status: number
  readonly replayed: boolean
  readonly lost: boolean
}

export type LossyProxy = {
  readonly url: string
  readonly calls: readonly PassedCall[]
  /** Loses the next successful answers, one per named loss. */
  lose(...losses: readonly Loss[]): void
  close(): Promise<void>
}

const textOf = (header: IncomingHttpHeaders[string]): string | undefined => (Array.isArray(header) ? header[0] : header)

/** Starts a proxy in front of `target`. */
export async function openLossyProxy(target: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(target)
  const calls: PassedCall[] = []
  const losses: Loss[] = []
  const server = createServer((incoming, outgoing) => {
    const passed = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers, agent: false },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const status = answer.statusCode!
          const loss = status < 300 ? losses.shift() : undefined
          calls.push({
            method: incoming.method!,
            path: incoming.url!,
            key: textOf(incoming.headers['idempotency-key']),
            status,
            replayed: answer.headers['idempotency-replayed'] === 'true',
            lost: loss !== undefined,
          })
          if (loss === 'reset') return incoming.socket.destroy()
          if (loss === 'timeout')
            return outgoing.writeHead(504, { 'content-type': 'text/html' }).end('<h1>504 Gateway Time-out</h1>')
          outgoing.writeHead(status, answer.headers).end(Buffer.concat(chunks))
        })
      },
    )
    passed.on('error', () => incoming.socket.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    lose: (...named) => void losses.push(...named),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
