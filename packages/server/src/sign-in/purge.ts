/** What has ended and that the library leaves lying about: sessions, codes, tokens, proofs and tries. */
import { sql } from 'kysely'
import type { Tx } from '../platform/db/unit-of-work.ts'
import { accountWindowMs } from './limits.ts'

const batch = 5_000
const dayMs = 24 * 3_600_000

/** Tables whose rows say themselves when they end. */
const ending = [
  'session',
  'verification',
  'deviceCode',
  'oauthAccessToken',
  'oauthRefreshToken',
  'oauthClientAssertion',
] as const

/**
 * Forgets what ended at least a day before `now` (system time, as the library counts), at most 5,000 rows of a table at
 * once; answers how many. A client that registered itself and got no consent goes after a day, one whose
 * consents have ended 30 days after their end; an account whose
 * address nobody proved after 7; invitations 90 days after their end, signing keys 30, counts of tries after a day.
 */
export async function purgeEnded(tx: Tx, now: Date): Promise<number> {
  const yesterday = new Date(now.getTime() - dayMs)
  let forgotten = 0
  for (const table of ending) {
    const name = sql.id('sign_in', table)
    const { numAffectedRows } = await sql`delete from ${name}
        where id in (select id from ${name} where "expiresAt" < ${yesterday} limit ${batch}
          for update skip locked)`.execute(tx.db)
    forgotten += Number(numAffectedRows ?? 0)
  }
  const clients = await sql`
    delete from sign_in."oauthClient" where id in (
      select c.id from sign_in."oauthClient" c where c."createdAt" < ${yesterday}
        and (c."updatedAt" is null or c."updatedAt" <= c."createdAt"
          or c."updatedAt" < ${new Date(now.getTime() - 30 * dayMs)})
        and not exists (select 1 from sign_in."oauthConsent" o where o."clientId" = c."clientId") limit ${batch}
        for update skip locked)`.execute(tx.db)
  // An account whose address nobody proved in a week opens nothing and keeps its address from nobody.
  const unproven = await sql`delete from sign_in."user"
      where id in (select id from sign_in."user" u
        where not u."emailVerified" and u."createdAt" < ${new Date(now.getTime() - 7 * dayMs)} limit ${batch}
        for update skip locked)`.execute(tx.db)
  const tries = await sql`delete from sign_in.account_try
      where account in (select account from sign_in.account_try
        where opened_at < ${new Date(now.getTime() - accountWindowMs)} limit ${batch} for update skip locked)`.execute(
    tx.db,
  )
  const invitations = await sql`delete from sign_in.invitation
      where id in (select id from sign_in.invitation
        where coalesce(accepted_at, revoked_at, expires_at) < ${new Date(now.getTime() - 90 * dayMs)} limit ${batch}
        for update skip locked)`.execute(tx.db)
  // A token that such a key signed has long ended.
  const keys = await sql`delete from sign_in.jwks
      where id in (select id from sign_in.jwks
        where "expiresAt" < ${new Date(now.getTime() - 30 * dayMs)} limit ${batch} for update skip locked)`.execute(
    tx.db,
  )
  const limits = await sql`delete from sign_in."rateLimit"
      where id in (select id from sign_in."rateLimit" where "lastRequest" < ${yesterday.getTime()} limit ${batch}
        for update skip locked)`.execute(tx.db)
  return [invitations, keys, limits, clients, tries, unproven].reduce(
    (sum, { numAffectedRows }) => sum + Number(numAffectedRows ?? 0),
    forgotten,
  )
}
