/** What has ended and the library leaves behind: sessions, codes, tokens, proofs and tries. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../platform/db/unit-of-work.ts'
import { accountWindowMs } from './limits.ts'

const batch = 5_000
const dayMs = 24 * 3_600_000

/**
 * Forgets the keys that sign access tokens when the master key changes: new ones are made at the next use. Access tokens that are
 * out end, refresh tokens stay good.
 */
export async function forgetSigningKeys(tx: Tx): Promise<void> {
  await sql`delete from sign_in.jwks`.execute(tx.db)
}

/** What may go of each table at `now`. */
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
    // One that nobody let in goes after a day, one whose consents have ended 30 days after their end.
    oauthClient: sql<boolean>`"createdAt" < ${ago(dayMs)}
      and ("updatedAt" is null or "updatedAt" <= "createdAt" or "updatedAt" < ${ago(30 * dayMs)})
      and not exists (select 1 from sign_in."oauthConsent" o where o."clientId" = ended."clientId")`,
    // An account whose address nobody proved in a week opens nothing and keeps its address from nobody.
    user: sql<boolean>`not "emailVerified" and "createdAt" < ${ago(7 * dayMs)}`,
    account_try: sql<boolean>`opened_at < ${ago(accountWindowMs)}`,
    invitation: sql<boolean>`coalesce(accepted_at, revoked_at, expires_at) < ${ago(90 * dayMs)}`,
    // A token that such a key signed has long ended.
    jwks: sql<boolean>`"expiresAt" < ${ago(30 * dayMs)}`,
    rateLimit: sql<boolean>`"lastRequest" < ${ago(dayMs).getTime()}`,
  }
}

/** Forgets what has ended by `now` (system time, as the library counts), at most 5,000 rows of a table at once; answers how many. */
export async function purgeEnded(tx: Tx, now: Date): Promise<number> {
  let forgotten = 0
  for (const [name, isEnded] of Object.entries(endedRows(now))) {
    const table = sql.id('sign_in', name)
    const key = sql.ref(name === 'account_try' ? 'account' : 'id')
    const { numAffectedRows } = await sql`
      delete from ${table} where ${key} in (
        select ${key} from ${table} ended where ${isEnded} limit ${batch} for update skip locked)`.execute(tx.db)
    forgotten += Number(numAffectedRows ?? 0)
  }
  return forgotten
}
