import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Reply } from './vendor.ts'

/** Sends a reply with its length; every vendor answer of the sandbox says that it is one. */
export function send(response: ServerResponse, reply: Reply): void {
  const text = reply.text ?? JSON.stringify(reply.body)
  response.writeHead(reply.status, {
    'content-type': 'application/json; charset=utf-8',
    'x-sandbox': 'true',
    'content-length': Buffer.byteLength(text),
    ...reply.headers,
  })
  response.end(text)
}

/** Streams valid JSON of about this many bytes without a length, until done or the client has gone. */
export async function sendHuge(response: ServerResponse, bytes: number, gone: AbortSignal): Promise<void> {
  const chunk = Buffer.alloc(65_536, 120)
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'x-sandbox': 'true' })
  response.write('{"padding":"')
  for (let sent = 0; sent < bytes && !gone.aborted; sent += chunk.length) {
    if (!response.write(chunk)) await once(response, 'drain', { signal: gone }).catch(() => undefined)
  }
  response.end('"}')
}
