/** Runs command lines in process against a small HTTP server that stands in for the service. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { run, type ExitCode, type Io } from '../src/index.ts'
import { httpFetch } from '../src/http-fetch.ts'

export type ReceivedRequest = {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly headers: IncomingMessage['headers']
}

/** An answer of the stub: JSON, or plain text. */
export type Reply = {
  readonly delayMs?: number
  readonly status?: number
  readonly body?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Stub = { readonly url: string; readonly received: ReceivedRequest[]; readonly close: () => Promise<void> }

async function read(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

/** Starts a stub that answers each request with `reply`. */
export async function startStub(reply: (request: ReceivedRequest, nth: number) => Reply): Promise<Stub> {
  const received: ReceivedRequest[] = []
  const server: Server = createServer((request, response) => {
    void read(request).then((body) => {
      const url = new URL(request.url!, 'http://stub')
      const seen = {
        method: request.method!,
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        body,
        headers: request.headers,
      }
      received.push(seen)
      const { status = 200, body: json = {}, text, headers = {}, delayMs = 0 } = reply(seen, received.length)
      const answer = () =>
        void response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(text ?? JSON.stringify(json))
      if (delayMs === 0) answer()
      else setTimeout(answer, delayMs).unref()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export type Outcome = {
  readonly code: ExitCode
  readonly stdout: string
  readonly stderr: string
  readonly pausesMs: readonly number[]
}

export type Circumstances = {
  readonly url?: string
  readonly env?: Readonly<Record<string, string>>
  readonly tty?: boolean
  /** The content of standard input; a terminal if it is missing and `tty` is true. */
  readonly stdin?: string
  /** Answers to questions, in turn; a question without an answer fails the test. */
  readonly answers?: readonly (boolean | string | undefined)[]
  readonly asked?: string[]
  /** Milliseconds at which the clock starts. */
  readonly now?: number
  readonly signal?: AbortSignal
  /** Called at each pause, which lasts until it returns; may press Ctrl-C. */
  readonly onPause?: (interrupt: () => void, nth: number) => unknown
}

/** Runs `les …` with a key, on a clock that only pauses move. A string is split at blanks. */
export async function les(
  argv: string | readonly string[],
  { url, env = {}, tty = false, stdin, answers = [], asked, signal, onPause, now: startMs = 0 }: Circumstances = {},
): Promise<Outcome> {
  const interrupt = new AbortController()
  const pausesMs: number[] = []
  signal?.addEventListener('abort', () => interrupt.abort())
  const left = [...answers]
  const answer = async (question: string): Promise<never> => {
    asked?.push(question)
    if (left.length === 0) throw new Error(`nobody answers: ${question}`)
    return left.shift() as never
  }
  let [stdout, stderr, now] = ['', '', startMs]
  const io: Io = {
    stdout: { write: (text) => void (stdout += text), isTty: tty, columns: 100 },
    stderr: { write: (text) => void (stderr += text), isTty: tty, columns: 100 },
    stdin: { isTty: tty && stdin === undefined, read: async () => Buffer.from(stdin ?? '') },
    ask: { confirm: answer, secret: answer, choose: answer },
    env: {
      HOME: '/nonexistent',
      LES_API_KEY: 'test-key',
      NO_COLOR: '1',
      ...(url === undefined ? {} : { LES_BASE_URL: url }),
      ...env,
    },
    fetch: httpFetch,
    signal: interrupt.signal,
    now: () => now,
    random: () => 0,
    newId: randomUUID,
    sleep: async (ms, signal) => {
      pausesMs.push(ms)
      await onPause?.(() => interrupt.abort(), pausesMs.length)
      signal.throwIfAborted()
      now += ms
    },
  }
  const code = await run(typeof argv === 'string' ? argv.split(' ') : argv, io)
  return { code, stdout, stderr, pausesMs }
}
