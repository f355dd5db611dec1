import { sql, type RawBuilder } from 'kysely'
import { countAffected } from '../platform/db/query.ts'
import type { Tx } from '../platform/db/unit-of-work.ts'
import { accountWindowMs } from './limits.ts'

const batch = 5_000
const dayMs = 24 * 3_600_000

/** Deletes the keys that sign access tokens, when the master key changes: access tokens end, refresh tokens stay good. */
export async function forgetSigningKeys(tx: Tx): Promise<void> {
  await sql`delete from sign_in.jwks`.execute(tx.db)
}

function endedRows(now: Date): Record<string, RawBuilder<boolean>> {
  const ago = (ms: number): Date => new Date(now.getTime() - ms)
  const endedYesterday = sql<boolean>`"expiresAt" < ${ago(dayMs)}`
  return {
    session: endedYesterday,
    verification: endedYesterday,
    deviceCode: endedYesterday,
    oauthAccessToken: endedYesterday,
    oauthRefreshToken: endedYesterday,
    oauthClientAssertion: endedYesterday,
    // A client without any consent goes after a day; one whose consents have ended, 30 days later.
    oauthClient: sql<boolean>`"createdAt" < ${ago(dayMs)}
      and ("updatedAt" is null or "updatedAt" <= "createdAt" or "updatedAt" < ${ago(30 * dayMs)})
      and not exists (select 1 from sign_in."oauthConsent" o where o."clientId" = ended."clientId")`,
    // An account without a proven address opens nothing, and does not reserve the address.
    user: sql<boolean>`not "emailVerified" and "createdAt" < ${ago(7 * dayMs)}`,
    account_try: sql<boolean>`opened_at < ${ago(accountWindowMs)}`,
    invitation: sql<boolean>`coalesce(accepted_at, revoked_at, expires_at) < ${ago(90 * dayMs)}`,
    // All tokens signed with such a key have long expired.
    jwks: sql<boolean>`"expiresAt" < ${ago(30 * dayMs)}`,
    rateLimit: sql<boolean>`"lastRequest" < ${ago(dayMs).getTime()}`,
  }
}

/** Deletes ended rows that the library leaves, at most 5,000 per table, by system time, as in the library. Returns how many. */
export async function purgeEnded(tx: Tx, now: Date): Promise<number> {
  let forgotten = 0
  for (const [name, isEnded] of Object.entries(endedRows(now))) {
    const table = sql.id('sign_in', name)
    const key = sql.ref(name === 'account_try' ? 'account' : 'id')
    forgotten += await countAffected(tx.db)`
      delete from ${table} where ${key} in (
        select ${key} from ${table} ended where ${isEnded} limit ${batch} for update skip locked)`
  }
  return forgotten
}
