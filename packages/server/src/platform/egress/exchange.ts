import { type Dispatcher, errors, buildConnector, Agent } from 'undici'
import { EgressFailure, type EgressRequest, type EgressResponse, type Egress } from './types.ts'
import type { Socket } from 'node:net'
import { type SystemClock, systemClock } from '../clock.ts'

type Answer = Omit<EgressResponse, 'elapsedMs'>

type Exchanges = {
  /** One request: no redirects, no decompression, at most `maxBytes` of body; rejects only with `EgressFailure`. */
  run(request: EgressRequest, url: URL): Promise<Answer>
  /** Aborts all requests, running and later ones. */
  giveUp(): void
}

/** Egress by an agent of undici; `urlOf` reads an address, or throws. */
export function egressBy(agent: Agent, system: SystemClock, urlOf: (address: string) => URL): Egress {
  const exchanges = openExchanges(agent)
  return {
    request: async (request) => {
      const startedMs = system.nowMs()
      const answer = await exchanges.run(request, urlOf(request.url))
      return { ...answer, elapsedMs: system.nowMs() - startedMs }
    },
    close: async () => {
      exchanges.giveUp()
      await agent.destroy()
    },
  }
}

/** Uses undici's handlers: the streams and signals of its `request` took most of the processor time of a small delivery. */
function openExchanges(dispatcher: Dispatcher): Exchanges {
  const underWay = new Set<Exchange>()
  let closed = false
  return {
    run: (request, url) => {
      const exchange = new Exchange(request, () => underWay.delete(exchange))
      underWay.add(exchange)
      if (closed) exchange.giveUp()
      else exchange.begin(dispatcher, url)
      return exchange.answer
    },
    giveUp: () => {
      closed = true
      for (const exchange of [...underWay]) exchange.giveUp()
    },
  }
}

/** One exchange; it ends once, and later events are ignored. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #answered = Promise.withResolvers<Answer>()
  readonly answer: Promise<Answer> = this.#answered.promise
  readonly #request: EgressRequest
  readonly #over: () => void
  readonly #timer: NodeJS.Timeout
  readonly #giveUp = () => this.giveUp()
  #controller: Dispatcher.DispatchController | undefined
  #failure: EgressFailure | undefined
  #ended = false
  #status = 0
  #headers: Record<string, string> = {}
  readonly #chunks: Buffer[] = []
  #size = 0

  constructor(request: EgressRequest, over: () => void) {
    this.#request = request
    this.#over = over
    // In a process that was paused, timers fire before arrived data is read: `setImmediate` lets the answer win.
    this.#timer = setTimeout(() => setImmediate(() => this.#fail(tooLate(request))), request.timeoutMs)
    request.signal?.addEventListener('abort', this.#giveUp, { once: true })
  }

  begin(dispatcher: Dispatcher, url: URL): void {
    const { signal, method, headers, body, timeoutMs } = this.#request
    if (signal?.aborted) {
      this.giveUp()
      return
    }
    try {
      const options: Dispatcher.DispatchOptions = {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: headers ?? {},
        body: body ?? null,
        // The deadline above decides; undici's own are a second line of defence.
        headersTimeout: timeoutMs + 1_000,
        bodyTimeout: timeoutMs + 1_000,
      }
      dispatcher.dispatch(options, this)
    } catch (error) {
      this.#fail(asFailure(error))
    }
  }

  giveUp(): void {
    this.#fail(new EgressFailure('aborted', 'The request was given up.'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#failure) controller.abort(this.#failure)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Ignores 1xx responses.
    if (this.#ended || status < 200) return
    this.#status = status
    this.#headers = flatHeaders(headers)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#ended) return
    const room = this.#request.maxBytes - this.#size
    if (chunk.length <= room) {
      this.#chunks.push(chunk)
      this.#size += chunk.length
      return
    }
    const tooLarge = new EgressFailure('too_large', `The answer is longer than ${this.#request.maxBytes} bytes.`)
    if ((this.#request.onTooLarge ?? 'fail') === 'fail') {
      this.#fail(tooLarge)
      return
    }
    this.#chunks.push(chunk.subarray(0, room))
    this.#size += room
    this.#end(() => this.#answered.resolve(this.#answer(true)))
    // The rest of the answer is still arriving, so the connection must end.
    controller.abort(tooLarge)
  }

  onResponseEnd(): void {
    this.#end(() => this.#answered.resolve(this.#answer(false)))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(asFailure(error))
  }

  #answer(truncated: boolean): Answer {
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size)
    return { status: this.#status, headers: this.#headers, body, truncated }
  }

  #fail(failure: EgressFailure): void {
    if (this.#ended) return
    this.#failure = failure
    // undici assigns a controller once a connection writes the request.
    failure.sent = this.#controller !== undefined
    this.#end(() => this.#answered.reject(failure))
    this.#controller?.abort(failure)
  }

  #end(settle: () => void): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#timer)
    this.#request.signal?.removeEventListener('abort', this.#giveUp)
    this.#over()
    settle()
  }
}

const tooLate = ({ timeoutMs }: EgressRequest) =>
  new EgressFailure('timeout', `No complete answer within ${timeoutMs} ms.`)

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: [string, string][] = []
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat.push([name, Array.isArray(value) ? value.join(', ') : value])
  return Object.fromEntries(flat)
}

/** Makes any error an `EgressFailure`. */
export function asFailure(error: unknown): EgressFailure {
  if (error instanceof EgressFailure) return error
  if (error instanceof errors.HeadersOverflowError)
    return new EgressFailure('too_large', 'The answer has too many or too long headers.', error)
  const timeouts = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError]
  if (timeouts.some((timeout) => error instanceof timeout))
    return new EgressFailure('timeout', 'No answer in time.', error)
  return new EgressFailure('connection', connectionMessage(error), error)
}

function connectionMessage(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET') return 'The connection was cut.'
  if (code === 'ENOTFOUND' || code === 'ENODATA') return 'The host name does not resolve.'
  if (code.startsWith('ERR_TLS') || code.startsWith('CERT_') || code.includes('CERT'))
    return 'The TLS certificate was not accepted.'
  return 'The connection failed.'
}

/** A 1xx response, except `101`, which ends HTTP and is left to undici to refuse. */
const informationalLine = /^HTTP\/1\.[01] 1(?!01)\d\d/
const shortestLine = 'HTTP/1.1 100'
const endOfHead = Buffer.from('\r\n\r\n')

/** A longer head is not stripped: undici sees it and closes the connection. */
const longestHead = 64 * 1024

/** Strips complete 1xx responses from the start of `bytes`; `more` is true while the last one is incomplete. */
function stripInformational(bytes: Buffer): { rest: Buffer; more: boolean } {
  let rest = bytes
  for (;;) {
    const line = rest.toString('latin1', 0, shortestLine.length)
    if (!informationalLine.test(line + shortestLine.slice(line.length))) return { rest, more: false }
    const end = rest.indexOf(endOfHead)
    if (end === -1) return { rest, more: rest.length < longestHead }
    rest = rest.subarray(end + endOfHead.length)
  }
}

/** Hides 1xx responses. A response begins with the first read after a write: undici writes a request at once. */
function skipInformational<T extends Socket>(socket: T): T {
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
      const { rest, more } = stripInformational(kept.length === 0 ? chunk : Buffer.concat([kept, chunk]))
      kept = more ? rest : Buffer.alloc(0)
      if (more) continue
      begins = false
      return rest
    }
  }
  return socket
}

/** Wraps a connector so that its sockets hide 1xx responses. */
export const skippingInformational =
  (connect: buildConnector.connector): buildConnector.connector =>
  (target, callback) =>
    connect(target, (...outcome: buildConnector.CallbackArgs) => {
      const [error, socket] = outcome
      if (error === null && socket) skipInformational(socket)
      callback(...outcome)
    })

/** HTTP to vendors at configured URLs: keep-alive, no address guard (the sandbox is on loopback), no redirects. */
export function openPooledEgress(system: SystemClock = systemClock): Egress {
  const agent = new Agent({
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: 64 * 1024,
    allowH2: false,
    connect: skippingInformational(buildConnector({ timeout: 10_000, allowH2: false })),
  })
  return egressBy(agent, system, (address) => {
    const url = URL.parse(address)
    if (url !== null && /^https?:$/.test(url.protocol)) return url
    throw new EgressFailure('refused_address', 'The address is not a valid URL.')
  })
}
