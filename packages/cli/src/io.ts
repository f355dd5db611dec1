/** The only place that touches the process: everything else is handed an `Io`, so that commands run in a test as they run in a shell. */
import { setTimeout as delay } from 'node:timers/promises'

/** A stream that text is written to. */
export type Sink = { readonly write: (text: string) => void; readonly isTty: boolean; readonly columns: number }

/** Everything a command may touch outside itself. */
export type Io = {
  /** Data. */
  readonly stdout: Sink
  /** Messages and progress. */
  readonly stderr: Sink
  readonly env: Readonly<Record<string, string | undefined>>
  readonly fetch: typeof fetch
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Rejects with the reason of `signal` when that is aborted first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

const sinkOf = (stream: NodeJS.WriteStream): Sink => ({ write: (text) => void stream.write(text), isTty: stream.isTTY === true, columns: stream.columns || 80 })

/** A terminal and a starting script may both deliver the same Ctrl-C: only a later one means «now». */
const repeatedInterruptMs = 500

/** The `Io` of this process: the first Ctrl-C aborts `signal`, a later one ends the process at once. */
export function processIo(): Io {
  const interrupt = new AbortController()
  let interruptedAt: number | undefined
  process.on('SIGINT', () => {
    if (interruptedAt === undefined) interruptedAt = Date.now()
    else if (Date.now() - interruptedAt > repeatedInterruptMs) process.exit(130)
    interrupt.abort()
  })
  // `les leads list | head` closes the pipe early: that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  return {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    env: process.env,
    fetch,
    signal: interrupt.signal,
    now: () => Date.now(),
    sleep: (ms, signal) => delay(ms, undefined, { signal }),
  }
}
