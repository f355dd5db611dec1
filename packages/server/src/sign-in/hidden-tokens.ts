/**
 * Session tokens stay out of reach of scripts: a page never needs one, its cookie carries it. What the library's answers say of
 * tokens is taken out, and a session is ended by its id. The device flow hands its token to a program, which is its purpose.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'

const speaking = ['/sign-in/email', '/list-sessions', '/get-session', '/change-password', '/update-session']

/** A value without any `token` in it. */
function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'token')
      .map(([name, inner]) => [name, without(inner)]),
  )
}

/** The plugin. */
export function hiddenTokens(): BetterAuthPlugin {
  return {
    id: 'hidden-tokens',
    hooks: {
      before: [
        {
          // `{id}` becomes the token of that session, when it is one of the person's own.
          matcher: (context) => context.path === '/revoke-session',
          handler: createAuthMiddleware(async (context) => {
            const { id } = (context.body ?? {}) as { id?: unknown }
            if (typeof id !== 'string') return
            const mine = await getSessionFromCtx(context)
            const known = mine ? await context.context.internalAdapter.listSessions(mine.user.id) : []
            const token = known.find((session) => session.id === id)?.token ?? ''
            return { context: { body: { token } } }
          }),
        },
      ],
      after: [
        {
          matcher: (context) => speaking.includes(context.path ?? ''),
          handler: createAuthMiddleware(async (context) => {
            const { returned } = context.context
            if (returned instanceof Error || typeof returned !== 'object' || returned === null) return
            return context.json(without(returned) as Record<string, unknown>)
          }),
        },
      ],
    },
  }
}
