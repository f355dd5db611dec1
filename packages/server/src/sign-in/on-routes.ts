import type { BetterAuthPlugin } from 'better-auth'

type Hook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['before']>[number]

/** A better-auth hook for some routes, by path. */
export const onRoutes = (paths: readonly string[], handler: Hook['handler']): Hook => ({
  matcher: ({ path }) => paths.includes(path ?? ''),
  handler,
})
