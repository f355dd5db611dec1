/** A webhook receiver on loopback that records requests and answers as configured. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedRequest = {
  readonly headers: IncomingHttpHeaders
  readonly raw: Buffer
  readonly body: any
  readonly path: string
}

export type Inbox = {
  readonly url: string
  readonly received: ReceivedRequest[]
  /** Sets the status and headers of all further answers. */
  answer(status: number, headers?: Record<string, string>): void
  close(): Promise<void>
}

/** Opens a receiver that answers 200. */
export async function openInbox(): Promise<Inbox> {
  const received: ReceivedRequest[] = []
  let reply: { status: number; headers: Record<string, string> } = { status: 200, headers: {} }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const raw = Buffer.concat(chunks)
      received.push({ headers: request.headers, raw, body: JSON.parse(raw.toString('utf8')), path: request.url ?? '' })
      response.writeHead(reply.status, reply.headers).end('ok')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (status, headers = {}) => {
      reply = { status, headers }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
