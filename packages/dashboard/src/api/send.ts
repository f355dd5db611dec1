import { ApiError } from './error.ts'

export type SendSettings = { readonly signal?: AbortSignal | undefined; readonly idempotencyKey?: string | undefined }

const unreachable = { error: 'The service cannot be reached. Check your connection, then try again.' }

/** For a success with a body that is not JSON, which comes from something else, such as a network's login page. */
const notOurs = { error: 'The answer did not come from the service. Check your connection, then try again.' }

/** Unicode controls of text direction, which would make a name, and the words after it, read differently than stored. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** The JSON of an answer, without direction controls; undefined if it is not JSON. Rejects when the connection breaks. */
async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text.replace(directions, ''))
  } catch {
    return undefined
  }
}

/** Sends JSON to our own origin and reads a JSON answer; rejects with `ApiError` unless it succeeds. */
export async function send<T>(method: string, path: string, body?: unknown, settings: SendSettings = {}): Promise<T> {
  const writes = method !== 'GET'
  const headers: Record<string, string> = { accept: 'application/json' }
  if (writes) headers['content-type'] = 'application/json'
  if (settings.idempotencyKey) headers['idempotency-key'] = settings.idempotencyKey
  let response: Response
  let answer: unknown
  try {
    response = await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      redirect: 'error',
      signal: settings.signal ?? null,
      body: writes ? JSON.stringify(body ?? {}) : null,
    })
    answer = await readAnswer(response)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, unreachable)
  }
  if (response.ok && answer === undefined) throw new ApiError(0, notOurs)
  if (response.ok) return answer as T
  const refusal =
    typeof answer === 'object' && answer !== null
      ? (answer as Record<string, unknown>)
      : {
          error:
            response.status >= 500
              ? 'The service failed. Try again in a moment.'
              : `The service answered ${response.status}.`,
        }
  throw new ApiError(response.status, { requestId: response.headers.get('x-request-id') ?? undefined, ...refusal })
}

export const readiness = (): Promise<boolean> =>
  fetch('/readyz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
