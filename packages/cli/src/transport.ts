/** Calls to the service, one try each; shows them with `--debug` and keeps the last answer. */
import { catalogue } from './catalogue/load.ts'
import { exitCodes } from './exit-codes.ts'
import { Failure, isApiError } from './failure.ts'
import { printNote, type Shell } from './options.ts'
import { maskAll, maskKey } from './output/secrets.ts'
import { plain } from './output/text.ts'

export type RawAnswer = {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly retryAfterSeconds: number | undefined
}

/** Where calls go, and how long an answer may take. */
export type Destination = { readonly baseUrl: string; readonly timeoutSeconds: number; readonly shell: Shell }

const debugBodyLimit = 2_000
const silentMs = 250
export const userAgent = `les-cli/${catalogue.version}`

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** A readable failure when no answer came; other errors are returned unchanged. */
function explain(error: unknown, { baseUrl, timeoutSeconds, shell }: Destination): unknown {
  if (isApiError(error) || error instanceof Failure) return error
  if (shell.signal.aborted) return new Failure(exitCodes.interrupted, 'interrupted')
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new Failure(exitCodes.api, `no answer from ${baseUrl} within ${timeoutSeconds} s: --timeout gives it longer`)
  if (!(error instanceof TypeError) || error.cause === undefined) return error
  const { code, message } = error.cause as { code?: unknown; message?: unknown }
  return new Failure(
    exitCodes.api,
    `cannot reach ${baseUrl} (${String(code ?? message)}): ` +
      (isOfThisMachine.test(baseUrl)
        ? 'no service answers there on this machine; start it with npm start, or name another with --base-url or LES_BASE_URL'
        : 'is the service running, and is --base-url or LES_BASE_URL right?'),
  )
}

const isOfThisMachine = /^https?:\/\/(?:127\.|localhost|\[::1\])/

const secretHeaders = ['x-api-key', 'authorization', 'cookie', 'set-cookie']

function showHeaders(shell: Shell, mark: string, headers: Headers): void {
  for (const [name, value] of headers)
    shell.stderr.write(`${mark} ${name}: ${plain(secretHeaders.includes(name) ? maskKey(value) : value)}\n`)
}

const cut = (text: string): string =>
  plain(text.length > debugBodyLimit ? `${text.slice(0, debugBodyLimit)} … (${text.length} characters)` : text)

export function createTransport(to: Destination) {
  const { baseUrl, timeoutSeconds, shell } = to
  let last: RawAnswer | undefined
  const fetchOnce: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const startedAt = shell.now()
    if (shell.debug) {
      shell.stderr.write(`> ${init?.method ?? 'GET'} ${url.href}\n`)
      showHeaders(shell, '>', new Headers(init?.headers))
      if (typeof init?.body === 'string') shell.stderr.write(`> ${cut(maskAll(init.body))}\n`)
    }
    const stopNote = shell.after?.(silentMs, () => printNote(shell, `les: waiting for ${url.host} …`))
    // Following redirects would send the key to wherever they point.
    const response = await shell
      .fetch(url, {
        ...init,
        redirect: 'manual',
        signal: init?.signal ? AbortSignal.any([init.signal, shell.signal]) : shell.signal,
      })
      .finally(() => stopNote?.())
    const text = await response.text()
    last = { status: response.status, text, headers: response.headers, retryAfterSeconds: retryAfterOf(response) }
    if (shell.debug) {
      shell.stderr.write(`< ${response.status} in ${shell.now() - startedAt} ms\n`)
      showHeaders(shell, '<', response.headers)
      if (text !== '') shell.stderr.write(`< ${cut(maskAll(text))}\n`)
    }
    return new Response(text === '' ? null : text, { status: response.status, headers: response.headers })
  }
  const explained = (error: unknown): never => {
    throw explain(error, to)
  }
  return {
    /** One try; the typed client retries on its own. */
    fetch: fetchOnce,
    explained,
    last: (): RawAnswer | undefined => last,
    /** Sends one request below the service's address; a refusal resolves too. */
    async send(
      method: string,
      path: string,
      { body, headers = {} }: { readonly body?: string | undefined; readonly headers?: Record<string, string> },
    ): Promise<RawAnswer> {
      const content = body === undefined ? {} : { 'content-type': 'application/json' }
      await fetchOnce(new URL(path, baseUrl), {
        method,
        headers: { accept: 'application/json', 'user-agent': userAgent, ...content, ...headers },
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
        ...(body === undefined ? {} : { body }),
      }).catch(explained)
      return last!
    },
  }
}
