/** Sends raw bytes to a port, for requests that no HTTP client would send. */
import net from 'node:net'

/** All bytes received; `reset`: the connection was reset instead of closed. */
export type RawAnswer = { readonly text: string; readonly reset: boolean; readonly late: boolean }

/** Sends bytes in the given pieces, closes our side, and reads until the other side closes. */
export function sendBytes(url: string, pieces: readonly (string | Buffer)[], waitMs = 5_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let reset = false
    let late = false
    const socket = net.connect({ host: hostname, port: Number(port) })
    socket.setTimeout(waitMs, () => {
      late = true
      socket.destroy()
    })
    socket.on('data', (chunk: Buffer) => void chunks.push(chunk))
    socket.on('error', () => (reset = true))
    socket.on('close', () => resolve({ text: Buffer.concat(chunks).toString('latin1'), reset, late }))
    socket.on('connect', () => {
      for (const piece of pieces) socket.write(piece)
      socket.end()
    })
  })
}

/** One parsed answer. */
export type WireAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Splits received text into answers; not for HEAD, whose answers announce a body and have none. */
export function splitAnswers(text: string): WireAnswer[] {
  const answers: WireAnswer[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine, ...lines] = rest.slice(0, end === -1 ? rest.length : end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine!)?.[1] ?? Number.NaN)
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = status < 200 ? 0 : Number(headers['content-length'] ?? 0)
    answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + length) })
    if (end === -1) break
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
