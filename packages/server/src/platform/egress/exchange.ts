import { type Dispatcher, errors } from 'undici'
import { EgressFailure, type EgressRequest, type EgressResponse } from './types.ts'

/** Runs work that must end by a deadline or by the caller's signal, whichever comes first; rejects with `EgressFailure` only. */
export async function withinDeadline<T>(
  request: EgressRequest,
  closing: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new EgressFailure('timeout', `No complete answer within ${request.timeoutMs} ms.`)),
    request.timeoutMs,
  )
  const giveUp = () => controller.abort(new EgressFailure('aborted', 'The request was given up.'))
  const outside = [closing, ...(request.signal ? [request.signal] : [])]
  for (const signal of outside) {
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  }
  // undici notices an abort only once a connection stands, so the deadline is raced as well as passed down.
  const ended = Promise.withResolvers<never>()
  controller.signal.addEventListener('abort', () => ended.reject(controller.signal.reason), { once: true })
  ended.promise.catch(() => {})
  try {
    controller.signal.throwIfAborted()
    const working = work(controller.signal)
    working.catch(() => {})
    return await Promise.race([working, ended.promise])
  } catch (error) {
    throw controller.signal.aborted ? (controller.signal.reason as EgressFailure) : asFailure(error)
  } finally {
    clearTimeout(timer)
    for (const signal of outside) signal.removeEventListener('abort', giveUp)
  }
}

/** One request through a dispatcher: no redirects, no decompression, the body read to at most `maxBytes`. */
export async function exchange(
  dispatcher: Dispatcher,
  request: EgressRequest,
  url: URL,
  signal: AbortSignal,
): Promise<Omit<EgressResponse, 'elapsedMs'>> {
  const answer = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: request.headers ?? {},
    body: request.body ?? null,
    signal,
    // The deadline above rules; undici's own are only a second wall.
    headersTimeout: request.timeoutMs + 1_000,
    bodyTimeout: request.timeoutMs + 1_000,
  })
  const { body, truncated } = await readBody(answer.body, request)
  return { status: answer.statusCode, headers: flatHeaders(answer.headers), body, truncated }
}

async function readBody(
  stream: Dispatcher.ResponseData['body'],
  request: EgressRequest,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early destroys the stream, and with it the socket.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const room = request.maxBytes - size
    if (chunk.length > room) {
      if ((request.onTooLarge ?? 'fail') === 'fail')
        throw new EgressFailure('too_large', `The answer is longer than ${request.maxBytes} bytes.`)
      chunks.push(chunk.subarray(0, room))
      return { body: Buffer.concat(chunks), truncated: true }
    }
    chunks.push(chunk)
    size += chunk.length
  }
  return { body: Buffer.concat(chunks, size), truncated: false }
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: [string, string][] = []
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat.push([name, Array.isArray(value) ? value.join(', ') : value])
  return Object.fromEntries(flat)
}

/** Any error of an exchange as an `EgressFailure`. */
export function asFailure(error: unknown): EgressFailure {
  if (error instanceof EgressFailure) return error
  if (error instanceof errors.HeadersOverflowError)
    return new EgressFailure('too_large', 'The answer has too many or too long headers.', error)
  if (
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  ) {
    return new EgressFailure('timeout', 'No answer in time.', error)
  }
  return new EgressFailure('connection', connectionMessage(error), error)
}

/** A sentence for the few causes a destination's owner can act on. */
function connectionMessage(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'The connection was cut.'
  if (code === 'ENOTFOUND' || code === 'ENODATA') return 'The host name does not resolve.'
  if (code.startsWith('ERR_TLS') || code.startsWith('CERT_') || code.includes('CERT'))
    return 'The TLS certificate was not accepted.'
  return 'The connection failed.'
}
