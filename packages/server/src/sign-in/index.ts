/**
 * Sign-in: who a person is, which teams are theirs, and the mails about it. The only code that knows better-auth and
 * the schema `sign_in`.
 */
import type { TeamRole } from '@les/contract'
import type { Reader } from '../platform/db/unit-of-work.ts'
import type { Person } from '../modules/accounts/index.ts'
import { sampleTeamId } from '../platform/sample-team.ts'
import { ensureUser } from './accounts.ts'
import { addressHeader, makeAuth, signInPath, type Auth, type SignInParts } from './better-auth.ts'
import { invitationMail } from './mails.ts'
import { findRole } from './memberships.ts'
import { keptMetadata } from './metadata.ts'
import { isOpen } from './open-routes.ts'
import { listStillIn, type Presence } from './presence.ts'
import { openTools, type ToolSignIn } from './tools.ts'
import { tellingTrouble } from './trouble.ts'

/** Sign-in as the rest of the service sees it. */
export type SignIn = {
  /**
   * Serves everything under `/app/api/auth` and the metadata of the authorization server; the caller's address is read
   * from `x-les-peer`. Throws trouble of the database.
   */
  handle(request: Request): Promise<Response>
  /** Who the session cookie of a request, or the token of a signed-in command-line client, belongs to; null for nobody. */
  session(headers: Headers): Promise<Person | null>
  /** What somebody may do at the dashboard of a team; null for a stranger. Everybody may look at the sample team. */
  role(db: Reader, userId: string, teamId: string): Promise<TeamRole | null>
  /** Which of those who were let in for longer may stay: their session holds and they are members still. */
  stillIn(db: Reader, present: readonly Presence[], at: Date): Promise<readonly boolean[]>
  /** Sends an invitation on its way, after the commit; a failure is logged. */
  mailInvitation(invitation: {
    readonly to: string
    readonly teamName: string
    readonly invitedBy: string | null
    readonly token: string
  }): void
  /** Makes sure that somebody can sign in with an address and this password; answers their id. */
  ensureUser(wanted: { readonly email: string; readonly name: string; readonly password: string }): Promise<string>
  /** The sign-in of agent tools. */
  readonly tools: ToolSignIn
  /** The instance of better-auth, for what the authorization server does besides. */
  auth(): Auth
  /** Resolves when the mails under way are sent. */
  settled(): Promise<void>
}

/** Opens sign-in. The instance is made at its first use, when the port is known. */
export function openSignIn(parts: Omit<SignInParts, 'later'>): SignIn {
  const underWay = new Set<Promise<unknown>>()
  const later = (work: Promise<unknown>): void => {
    const watched = work
      .catch((error: unknown) => parts.log.error('a mail could not be sent', { error }))
      .finally(() => underWay.delete(watched))
    underWay.add(watched)
  }
  let made: Auth | undefined
  const auth = (): Auth => (made ??= makeAuth({ ...parts, later }))
  return {
    handle: async (request) => {
      if (!isOpen(new URL(request.url).pathname, signInPath))
        return Response.json({ error: 'No such endpoint', code: 'not_found' }, { status: 404 })
      const answer = await tellingTrouble(
        () => auth().handler(fromPeer(request, parts.trustedProxies ?? [])),
        ({ status }) => status >= 400,
      )
      return await keptMetadata(request, answer)
    },
    session: async (headers) => {
      // What extends a session also sends its cookie anew, which only `handle` can.
      const found = await tellingTrouble(
        () => auth().api.getSession({ headers, query: { disableRefresh: true } }),
        (session) => session === null,
      )
      // Nobody signs in before their address is proven; a session from before that was asked is none.
      if (!found?.user.emailVerified) return null
      return { id: found.user.id, sessionId: found.session.id, email: found.user.email, name: found.user.name }
    },
    role: async (db, userId, teamId) => (teamId === sampleTeamId ? 'viewer' : findRole(db, userId, teamId)),
    stillIn: listStillIn,
    mailInvitation: (invitation) => later(parts.sendMail(invitationMail(parts.origin(), invitation))),
    ensureUser: (wanted) => ensureUser(auth(), wanted),
    tools: openTools({ auth, db: parts.db, origin: parts.origin }),
    auth,
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/**
 * A request whose address header says what better-auth may believe: the connection's address, behind the chain of the
 * proxies that are trusted.
 */
function fromPeer(request: Request, trustedProxies: readonly string[]): Request {
  if (trustedProxies.length === 0) return request
  const chain = [request.headers.get('x-forwarded-for'), request.headers.get(addressHeader)].filter(
    (part) => part !== null && part !== '',
  )
  const headers = new Headers(request.headers)
  headers.set(addressHeader, chain.join(', '))
  return new Request(request, { headers })
}

export { forgetSigningKeys } from './signing-keys.ts'
export { purgeEnded } from './purge.ts'
export { originOf } from './origin.ts'
export { openMail, type Mail, type SendMail } from './mail.ts'
export type { SignUpPolicy } from './sign-up.ts'
export { strictLimits, type SignInLimits } from './limits.ts'
export {
  addMember,
  changeRole,
  countOwnedTeams,
  findRole,
  listMembers,
  listTeamsOf,
  removeMember,
  type Member,
  type TeamOfPerson,
} from './memberships.ts'
export {
  acceptInvitation,
  findInvitation,
  invite,
  listInvitations,
  revokeInvitation,
  type Invitation,
} from './invitations.ts'
export type { Auth, SignInParts } from './better-auth.ts'
export { connectionOperations } from './connection-operations.ts'
export { inviteForOperator, peopleOperations, type PeopleDeps } from './operations.ts'
