/** What clients of today leave unsaid when they register and ask: filled in, so that they need no exception later. */
import { createAuthMiddleware } from 'better-auth/api'
import type { BetterAuthPlugin } from 'better-auth'
import { toolScope, toolsResource } from './authorization.ts'
import { withStandIns } from './desktop-addresses.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * A registration whose `application_type` fits its addresses: a program on the person's machine is native. Scopes are
 * the server's to give.
 */
export function completeRegistration({ scope: _scope, ...body }: Fields): Fields {
  const addresses = Array.isArray(body.redirect_uris) ? body.redirect_uris : []
  const isNative = addresses.some((address) => typeof address === 'string' && !/^https:/i.test(address))
  return body.application_type === undefined && isNative ? { ...body, application_type: 'native' } : body
}

/** A request for authorization that names the tools, and may be renewed without asking the person every quarter of an hour. */
export function completeRequest(query: Fields, origin: string): Fields {
  const asked =
    typeof query.scope === 'string' && query.scope.trim() !== '' ? query.scope.trim().split(/\s+/) : [toolScope]
  return {
    ...query,
    resource: query.resource ?? toolsResource(origin),
    scope: [...new Set([...asked, 'offline_access'])].join(' '),
  }
}

/** The plugin; `desktopSchemes`: what redirect addresses of desktop programs may begin with. */
export function clientHabits(origin: string, desktopSchemes: readonly string[]): BetterAuthPlugin {
  return {
    id: 'client-habits',
    hooks: {
      before: [
        {
          matcher: (context) => context.path === '/oauth2/register',
          handler: createAuthMiddleware(async ({ body }) => ({
            context: { body: completeRegistration(withStandIns((body ?? {}) as Fields, desktopSchemes)) },
          })),
        },
        {
          matcher: (context) => context.path === '/oauth2/authorize' && typeof context.query?.client_id === 'string',
          handler: createAuthMiddleware(async ({ query }) => ({
            context: { query: completeRequest((query ?? {}) as Fields, origin) },
          })),
        },
      ],
    },
  }
}
