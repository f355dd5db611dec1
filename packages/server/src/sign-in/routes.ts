/** The open routes of the sign-in library. All others are closed, also those of a later version, until they are named here. */

const open: ReadonlySet<string> = new Set([
  '/sign-up/email',
  '/sign-in/email',
  '/sign-out',
  '/get-session',
  '/list-sessions',
  '/revoke-session',
  '/revoke-sessions',
  '/revoke-other-sessions',
  '/update-user',
  '/change-password',
  '/request-password-reset',
  '/reset-password',
  '/invitation/read',
  '/device',
  '/device/code',
  '/device/approve',
  '/device/deny',
  '/device/token',
  '/jwks',
  '/oauth2/register',
  '/oauth2/authorize',
  '/oauth2/consent',
  '/oauth2/public-client',
  '/oauth2/token',
  '/oauth2/revoke',
  '/oauth2/userinfo',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
])

/** Metadata at the server's root, by whole path, because the library counts requests by the path asked. */
const metadata: ReadonlySet<string> = new Set([
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
])

/** True for a path that is served: an open route below `root`, or metadata. */
export function isOpen(path: string, root: string): boolean {
  return (
    metadata.has(path) ||
    path === `/.well-known/oauth-authorization-server${root}` ||
    (path.startsWith(`${root}/`) && open.has(path.slice(root.length)))
  )
}

/** Features of the library that are closed here: clients ending sessions, token introspection. */
const notKept = /^(?:backchannel_logout_|frontchannel_logout_|introspection_|end_session_)/

const pages = /\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?:\/|$)/

/** Prompts that work here; the library lists more. */
const prompts = ['login', 'consent', 'none']

function keptOf(document: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.fromEntries(Object.entries(document).filter(([name]) => !notKept.test(name)))
  return 'prompt_values_supported' in kept ? { ...kept, prompt_values_supported: prompts } : kept
}

/** Removes from an answer of metadata what does not work here. */
export async function keptMetadata(request: Request, response: Response): Promise<Response> {
  if (response.status !== 200 || request.method !== 'GET' || !pages.test(new URL(request.url).pathname)) return response
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const document = (await response.json()) as Record<string, unknown>
  return new Response(JSON.stringify(keptOf(document)), { status: 200, headers })
}
