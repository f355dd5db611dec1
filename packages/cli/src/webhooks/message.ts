/** A delivery as it was received: headers in any case, and the exact bytes of the body. */

/** A received delivery. */
export type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }

/** Reads header lines; names become lower case, and a request or status line is skipped. Refuses nothing: what is no header is left out. */
export function parseHeaders(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [, name, value] = /^[<>\s]*([A-Za-z0-9!#$%&'*+.^_`|~-]+):\s*(.*?)\s*$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value]]
    }),
  )
}

/** Splits a pasted request at its first empty line: headers above, the exact body below. */
export function parseRequest(bytes: Buffer): Message {
  const text = bytes.toString('latin1')
  const gap = /\r?\n\r?\n/.exec(text)
  if (!gap) return { headers: parseHeaders(bytes.toString('utf8')), body: Buffer.alloc(0) }
  return { headers: parseHeaders(bytes.subarray(0, gap.index).toString('utf8')), body: bytes.subarray(gap.index + gap[0].length) }
}
