import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exitCodes } from '../exit-codes.ts'
import { Failure } from '../failure.ts'
import type { Message } from './delivery.ts'

/** A local HTTP server for deliveries; `close` ends every connection. */
export type Receiver = { readonly url: string; readonly close: () => Promise<void> }

const maxBodyBytes = 4 * 1024 * 1024

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > maxBodyBytes) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** Listens on 127.0.0.1 and answers each POST with the status from `receive`. Refuses when the port is taken. */
export async function openReceiver(port: number, receive: (message: Message) => Promise<number>): Promise<Receiver> {
  const server = createServer((request, response) => {
    const answer = (status: number) => response.writeHead(status, { 'content-type': 'text/plain' }).end(`${status}\n`)
    if (request.method !== 'POST') return void answer(405)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    bodyOf(request)
      .then(async (body) => answer(body === undefined ? 413 : await receive({ headers, body })))
      .catch(() => response.headersSent || answer(500))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE'
    throw new Failure(
      exitCodes.api,
      isTaken
        ? `port ${port} is in use: choose another with --port`
        : `cannot listen on port ${port}: ${error.message}`,
    )
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
