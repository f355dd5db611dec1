/**
 * Who ends every session of a person wants everybody else out: the apps that were connected meanwhile, and whatever was handed out
 * and is not used yet (yeses to command lines, codes of apps, links that set a password) end with the sessions.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import { sql, type Kysely } from 'kysely'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import { endConnectionsOfPerson } from './connections.ts'

/** Ends what could come back without the password: sessions, connected apps, yeses to command lines, links and codes not used yet. */
export async function endEverythingOf(db: Kysely<Database>, userId: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`delete from sign_in.session where "userId" = ${userId}`.execute(tx)
    await endOthersOf(tx, userId, now)
  })
}

async function endOthersOf(db: Kysely<Database>, userId: string, now: Date): Promise<void> {
  await sql`delete from sign_in."deviceCode" where "userId" = ${userId}`.execute(db)
  // Links that set a password and codes of apps that were not used yet: their values name the person, whatever else they hold.
  await sql`delete from sign_in.verification where position(${userId}::text in value) > 0`.execute(db)
  await endConnectionsOfPerson(db, userId, now)
}

const ending = ['/revoke-sessions', '/revoke-other-sessions', '/change-password']

/** The plugin: what ends the other sessions of a person ends their apps as well. */
export function endApps(db: Kysely<Database>, system: Pick<SystemClock, 'nowMs'>): BetterAuthPlugin {
  return {
    id: 'end-apps',
    hooks: {
      after: [
        {
          matcher: (context) => ending.includes(context.path ?? ''),
          handler: createAuthMiddleware(async (context) => {
            const { returned, session } = context.context
            if (returned instanceof Error || !session) return
            const { revokeOtherSessions } = (context.body ?? {}) as { revokeOtherSessions?: unknown }
            if (context.path === '/change-password' && revokeOtherSessions !== true) return
            await db.transaction().execute((tx) => endOthersOf(tx, session.user.id, new Date(system.nowMs())))
          }),
        },
      ],
    },
  }
}
