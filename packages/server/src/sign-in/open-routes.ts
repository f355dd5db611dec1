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

/** True for a path that is served: an open route below `root`, or metadata, which lies at the root of the server. */
export function isOpen(path: string, root: string): boolean {
  return path.startsWith('/.well-known/') || (path.startsWith(`${root}/`) && open.has(path.slice(root.length)))
}
