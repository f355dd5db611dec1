import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WorldInside } from '../world/world.ts'

/** One request to the sandbox: the world it meets, what it asks for, and where its answer goes. */
export type Exchange = {
  readonly inside: WorldInside
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly query: Record<string, string>
}

/** An answer: JSON, or a text as it is. */
export type Reply = { status: number; body: unknown; text?: string; headers?: Record<string, string> }

/** An answer of success. */
export const ok = (body: unknown): Reply => ({ status: 200, body })

/** The whole body; undefined when it has more than `maxBytes`. All of it is read: the sender waits for the answer. */
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

/** The value of a JSON text; undefined when it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The object in a JSON text; undefined when it holds anything else. */
export function objectIn(text: string | undefined): Record<string, unknown> | undefined {
  const value = text === undefined ? undefined : jsonIn(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** Sends a reply with its length; every answer of the sandbox says that it is one. */
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
