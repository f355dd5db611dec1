/** Only this folder knows better-auth and the schema `sign_in`. */
import type { TeamRole } from '@les/contract'
import type { Reader } from '../platform/db/unit-of-work.ts'
import type { Person } from '../modules/accounts/index.ts'
import { openTools, type ToolSignIn } from './authorization.ts'
import { makeAuth, type Auth } from './better-auth.ts'
import { invitationMail, type MailedInvitation } from './mail.ts'
import { findDashboardRole, listStillIn, type Presence } from './memberships.ts'
import { addressHeader, signInPath, type SignInParts } from './parts.ts'
import { isOpen, keptMetadata } from './routes.ts'
import { rethrowingDatabaseTrouble } from './trouble.ts'

export type SignIn = {
  /** Serves `/app/api/auth` and the OAuth metadata; reads the caller's address from `x-les-peer`. Throws database trouble. */
  handle(request: Request): Promise<Response>
  /** The person of a session cookie, or of a command-line client's token; null for nobody. */
  session(headers: Headers): Promise<Person | null>
  role(db: Reader, userId: string, teamId: string): Promise<TeamRole | null>
  /** Whether each session still holds and its person is still a member, for open streams. */
  stillIn(db: Reader, present: readonly Presence[], at: Date): Promise<readonly boolean[]>
  /** Sends an invitation in the background, after the commit; a failure is logged. */
  mailInvitation(invitation: MailedInvitation): void
  /** Makes an account, or sets its password; its address counts as proven. Returns the person's id. */
  ensureUser(wanted: Wanted): Promise<string>
  readonly tools: ToolSignIn
  auth(): Auth
  /** Resolves when all running mails are sent. */
  settled(): Promise<void>
}

/** Opens sign-in; the better-auth instance is made at first use, when the port is known. */
export function openSignIn(parts: Omit<SignInParts, 'runInBackground'>): SignIn {
  const underWay = new Set<Promise<unknown>>()
  const runInBackground = (work: Promise<unknown>): void => {
    const watched = work
      .catch((error: unknown) => parts.log.error('a mail could not be sent', { error }))
      .finally(() => underWay.delete(watched))
    underWay.add(watched)
  }
  let made: Auth | undefined
  const auth = (): Auth => (made ??= makeAuth({ ...parts, runInBackground }))
  return {
    handle: async (request) => {
      if (!isOpen(new URL(request.url).pathname, signInPath))
        return Response.json({ error: 'No such endpoint', code: 'not_found' }, { status: 404 })
      const answer = await rethrowingDatabaseTrouble(
        () => auth().handler(fromPeer(request, parts.trustedProxies ?? [])),
        ({ status }) => status >= 400,
      )
      return await keptMetadata(request, answer)
    },
    session: async (headers) => {
      // Extending a session also renews its cookie, which only `handle` can do.
      const found = await rethrowingDatabaseTrouble(
        () => auth().api.getSession({ headers, query: { disableRefresh: true } }),
        (session) => session === null,
      )
      // Nobody signs in before their address is proven; an older session without that does not count.
      if (!found?.user.emailVerified) return null
      return { id: found.user.id, sessionId: found.session.id, email: found.user.email, name: found.user.name }
    },
    role: findDashboardRole,
    stillIn: listStillIn,
    mailInvitation: (invitation) => runInBackground(parts.sendMail(invitationMail(parts.origin(), invitation))),
    ensureUser: (wanted) => ensureUser(auth(), wanted),
    tools: openTools({ auth, db: parts.db, origin: parts.origin }),
    auth,
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** Puts the chain that better-auth may believe into the address header: trusted proxies, then the connection's address. */
function fromPeer(request: Request, trustedProxies: readonly string[]): Request {
  if (trustedProxies.length === 0) return request
  const chain = [request.headers.get('x-forwarded-for'), request.headers.get(addressHeader)].filter(
    (part) => part !== null && part !== '',
  )
  const headers = new Headers(request.headers)
  headers.set(addressHeader, chain.join(', '))
  return new Request(request, { headers })
}

type Wanted = { readonly email: string; readonly name: string; readonly password: string }

async function ensureUser(auth: Auth, wanted: Wanted): Promise<string> {
  const { internalAdapter, password } = await auth.$context
  const hash = await password.hash(wanted.password)
  const known = await internalAdapter.findUserByEmail(wanted.email)
  if (known) {
    await internalAdapter.updatePassword(known.user.id, hash)
    await internalAdapter.updateUser(known.user.id, { emailVerified: true })
    return known.user.id
  }
  const user = await internalAdapter.createUser(
    { email: wanted.email, name: wanted.name, emailVerified: true },
    { method: 'email-password' },
  )
  await internalAdapter.linkAccount({ userId: user.id, providerId: 'credential', accountId: user.id, password: hash })
  return user.id
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The public origin, else loopback: browsers keep no session cookie for any other bound address, so that becomes `localhost`. */
export function originOf(publicUrl: string | null, bound: string): string {
  if (publicUrl !== null) return publicUrl
  const { hostname, port, origin } = new URL(bound)
  return loopback.test(hostname) ? origin : `http://localhost:${port}`
}
