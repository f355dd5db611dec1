/** `/app/api/auth` and the OAuth metadata: requests handed to the sign-in library, and its answers handed back. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bounds } from '@les/contract'
import { readBody } from '../http/body.ts'
import { webHeaders } from './api.ts'
import type { DashboardParts } from './ports.ts'

/** Where the library is served. */
export const authPath = '/app/api/auth'

/** Serves a request; throws a `Refusal` for a body that is too large. The library checks where a change comes from itself. */
export async function serveAuth(
  parts: DashboardParts,
  raw: IncomingMessage,
  response: ServerResponse,
  url: string,
): Promise<void> {
  const method = raw.method ?? 'GET'
  const bytes = method === 'GET' || method === 'HEAD' ? undefined : await readBody(raw, bounds.bodyBytes)
  const target = new URL(url, parts.publicOrigin())
  const request = new Request(`${parts.publicOrigin()}${target.pathname}${target.search}`, {
    method,
    headers: webHeaders(raw),
    ...(bytes === undefined || bytes.length === 0 ? {} : { body: new Uint8Array(bytes) }),
  })
  const answer = await parts.signIn.handle(request)
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') headers[name] = value
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  response.writeHead(answer.status, { 'cache-control': 'no-store', ...headers })
  response.end(Buffer.from(await answer.arrayBuffer()))
}
