/**
 * A code that comes a second time was stolen, before its first use or after: what that use was given ends. The library ends the
 * refresh tokens; an access token is good by itself, so tokens from before now are refused (`connections.ts`).
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import { sql, type Kysely } from 'kysely'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import { sha256 } from '../platform/secrets.ts'

const longestCode = 500

/** The plugin. */
export function usedCodes(db: Kysely<Database>, system: Pick<SystemClock, 'nowMs'>): BetterAuthPlugin {
  return {
    id: 'used-codes',
    hooks: {
      before: [
        {
          matcher: (context) => context.path === '/oauth2/token',
          handler: createAuthMiddleware(async (context) => {
            const { grant_type: grant, code } = (context.body ?? {}) as { grant_type?: unknown; code?: unknown }
            if (grant !== 'authorization_code' || typeof code !== 'string' || code.length > longestCode) return
            // Tokens count from the beginning of their second: those of this one are refused too.
            const since = new Date(Math.floor(system.nowMs() / 1_000) * 1_000 + 1_000)
            await sql`update sign_in."oauthConsent" c set "createdAt" = ${since}
              from sign_in."oauthRefreshToken" t
              where t."authorizationCodeId" = ${sha256(code).toString('base64url')} and c."clientId" = t."clientId"
                and c."userId" = t."userId" and c."referenceId" is not distinct from t."referenceId"`.execute(db)
          }),
        },
      ],
    },
  }
}
