/**
 * Guessing at one account: tries are counted by account and address together, so that a stranger who guesses does not keep the
 * person out; and by account over all addresses with a much higher figure. Those of an address are forgotten when one succeeds.
 */
import { getIP } from '@better-auth/core/utils/ip'
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { sql, type Kysely } from 'kysely'
import type { SystemClock } from '../platform/clock.ts'
import type { Database } from '../platform/db/schema.ts'
import { sha256 } from '../platform/secrets.ts'
import { accountWindowMs, type SignInLimits } from './limits.ts'

/** Every open route that judges a password. */
const judging = ['/sign-in/email', '/change-password']

/** Whose account a request tries, by the address that was typed or that of the session: a hash, since what was typed may be a password. */
async function accountOf(context: Parameters<typeof getSessionFromCtx>[0]): Promise<Buffer | null> {
  const email: unknown =
    context.path === '/change-password'
      ? (await getSessionFromCtx(context))?.user.email
      : (context.body as { email?: unknown } | undefined)?.email
  return typeof email === 'string' && email.length <= 400 ? sha256(email.trim().toLowerCase()) : null
}

type Tried = { readonly headers?: Headers | undefined; readonly context: { readonly options: BetterAuthOptions } }

/** An account as it is tried from one address, which is told as for the limits by address. */
const accountAt = (account: Buffer, { headers, context }: Tried): Buffer =>
  sha256(`${account.toString('hex')} ${(headers && getIP(headers, context.options)) ?? ''}`)

/** Counts a try and gives the tries of the window, this one among them. One statement, so that tries at once count each. */
async function countTry(db: Kysely<Database>, account: Buffer, now: Date): Promise<number> {
  const over = new Date(now.getTime() - accountWindowMs)
  // A window that begins in the future was opened by a clock that has been set back.
  const isOver = sql`(t.opened_at <= ${over} or t.opened_at > ${new Date(now.getTime() + accountWindowMs)})`
  const { rows } = await sql<{ tries: number }>`
    insert into sign_in.account_try as t (account, opened_at, tries) values (${account}, ${now}, 1)
    on conflict (account) do update set
      opened_at = case when ${isOver} then excluded.opened_at else t.opened_at end,
      tries = case when ${isOver} then 1 else t.tries + 1 end
    returning tries`.execute(db)
  const tries = rows[0]!.tries
  if (tries === 1)
    await sql`delete from sign_in.account_try
      where account in (select account from sign_in.account_try where opened_at <= ${over} order by opened_at limit 100
        for update skip locked)`.execute(db)
  return tries
}

/** Mails of one kind to one address in a quarter of an hour, whoever asks for them. */
const mostMails = 3

/** Counts a mail; false when its address got as many of that kind as it should. */
export async function mayMail(
  { db, system }: { readonly db: Kysely<Database>; readonly system: SystemClock },
  { to, subject }: { readonly to: string; readonly subject: string },
): Promise<boolean> {
  const key = sha256(`mail ${subject} ${to.trim().toLowerCase()}`)
  return (await countTry(db, key, new Date(system.nowMs()))) <= mostMails
}

/** True when the password was right: of a sign-in, when it made a session. */
const succeeded = ({
  path,
  context,
}: {
  path?: string | undefined
  context: { returned?: unknown; newSession: unknown }
}): boolean => (path === '/change-password' ? !(context.returned instanceof Error) : Boolean(context.newSession))

/** The plugin; refuses 429 `TOO_MANY_TRIES` whether or not the account exists. */
export function accountLimit(db: Kysely<Database>, system: SystemClock, limits: SignInLimits): BetterAuthPlugin {
  return {
    id: 'account-limit',
    hooks: {
      before: [
        {
          matcher: (context) => judging.includes(context.path ?? ''),
          handler: createAuthMiddleware(async (context) => {
            const account = await accountOf(context)
            if (account === null) return
            const now = new Date(system.nowMs())
            const here = await countTry(db, accountAt(account, context), now)
            // What is refused here is no try at the account, and uses up nothing of what others have.
            const tooMany = here > limits.accountTries || (await countTry(db, account, now)) > limits.accountTriesInAll
            if (tooMany)
              throw new APIError(
                'TOO_MANY_REQUESTS',
                {
                  code: 'TOO_MANY_TRIES',
                  message: 'Too many tries at this account: wait a quarter of an hour, or reset the password',
                },
                { 'retry-after': String(accountWindowMs / 1_000) },
              )
          }),
        },
      ],
      after: [
        {
          matcher: (context) => judging.includes(context.path ?? ''),
          handler: createAuthMiddleware(async (context) => {
            const account = await accountOf(context)
            if (account !== null && succeeded(context))
              await sql`delete from sign_in.account_try where account = ${accountAt(account, context)}`.execute(db)
          }),
        },
      ],
    },
  }
}
