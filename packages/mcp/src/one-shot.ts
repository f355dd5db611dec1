/** Input that ends before its answers are written, as when lines are piped in: serving ends once every request has its answer. */
import { PassThrough, Writable, type Readable } from 'node:stream'

type Message = { readonly id?: unknown; readonly method?: unknown }

/** Calls back with each whole line that is a message. */
function lineReader(onMessage: (message: Message) => void): (chunk: Buffer) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      try {
        const message: unknown = JSON.parse(line)
        if (typeof message === 'object' && message !== null) onMessage(message)
      } catch {
        // What is no message gets no answer that could be waited for.
      }
    }
  }
}

/** The streams to serve on, and when there is nothing left to answer after the input has ended. */
export function untilAnswered(
  input: Readable,
  output: Writable,
): { readonly streams: { readonly input: Readable; readonly output: Writable }; readonly done: Promise<void> } {
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const open = new Set<unknown>()
  let ended = false
  const look = () => ended && open.size === 0 && resolve()
  const asked = lineReader(({ id, method }) => {
    if (method !== undefined && id !== undefined) open.add(id)
  })
  const answered = lineReader(({ id, method }) => {
    // A question to whoever is no longer there is never answered.
    if (method !== undefined && id !== undefined && ended) resolve()
    if (method === undefined) open.delete(id)
    look()
  })
  const given = new PassThrough()
  input.on('data', (chunk: Buffer) => {
    asked(chunk)
    given.write(chunk)
  })
  const end = () => {
    ended = true
    look()
  }
  input.once('end', end).once('close', end)
  const written = new Writable({
    write: (chunk: Buffer, _encoding, next) =>
      void output.write(chunk, () => {
        answered(chunk)
        next()
      }),
  })
  return { streams: { input: given, output: written }, done }
}
