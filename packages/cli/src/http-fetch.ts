/**
 * A `fetch` on Node's HTTP client. Node's own `fetch` fails on an unrequested `100 Continue`, which several servers and proxies
 * send; this one skips interim answers. It never follows redirects.
 */
import { request as overHttp, type IncomingMessage } from 'node:http'
import { request as overHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'

const decompressors: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
}

const bodiless = [204, 205, 304]

function headersOf(message: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < message.rawHeaders.length; at += 2)
    headers.append(message.rawHeaders[at]!, message.rawHeaders[at + 1]!)
  return headers
}

async function answerOf(message: IncomingMessage): Promise<Response> {
  const bytes = await buffer(message)
  const headers = headersOf(message)
  const decompress = decompressors[headers.get('content-encoding')?.trim().toLowerCase() ?? '']
  const body = decompress && bytes.length > 0 ? await decompress(bytes) : bytes
  const status = message.statusCode!
  return new Response(bodiless.includes(status) ? null : new Uint8Array(body), { status, headers })
}

/** Sends text or bytes and reads the whole answer; rejects as Node's `fetch` does. */
export const httpFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input)
  const signal = init.signal ?? undefined
  signal?.throwIfAborted()
  const headers = new Headers(init.headers)
  if (!headers.has('accept')) headers.set('accept', '*/*')
  if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'gzip, br')
  const body = init.body as string | Uint8Array | null | undefined
  if (body != null) headers.set('content-length', String(Buffer.byteLength(body)))
  try {
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const send = url.protocol === 'https:' ? overHttps : overHttp
      const options = { method: init.method ?? 'GET', headers: Object.fromEntries(headers), signal }
      const request = send(url, options, resolve)
      request.on('error', reject)
      // An upgrade was not requested; the connection would continue in another protocol.
      request.on('upgrade', () => request.destroy(new Error('the server switched to another protocol')))
      request.end(body ?? undefined)
    })
    return await answerOf(message)
  } catch (error) {
    signal?.throwIfAborted()
    throw new TypeError('fetch failed', { cause: error })
  }
}
