/**
 * Clients that register themselves at the authorization server name no address that the service would call: it calls
 * nobody it was not told to by its operator.
 */
import { APIError, createAuthMiddleware } from 'better-auth/api'
import type { BetterAuthPlugin } from 'better-auth'

/**
 * Routes by which people would manage clients and resources by hand; clients register themselves, and consents end with
 * their connection. Nor are there tokens of sessions.
 */
export const closedPaths = [
  // A link alone proves no address: see `sign-up.ts`.
  '/verify-email',
  '/send-verification-email',
  '/oauth2/create-client',
  '/oauth2/update-client',
  '/oauth2/client/rotate-secret',
  '/oauth2/delete-client',
  '/oauth2/get-client',
  '/oauth2/get-clients',
  '/oauth2/update-consent',
  '/oauth2/delete-consent',
  '/token',
]

const called = ['backchannel_logout_uri', 'jwks_uri', 'sector_identifier_uri', 'request_uris']

/** The plugin; refuses 400 `invalid_client_metadata`. */
export function closedRegistration(): BetterAuthPlugin {
  return {
    id: 'closed-registration',
    hooks: {
      before: [
        {
          matcher: (context) => context.path === '/oauth2/register',
          handler: createAuthMiddleware(async ({ body }) => {
            const named = called.filter(
              (field) => (body as Readonly<Record<string, unknown>> | undefined)?.[field] !== undefined,
            )
            if (named.length > 0)
              throw new APIError('BAD_REQUEST', {
                error: 'invalid_client_metadata',
                error_description: `${named.join(', ')} is not supported here`,
              })
          }),
        },
      ],
    },
  }
}
