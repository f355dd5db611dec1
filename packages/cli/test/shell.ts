/** A shell for tests: runs command lines in process against a small HTTP server that plays the service. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { run, type ExitCode, type Io } from '../src/index.ts'

/** A request the stub received. */
export type Received = { readonly method: string; readonly path: string; readonly query: Readonly<Record<string, string>>; readonly body: unknown; readonly headers: IncomingMessage['headers'] }

/** An answer of the stub: JSON, or text as it is. */
export type Reply = { readonly status?: number; readonly body?: unknown; readonly text?: string; readonly headers?: Readonly<Record<string, string>> }

/** A running stub. */
export type Stub = { readonly url: string; readonly received: Received[]; readonly close: () => Promise<void> }

async function read(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

/** Starts a stub that answers each request with `reply`. */
export async function startStub(reply: (request: Received, nth: number) => Reply): Promise<Stub> {
  const received: Received[] = []
  const server: Server = createServer((request, response) => {
    void read(request).then((body) => {
      const url = new URL(request.url!, 'http://stub')
      const seen = { method: request.method!, path: url.pathname, query: Object.fromEntries(url.searchParams), body, headers: request.headers }
      received.push(seen)
      const { status = 200, body: json = {}, text, headers = {} } = reply(seen, received.length)
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text ?? JSON.stringify(json))
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

/** What a command line left behind. */
export type Outcome = { readonly code: ExitCode; readonly stdout: string; readonly stderr: string; readonly pausesMs: readonly number[] }

/** How a command line is run. */
export type Circumstances = {
  readonly url?: string
  readonly env?: Readonly<Record<string, string>>
  readonly tty?: boolean
  /** Called at each pause; may press Ctrl-C. */
  readonly onPause?: (interrupt: () => void, nth: number) => void
}

/** Runs `les …` with a key, on a clock that only pauses move. */
export async function les(argv: readonly string[], { url, env = {}, tty = false, onPause }: Circumstances = {}): Promise<Outcome> {
  const interrupt = new AbortController()
  const pausesMs: number[] = []
  let [stdout, stderr, now] = ['', '', 0]
  const io: Io = {
    stdout: { write: (text) => void (stdout += text), isTty: tty, columns: 100 },
    stderr: { write: (text) => void (stderr += text), isTty: tty, columns: 100 },
    env: { LES_API_KEY: 'test-key', NO_COLOR: '1', ...(url === undefined ? {} : { LES_BASE_URL: url }), ...env },
    fetch,
    signal: interrupt.signal,
    now: () => now,
    sleep: async (ms, signal) => {
      pausesMs.push(ms)
      onPause?.(() => interrupt.abort(), pausesMs.length)
      signal.throwIfAborted()
      now += ms
    },
  }
  const code = await run(argv, io)
  return { code, stdout, stderr, pausesMs }
}
