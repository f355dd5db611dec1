import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A caller who reads nothing for this long has gone. */
const stalledMs = 60_000

/** Streams parts as fast as the caller reads; asks for no more when the connection closes. */
export async function streamAnswer(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  { parts, through = [] }: { parts: AsyncIterable<unknown>; through?: readonly Transform[] },
): Promise<void> {
  response.writeHead(200, headers)
  response.setTimeout(stalledMs, () => response.destroy())
  try {
    await pipeline([Readable.from(parts, { highWaterMark: 1 }), ...through, response])
  } catch (error) {
    if (!response.destroyed || !isGone(error)) throw error
  }
}

const isGone = (error: unknown): boolean =>
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '')
