import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WorldInside } from '../world/world.ts'

/** One request to the sandbox and its response. */
export type Exchange = {
  readonly inside: WorldInside
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly query: Record<string, string>
}

/** An answer: JSON, or `text` verbatim. */
export type Reply = { status: number; body: unknown; text?: string; headers?: Record<string, string> }

/** A reply with status 200. */
export const ok = (body: unknown): Reply => ({ status: 200, body })

/** Reads the whole body, since senders wait for the answer; undefined when it exceeds `maxBytes`. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks)
}

export const readBody = async (request: IncomingMessage, maxBytes: number): Promise<string | undefined> =>
  (await readBytes(request, maxBytes))?.toString('utf8')

/** Undefined when the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The object in a JSON text; undefined for anything else. */
export function objectIn(text: string | undefined): Record<string, unknown> | undefined {
  const value = text === undefined ? undefined : jsonIn(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** Sends a reply with its length; `x-sandbox` marks every answer. */
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

/** Streams about `bytes` bytes of valid JSON without a length, until done or the client is gone. */
export async function sendHuge(response: ServerResponse, bytes: number, gone: AbortSignal): Promise<void> {
  const chunk = Buffer.alloc(65_536, 120)
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'x-sandbox': 'true' })
  response.write('{"padding":"')
  for (let sent = 0; sent < bytes && !gone.aborted; sent += chunk.length) {
    if (!response.write(chunk)) await once(response, 'drain', { signal: gone }).catch(() => undefined)
  }
  response.end('"}')
}
