/**
 * The routes of the sign-in library that are open: those the pages, the command line and connected apps call. Any other is closed,
 * also one that the library's next version brings, until it is named here.
 */

/** Below the path of sign-in. */
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

/** Metadata at the root of the server: each by its whole path, since the library counts requests by the path that was asked. */
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
