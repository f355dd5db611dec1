/** What our plugins of better-auth share. */
import type { BetterAuthPlugin } from 'better-auth'

type Hook = NonNullable<NonNullable<BetterAuthPlugin['hooks']>['before']>[number]

/** A hook of the library for some of its routes, by their paths. */
export const onRoutes = (paths: readonly string[], handler: Hook['handler']): Hook => ({
  matcher: ({ path }) => paths.includes(path ?? ''),
  handler,
})
