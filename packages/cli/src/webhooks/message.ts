/** A delivery as it was received: headers in any case, and the exact bytes of the body. */
import { parseHeaderLines } from '@les/contract'

/** A received delivery. */
export type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }

/** Splits a pasted request at its first empty line: headers above, the exact body below. */
export function parseRequest(bytes: Buffer): Message {
  const text = bytes.toString('latin1')
  const gap = /\r?\n\r?\n/.exec(text)
  if (!gap) return { headers: parseHeaderLines(bytes.toString('utf8')), body: Buffer.alloc(0) }
  return {
    headers: parseHeaderLines(bytes.subarray(0, gap.index).toString('utf8')),
    body: bytes.subarray(gap.index + gap[0].length),
  }
}
