/**
 * Limits of signing in, signing up and resetting, counted in the database over all processes. The library counts by address;
 * tries at an account are counted here by account and address, so that a stranger cannot lock the person out, and by account
 * alone with a far higher limit.
 */
import { getIP } from '@better-auth/core/utils/ip'
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { APIError, getSessionFromCtx } from 'better-auth/api'
import { sql, type Kysely } from 'kysely'
import { queryValue } from '../platform/db/query.ts'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import { sha256 } from '../platform/secrets.ts'
import type { Mail } from './mail.ts'
import { onRoutes } from './on-routes.ts'

/** Per minute and address; `accountTries`: in 15 minutes; `accountTriesInAll`: from all addresses, which takes many machines. */
export const strictLimits = { signIns: 5, signUps: 5, resets: 3, accountTries: 20, accountTriesInAll: 400 }

export type SignInLimits = Readonly<typeof strictLimits>

export const accountWindowMs = 15 * 60_000

/** The limits by address, as better-auth's rules. */
export function rulesOf(limits: SignInLimits) {
  const window = 60
  // A command-line client polls every five seconds.
  const device = { window, max: 30 }
  return {
    window,
    max: 300,
    customRules: {
      '/sign-in/email': { window, max: limits.signIns },
      '/sign-up/email': { window, max: limits.signUps },
      '/request-password-reset': { window, max: limits.resets },
      '/reset-password': { window, max: limits.signIns },
      '/change-password': { window, max: limits.signIns },
      '/invitation/read': { window, max: 10 },
      '/device/code': { window, max: 10 },
      '/device/*': device,
      '/device': device,
      '/oauth2/register': { window, max: 10 },
    },
  }
}

/** Counts a try and returns the tries of its window. One statement, so that concurrent tries all count. */
async function countTry(db: Kysely<Database>, account: Buffer, now: Date): Promise<number> {
  const over = new Date(now.getTime() - accountWindowMs)
  // A window that begins in the future was opened before the clock was set back.
  const isOver = sql`(t.opened_at <= ${over} or t.opened_at > ${new Date(now.getTime() + accountWindowMs)})`
  return (await queryValue<number>(db)`
    insert into sign_in.account_try as t (account, opened_at, tries) values (${account}, ${now}, 1)
    on conflict (account) do update set
      opened_at = case when ${isOver} then excluded.opened_at else t.opened_at end,
      tries = case when ${isOver} then 1 else t.tries + 1 end
    returning tries`)!
}

/** Mails of one kind to one address in 15 minutes, from all who ask. */
const maxMails = 3

/** Counts a mail; false when its address has had `maxMails` of that kind. */
export async function mayMail(db: Kysely<Database>, system: SystemClock, { to, subject }: Mail): Promise<boolean> {
  const key = sha256(`mail ${subject} ${to.trim().toLowerCase()}`)
  return (await countTry(db, key, new Date(system.nowMs()))) <= maxMails
}

const judgingRoutes = ['/sign-in/email', '/change-password']

/** Hash of the account's address, typed or from the session; hashed because a typed address may be a password. */
async function accountOf(context: Parameters<typeof getSessionFromCtx>[0]): Promise<Buffer | null> {
  const email: unknown =
    context.path === '/change-password'
      ? (await getSessionFromCtx(context))?.user.email
      : (context.body as { email?: unknown } | undefined)?.email
  return typeof email === 'string' && email.length <= 400 ? sha256(email.trim().toLowerCase()) : null
}

type Tried = { readonly headers?: Headers | undefined; readonly context: { readonly options: BetterAuthOptions } }

const accountAt = (account: Buffer, { headers, context }: Tried): Buffer =>
  sha256(`${account.toString('hex')} ${(headers && getIP(headers, context.options)) ?? ''}`)

const tooManyTries = () =>
  new APIError(
    'TOO_MANY_REQUESTS',
    {
      code: 'TOO_MANY_TRIES',
      message: 'Too many tries at this account: wait a quarter of an hour, or reset the password',
    },
    { 'retry-after': String(accountWindowMs / 1_000) },
  )

/** The plugin; refuses 429 `TOO_MANY_TRIES` whether or not the account exists. */
export function accountLimit(db: Kysely<Database>, system: SystemClock, limits: SignInLimits): BetterAuthPlugin {
  return {
    id: 'account-limit',
    hooks: {
      before: [
        onRoutes(judgingRoutes, async (context) => {
          const account = await accountOf(context)
          if (account === null) return
          const now = new Date(system.nowMs())
          // A try refused here does not count against the account over all addresses.
          if ((await countTry(db, accountAt(account, context), now)) > limits.accountTries) throw tooManyTries()
          if ((await countTry(db, account, now)) > limits.accountTriesInAll) throw tooManyTries()
        }),
      ],
      after: [
        onRoutes(judgingRoutes, async (context) => {
          const account = await accountOf(context)
          const { returned, newSession } = context.context
          const succeeded = context.path === '/change-password' ? !(returned instanceof Error) : newSession
          if (account !== null && succeeded)
            await sql`delete from sign_in.account_try where account = ${accountAt(account, context)}`.execute(db)
        }),
      ],
    },
  }
}
