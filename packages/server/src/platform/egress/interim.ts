/**
 * Interim answers (1xx but 101) that come before the answer itself: HTTP has a client pass them over, asked for or not. undici passes
 * most of them over, but gives a connection up that says `100 Continue` unasked, as several servers and proxies do to every POST.
 */
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'

/** The beginning of an interim answer. `101` ends the talk in HTTP and is left to undici, which refuses it. */
const interimLine = /^HTTP\/1\.[01] 1(?!01)\d\d/
const shortestLine = 'HTTP/1.1 100'
const endOfHead = Buffer.from('\r\n\r\n')

/** A longer head is no interim answer of a server that means well: undici has it, and gives the connection up. */
const longestHead = 64 * 1024

/** What of the beginning of an answer is left once whole interim answers are taken off; `more`: nobody can tell yet. */
function withoutInterim(bytes: Buffer): { rest: Buffer; more: boolean } {
  let rest = bytes
  for (;;) {
    const line = rest.toString('latin1', 0, shortestLine.length)
    if (!interimLine.test(line + shortestLine.slice(line.length))) return { rest, more: false }
    const end = rest.indexOf(endOfHead)
    if (end === -1) return { rest, more: rest.length < longestHead }
    rest = rest.subarray(end + endOfHead.length)
  }
}

/**
 * Makes a connection pass over interim answers. An answer begins with the first bytes that are read after something was written: one
 * request is under way on a connection, and undici writes it in one go.
 */
function passOverInterim<T extends Socket>(socket: T): T {
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  let begins = false
  let kept: Buffer = Buffer.alloc(0)
  socket.write = (...args: unknown[]) => {
    begins = true
    return write(...args)
  }
  socket.read = (size) => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (!begins || chunk === null) return chunk
      const { rest, more } = withoutInterim(kept.length === 0 ? chunk : Buffer.concat([kept, chunk]))
      kept = more ? rest : Buffer.alloc(0)
      if (more) continue
      begins = false
      return rest
    }
  }
  return socket
}

/** A connector whose connections do so. */
export const passingOverInterim =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) =>
    connect(target, (...outcome: buildConnector.CallbackArgs) => {
      const [error, socket] = outcome
      if (error === null && socket) passOverInterim(socket)
      callback(...outcome)
    })
