/** What the metadata of the authorization server promises: only what is kept. */

/** Of the library, and closed or refused here: ending sessions by clients, asking about tokens. */
const notKept = /^(?:backchannel_logout_|frontchannel_logout_|introspection_|end_session_)/

const pages = /\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?:\/|$)/

/** Ways of asking that are answered; the library names others that lead nowhere here. */
const prompts = ['login', 'consent', 'none']

/** A document of metadata without what is not kept. */
export function keptOf(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(document).filter(([name]) => !notKept.test(name)))
  return 'prompt_values_supported' in kept ? { ...kept, prompt_values_supported: prompts } : kept
}

/** Takes out of an answer of metadata what is not kept. */
export async function keptMetadata(request: Request, response: Response): Promise<Response> {
  if (response.status !== 200 || request.method !== 'GET' || !pages.test(new URL(request.url).pathname)) return response
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const document = (await response.json()) as Record<string, unknown>
  return new Response(JSON.stringify(keptOf(document)), { status: 200, headers })
}
