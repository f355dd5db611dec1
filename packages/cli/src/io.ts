/**
 * The only file that touches the process: commands get an `Io`, so that tests run them as a shell does. Parts of Node that load
 * lazily (fetch, crypto, streams) are accessed only when a command needs them, to keep `--help` fast.
 */

import { asking, type Asking } from './asking.ts'
import { exitCodes } from './exit-codes.ts'

export type Sink = { readonly write: (text: string) => void; readonly isTty: boolean; readonly columns: number }

/** A terminal, pipe or file to read from; `read` returns everything up to its end. */
export type Source = { readonly isTty: boolean; readonly read: () => Promise<Buffer> }

/** Everything a command may touch outside itself. */
export type Io = {
  readonly stdout: Sink
  readonly stderr: Sink
  readonly stdin: Source
  readonly ask: Asking
  readonly env: Readonly<Record<string, string | undefined>>
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** A number in [0, 1). */
  readonly random: () => number
  readonly newId: () => string
  /** Opens an address in the browser; false or undefined when there is none. */
  readonly browse?: (url: string) => Promise<boolean>
  /** Calls back once after `ms` unless the returned function is called first; undefined: never calls back. */
  readonly after?: (ms: number, work: () => void) => () => void
  /** Rejects with the reason of `signal` when it is aborted. */
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
  // Ctrl-C must not wait for the end of input.
  signal.addEventListener('abort', () => process.stdin.destroy(), { once: true })
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** One Ctrl-C may arrive twice, from the terminal and from a starting script; only a later one forces an exit. */
const repeatedInterruptMs = 500

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

/** The `Io` of this process: the first Ctrl-C aborts `signal`, a later one exits at once. */
export function processIo(): Io {
  const interrupt = new AbortController()
  let interruptedAt: number | undefined
  process.on('SIGINT', () => {
    if (interruptedAt === undefined) interruptedAt = Date.now()
    else if (Date.now() - interruptedAt > repeatedInterruptMs) process.exit(130)
    interrupt.abort()
  })
  process.on('SIGTERM', () => interrupt.abort())
  // `les leads list | head` closes the pipe early; that is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`les: standard output cannot be written (${error.code ?? error.message})\n`)
    process.exit(exitCodes.api)
  })
  return {
    stdout: sinkOf(() => process.stdout),
    stderr: sinkOf(() => process.stderr),
    // Standard input is opened on first use, since many commands read nothing.
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
