import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'

type Hook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['before']>[number]
type Handler = Parameters<typeof createAuthMiddleware>[0]

/** A better-auth hook for some routes, by path. */
export const onRoutes = (paths: readonly string[], handler: Handler): Hook => ({
  matcher: ({ path }) => paths.includes(path ?? ''),
  handler: createAuthMiddleware(handler),
})
