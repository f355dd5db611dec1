/** Keeps session tokens from scripts. Ending all sessions ends connected apps and what was issued and is not used, too. */
import type { BetterAuthPlugin } from 'better-auth'
import { getSessionFromCtx } from 'better-auth/api'
import { serializeSignedCookie } from 'better-call'
import { sql, type Kysely } from 'kysely'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import { endConnections } from './connections.ts'
import { onRoutes } from './on-routes.ts'

/** Ends what works without the password: sessions, connected apps, approved command lines, unused links and codes. */
export async function endEverythingOf(db: Kysely<Database>, userId: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`delete from sign_in.session where "userId" = ${userId}`.execute(tx)
    await endOthersOf(tx, userId, now)
  })
}

async function endOthersOf(db: Kysely<Database>, userId: string, now: Date): Promise<void> {
  await sql`delete from sign_in."deviceCode" where "userId" = ${userId}`.execute(db)
  // Links that set a password, and codes of apps: their values contain the person's id.
  await sql`delete from sign_in.verification where position(${userId}::text in value) > 0`.execute(db)
  await endConnections(db, { userId }, now)
}

const endingRoutes = ['/revoke-sessions', '/revoke-other-sessions', '/change-password']
const speakingRoutes = ['/sign-in/email', '/list-sessions', '/get-session', '/change-password', '/update-session']

function withoutTokens(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTokens)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'token')
      .map(([name, inner]) => [name, withoutTokens(inner)]),
  )
}

export function guardedSessions(db: Kysely<Database>, system: Pick<SystemClock, 'nowMs'>): BetterAuthPlugin {
  return {
    id: 'guarded-sessions',
    hooks: {
      before: [
        onRoutes(
          ['/revoke-session'],
          // Replaces `{id}` by the token of that session, when it is the person's own.
          async (context) => {
            const { id } = (context.body ?? {}) as { id?: unknown }
            if (typeof id !== 'string') return
            const mine = await getSessionFromCtx(context)
            const known = mine ? await context.context.internalAdapter.listSessions(mine.user.id) : []
            const token = known.find((session) => session.id === id)?.token ?? ''
            return { context: { body: { token } } }
          },
        ),
      ],
      after: [
        onRoutes(
          ['/device/token'],
          // Signed, as `bearer` requires: a copy of the session table lets nobody in.
          async (context) => {
            const answer = context.context.returned as { access_token?: unknown } | undefined
            if (typeof answer?.access_token !== 'string') return
            const signed = decodeURIComponent(
              (await serializeSignedCookie('', answer.access_token, context.context.secret)).replace('=', ''),
            )
            return context.json({ ...answer, access_token: signed })
          },
        ),
        onRoutes(endingRoutes, async (context) => {
          const { returned, session } = context.context
          if (returned instanceof Error || !session) return
          const { revokeOtherSessions } = (context.body ?? {}) as { revokeOtherSessions?: unknown }
          if (context.path === '/change-password' && revokeOtherSessions !== true) return
          await db.transaction().execute((tx) => endOthersOf(tx, session.user.id, new Date(system.nowMs())))
        }),
        onRoutes(speakingRoutes, async (context) => {
          const { returned } = context.context
          if (returned instanceof Error || typeof returned !== 'object' || returned === null) return
          return context.json(withoutTokens(returned) as Record<string, unknown>)
        }),
      ],
    },
  }
}
