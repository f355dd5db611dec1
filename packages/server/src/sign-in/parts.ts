import type { Kysely } from 'kysely'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import type { Log } from '../platform/log.ts'
import type { Ids } from '../platform/random.ts'
import type { Vault } from '../platform/secrets.ts'
import type { SignInLimits } from './limits.ts'
import type { SendMail } from './mail.ts'

/** Who may make an account: everybody with a mail address, addresses that were mailed an invitation, or nobody. */
export type SignUpPolicy = 'open' | 'invited' | 'off'

export type SignInParts = {
  /** The unguarded root handle: better-auth runs its own transactions, never inside a unit of work. */
  readonly db: Kysely<Database>
  readonly ids: Ids
  readonly system: SystemClock
  readonly vault: Vault
  readonly log: Log
  readonly sendMail: SendMail
  /** The public origin; called at first use, when the port is known. */
  readonly origin: () => string
  /** Takes work that no answer waits for, so that response times do not reveal whether an account exists. */
  readonly runInBackground: (work: Promise<unknown>) => void
  readonly signUp: SignUpPolicy
  readonly serviceNow: () => Promise<Date>
  /** Null for tests: no limits. */
  readonly limits: SignInLimits | null
  /** Proxies whose `X-Forwarded-For` is believed; default: none. */
  readonly trustedProxies?: readonly string[]
  /** Allowed schemes in redirect addresses of desktop programs; default: `knownDesktopSchemes`. */
  readonly desktopSchemes?: readonly string[] | undefined
}

export const signInPath = '/app/api/auth'

/** The header with the connection's address; the surface drops a caller's own. */
export const addressHeader = 'x-les-peer'
