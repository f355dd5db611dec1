/** Signs the token that the device flow hands out: with `bearer` asking for a signature, a copy of the session table lets nobody in. */
import { createAuthMiddleware } from 'better-auth/api'
import type { BetterAuthPlugin } from 'better-auth'
import { serializeSignedCookie } from 'better-call'

/** The plugin. */
export function signedDeviceToken(): BetterAuthPlugin {
  return {
    id: 'signed-device-token',
    hooks: {
      after: [
        {
          matcher: (context) => context.path === '/device/token',
          handler: createAuthMiddleware(async (context) => {
            const answer = context.context.returned as { access_token?: unknown } | undefined
            if (typeof answer?.access_token !== 'string') return
            const signed = decodeURIComponent(
              (await serializeSignedCookie('', answer.access_token, context.context.secret)).replace('=', ''),
            )
            return context.json({ ...answer, access_token: signed })
          }),
        },
      ],
    },
  }
}
