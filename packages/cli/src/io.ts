/**
 * The only place that touches the process: everything else is handed an `Io`, so that commands run in a test as they run in a shell.
 * What Node loads only when it is touched (fetch, cryptography, streams) is touched only when a command needs it: a help text does not.
 */

import { asking, type Asking } from './asking.ts'
import { exitCodes } from './exit-codes.ts'

export type Sink = { readonly write: (text: string) => void; readonly isTty: boolean; readonly columns: number }

/** Where a command reads from: a terminal, a pipe or a file. */
export type Source = { readonly isTty: boolean /** All of it, to its end. */; readonly read: () => Promise<Buffer> }

/** Everything a command may touch outside itself. */
export type Io = {
  /** Data. */
  readonly stdout: Sink
  /** Messages, progress and questions. */
  readonly stderr: Sink
  readonly stdin: Source
  readonly ask: Asking
  readonly env: Readonly<Record<string, string | undefined>>
  readonly fetch: typeof fetch
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** A number from 0 to below 1. */
  readonly random: () => number
  /** An id that nobody else has. */
  readonly newId: () => string
  /** Opens an address in the browser of this machine; false when there is none. Left out: there is none. */
  readonly browse?: (url: string) => Promise<boolean>
  /** Calls back once after so long, unless the returned function is called before. Left out: never. */
  readonly after?: (ms: number, work: () => void) => () => void
  /** Rejects with the reason of `signal` when that is aborted first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

const sinkOf = (stream: () => NodeJS.WriteStream): Sink => ({
  write: (text) => void stream().write(text),
  get isTty() {
    return stream().isTTY === true
  },
  get columns() {
    return stream().columns || 80
  },
})

async function readAll(signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  // Ctrl-C must not wait for an end of input that never comes.
  signal.addEventListener('abort', () => process.stdin.destroy(), { once: true })
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** A terminal and a starting script may both deliver the same Ctrl-C: only a later one means «now». */
const repeatedInterruptMs = 500

/** Starts what opens addresses on this system; true when it could be started. */
async function browse(url: string): Promise<boolean> {
  const { spawn } = await import('node:child_process')
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url]
  return await new Promise((resolve) => {
    const child = spawn(program!, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

/** The `Io` of this process: the first Ctrl-C aborts `signal`, a later one ends the process at once. */
export function processIo(): Io {
  const interrupt = new AbortController()
  let interruptedAt: number | undefined
  process.on('SIGINT', () => {
    if (interruptedAt === undefined) interruptedAt = Date.now()
    else if (Date.now() - interruptedAt > repeatedInterruptMs) process.exit(130)
    interrupt.abort()
  })
  process.on('SIGTERM', () => interrupt.abort())
  // `les leads list | head` closes the pipe early: that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`les: standard output cannot be written (${error.code ?? error.message})\n`)
    process.exit(exitCodes.api)
  })
  return {
    stdout: sinkOf(() => process.stdout),
    stderr: sinkOf(() => process.stderr),
    // The stream itself is opened at its first use: many commands read nothing.
    stdin: {
      get isTty() {
        return process.stdin.isTTY === true
      },
      read: () => readAll(interrupt.signal),
    },
    ask: asking({ input: () => process.stdin, output: () => process.stderr }, interrupt.signal),
    env: process.env,
    fetch: async (input, init) => (await import('./http-fetch.ts')).httpFetch(input, init),
    signal: interrupt.signal,
    now: () => Date.now(),
    random: Math.random,
    newId: () => crypto.randomUUID(),
    browse,
    after: (ms, work) => {
      const timer = setTimeout(work, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
    sleep: async (ms, signal) => (await import('node:timers/promises')).setTimeout(ms, undefined, { signal }),
  }
}
