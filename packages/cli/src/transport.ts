/** Calls to the service: waits out rate limits and keeps each answer as it was sent. */
import { exitCodes } from './exit-codes.ts'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'

/** An answer as it came over the wire. */
export type RawAnswer = { readonly status: number; readonly text: string; readonly retryAfterSeconds: number | undefined }

/** A fetch for the typed client, and the answer it got last. */
export type Transport = { readonly fetch: typeof fetch; readonly last: () => RawAnswer | undefined }

const retries = 3

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

function unreachable(error: unknown, url: URL): Failure {
  const cause = error instanceof Error ? (error.cause as { code?: unknown; message?: unknown } | undefined) : undefined
  const why = String(cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : error))
  return new Failure(exitCodes.api, `cannot reach ${url.origin} (${why}): is the service running, and is --base-url or LES_BASE_URL right?`)
}

/** Makes a transport. A call that stays rate limited after 3 retries gives the last 429; one that gets no answer rejects with a `Failure`. */
export function createTransport(io: Io): Transport {
  let last: RawAnswer | undefined
  const once = async (url: URL, init: RequestInit | undefined): Promise<Response> => {
    try {
      // Redirects are not followed: they would carry the key to wherever they point.
      const response = await io.fetch(url, { ...init, redirect: 'manual', signal: io.signal })
      const text = await response.text()
      last = { status: response.status, text, retryAfterSeconds: retryAfterOf(response) }
      return new Response(text === '' ? null : text, { status: response.status, headers: response.headers })
    } catch (error) {
      throw io.signal.aborted ? new Failure(exitCodes.interrupted, 'interrupted') : unreachable(error, url)
    }
  }
  const send: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    for (let attempt = 1; ; attempt++) {
      const response = await once(url, init)
      if (response.status !== 429 || attempt > retries) return response
      const seconds = last?.retryAfterSeconds ?? 2 ** (attempt - 1)
      io.stderr.write(`les: rate limited, trying again in ${seconds} s (${attempt} of ${retries})\n`)
      await io.sleep(seconds * 1000, io.signal)
    }
  }
  return { fetch: send, last: () => last }
}
