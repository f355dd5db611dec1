/** `/app/api/auth` and the OAuth metadata: passes requests to the sign-in library, and its answers back. */
import { errorTable } from '@les/contract'
import { Refusal } from '../../platform/refusal.ts'
import { parseJsonObject, readBody } from '../http/body.ts'
import type { Incoming } from '../http/envelope.ts'
import { pathOf } from '../http/target.ts'
import { refuseBadText } from '../input.ts'
import { webHeaders, type DashboardParts } from './visitor.ts'

export const authPath = '/app/api/auth'

/** Anyone can register an app, so that body must be small. The longest other body repeats an app's whole authorization URL. */
const registerPath = `${authPath}/oauth2/register`
const maxBytes = { register: 8 * 1_024, other: 64 * 1_024 }

/** Methods of the library's routes; `new Request` throws for some others, which would look like our bug. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Refuses what no column can store: NUL in the query or the body, unpaired surrogates in JSON, and JSON that nests too deep. */
function refuseUnstorable(url: string, type: string, bytes: Buffer | undefined): void {
  const text = bytes?.toString('latin1') ?? ''
  if (/%00/.test(url) || text.includes('\0') || (!/json/i.test(type) && /%00/.test(text)))
    throw new Refusal('invalid_request', {}, 'The request must not contain NUL')
  if (bytes && /json/i.test(type)) refuseBadText(parseJsonObject(bytes, {}), [])
}

const nowhere = { error: errorTable.no_such_endpoint.message, code: errorTable.no_such_endpoint.code }

/** Adds `error` and `requestId` to a refusal of the library; null for OAuth's own errors, which stay as they are. */
function asOurs(status: number, body: Buffer, requestId: string): Buffer | null {
  let said: unknown
  try {
    said = body.length === 0 ? (status === 404 ? nowhere : {}) : JSON.parse(body.toString())
  } catch {
    return null
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return null
  const { error, message, code } = said as Readonly<Record<string, unknown>>
  if (typeof error === 'string' && code === undefined) return null
  const text = error ?? message ?? 'The request was refused'
  const named = status === 429 && code === undefined ? { code: 'rate_limited' } : {}
  return Buffer.from(JSON.stringify({ error: text, ...named, ...said, requestId }))
}

/** Serves a request; throws a `Refusal` for a body that is too large or cannot be stored. The library checks origins itself. */
export async function serveAuth(parts: DashboardParts, { raw, response, url, requestId }: Incoming): Promise<void> {
  const method = raw.method ?? 'GET'
  if (!methods.includes(method)) throw new Refusal('no_such_endpoint')
  const most = pathOf(url) === registerPath ? maxBytes.register : maxBytes.other
  const bytes = method === 'GET' || method === 'HEAD' ? undefined : await readBody(raw, most)
  refuseUnstorable(url, raw.headers['content-type'] ?? '', bytes)
  // Not the host in the request target: the caller chooses it, and it may be invalid.
  const search = url.indexOf('?')
  const request = new Request(`${parts.publicOrigin()}${pathOf(url)}${search === -1 ? '' : url.slice(search)}`, {
    method,
    headers: webHeaders(raw),
    ...(bytes === undefined || bytes.length === 0 ? {} : { body: new Uint8Array(bytes) }),
  })
  const answer = await parts.signIn.handle(request)
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') headers[name] = value
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const wait = answer.headers.get('x-retry-after')
  if (wait !== null) headers['retry-after'] ??= wait
  const body = Buffer.from(await answer.arrayBuffer())
  const ours = answer.status >= 400 ? asOurs(answer.status, body, requestId) : null
  if (ours !== null) {
    delete headers['content-length']
    headers['content-type'] = 'application/json; charset=utf-8'
  }
  response.writeHead(answer.status, { 'cache-control': 'no-store', ...headers })
  response.end(ours ?? body)
}
