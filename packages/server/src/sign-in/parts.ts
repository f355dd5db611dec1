/** What sign-in is made of. */
import type { Kysely } from 'kysely'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import type { Log } from '../platform/log.ts'
import type { Ids } from '../platform/random.ts'
import type { Vault } from '../platform/secrets.ts'
import type { SignInLimits } from './limits.ts'
import type { SendMail } from './mail.ts'

/**
 * Whether strangers make accounts: `open` to anybody who gets mail at an address, `invited` only to whom an invitation
 * was mailed, `off` to nobody.
 */
export type SignUpPolicy = 'open' | 'invited' | 'off'

/** Everything that it takes. */
export type SignInParts = {
  /** The unguarded root handle: better-auth runs its own transactions, never inside a unit of work. */
  readonly db: Kysely<Database>
  readonly ids: Ids
  readonly system: SystemClock
  readonly vault: Vault
  readonly log: Log
  readonly sendMail: SendMail
  /** Where people reach the service; asked at the first use, when the port is known. */
  readonly origin: () => string
  /** Takes work that no answer waits for, so that an answer does not tell by its time whether an account exists. */
  readonly later: (work: Promise<unknown>) => void
  /** Who may make an account. */
  readonly signUp: SignUpPolicy
  /** Service time, which invitations follow. */
  readonly serviceNow: () => Promise<Date>
  /** How often one address may try; null for tests: as often as it likes. */
  readonly limits: SignInLimits | null
  /** Proxies whose `X-Forwarded-For` is believed; left out: none. */
  readonly trustedProxies?: readonly string[]
  /** Schemes that redirect addresses of desktop programs may have; left out: those that are known. */
  readonly desktopSchemes?: readonly string[]
}

/** Where better-auth's own routes lie. */
export const signInPath = '/app/api/auth'

/** The header in which the surface says where a connection comes from; it drops one that a caller sends. */
export const addressHeader = 'x-les-peer'
