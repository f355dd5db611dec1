/** Reads request bodies: any content type is read as JSON, an empty body as `{}` (CON-07..CON-11, G130). */
import type { IncomingMessage } from 'node:http'
import { bounds, type Operation } from '@les/contract'
import { Refusal, refuse } from '../../platform/refusal.ts'
import { CallerGone } from '../reply.ts'

/** Bytes dropped before refusing an unread body: closing with unread bytes resets the connection, and the answer may be lost. */
const discardBytes = 8 * 1_048_576

function hasBody(raw: IncomingMessage): boolean {
  return raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
}

/** Reads up to `limit` bytes; null when there are more, after dropping up to `discardBytes`. */
function readBytes(raw: IncomingMessage, limit: number): Promise<Buffer | null> {
  // The body was read already, or is being dropped.
  if (raw.readableFlowing !== null || !hasBody(raw)) return Promise.resolve(Buffer.alloc(0))
  if (raw.destroyed) return Promise.reject(new CallerGone())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = (end: () => void) => {
      raw.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      raw.on('error', () => {})
      raw.resume()
      end()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else if (size > discardBytes) finish(() => resolve(null))
    }
    const onEnd = () => finish(() => resolve(size > limit ? null : Buffer.concat(chunks, size)))
    const onGone = () => finish(() => reject(new CallerGone()))
    raw.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

/** Reads and drops the body; a caller who disconnects meanwhile is ignored. */
export async function discardBody(raw: IncomingMessage): Promise<void> {
  await readBytes(raw, 0).catch(() => {})
}

function tooMuchIn(text: string): string | null {
  let depth = 0
  let values = 1
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (quoted) {
      if (character === 0x5c) index++
      else if (character === 0x22) quoted = false
    } else if (character === 0x22) quoted = true
    else if (character === 0x7b || character === 0x5b) {
      if (++depth > bounds.jsonDepth) return `nest deeper than ${bounds.jsonDepth} levels`
      if (++values > bounds.jsonValues) return tooMany
    } else if (character === 0x7d || character === 0x5d) depth--
    else if (character === 0x2c && ++values > bounds.jsonValues) return tooMany
  }
  return null
}
const tooMany = `hold more than ${bounds.jsonValues} values`

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const named = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`

/** Parses bytes as a JSON object; refuses `invalid_json`. A literal `null` becomes `nullBody` when given (CON-12). */
export function parseJsonObject(
  bytes: Uint8Array,
  nullBody?: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (bytes.length === 0) return {}
  const text = textOf(bytes) ?? refuse('invalid_json', {}, 'The request body must be a JSON object in UTF-8')
  const tooMuch = tooMuchIn(text)
  if (tooMuch !== null) throw new Refusal('invalid_json', {}, `The request body must not ${tooMuch}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal('invalid_json', {}, 'The request body must be a JSON object, and is no valid JSON')
  }
  if (value === null && nullBody) return { ...nullBody }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Refusal('invalid_json', {}, `The request body must be a JSON object, not ${named(value)}`)
  return value as Record<string, unknown>
}

/** Reads the body of a request; refuses `body_too_large`. */
export async function readBody(raw: IncomingMessage, limit: number): Promise<Buffer> {
  return (
    (await readBytes(raw, limit)) ?? refuse('body_too_large', {}, `The request body must be at most ${limit / 1024} KB`)
  )
}

const compressed = 'The request body must be a JSON object as it is: one with a Content-Encoding is not read'

/** Reads the body of a request as a JSON object; refuses `body_too_large`, then `invalid_json`. */
export async function readJsonObject(
  raw: IncomingMessage,
  limit: number,
  nullBody?: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const bytes = await readBody(raw, limit)
  try {
    return parseJsonObject(bytes, nullBody)
  } catch (error) {
    // Some clients compress large bodies; «no valid JSON» would not tell them that this is the cause.
    const encoding = raw.headers['content-encoding'] ?? 'identity'
    throw encoding === 'identity' ? error : new Refusal('invalid_json', {}, compressed)
  }
}

/** Reads an operation's JSON body; empty when it takes none. Refuses `body_too_large`, then `invalid_json`. */
export const readBodyOf = async (
  raw: IncomingMessage,
  { body, largeBody, nullBody }: Pick<Operation, 'body' | 'largeBody' | 'nullBody'>,
): Promise<Record<string, unknown>> =>
  body === null ? {} : readJsonObject(raw, largeBody ? bounds.largeBodyBytes : bounds.bodyBytes, nullBody)
