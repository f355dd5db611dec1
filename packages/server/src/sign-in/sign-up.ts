/**
 * Who may make an account, and when its address is proven: by its mail and its password together, as the link alone would prove
 * an account that a stranger made in the owner's name. An invitation was mailed to its address, so it proves that at once.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { verifyJWT } from 'better-auth/crypto'
import { findInvitation } from './invitations.ts'
import { operatorWords } from './mail.ts'
import { onRoutes } from './on-routes.ts'
import type { SignInParts, SignUpPolicy } from './parts.ts'

type Parts = Pick<SignInParts, 'db' | 'serviceNow' | 'signUp'>
type Body = Readonly<Record<string, unknown>> | undefined

const textOf = (body: Body, name: string): string | null => {
  const value = body?.[name]
  return typeof value === 'string' && value.length <= 2_000 ? value : null
}

/** True when the body carries the token of an open invitation to its address. */
export async function isInvited(parts: Parts, body: Body): Promise<boolean> {
  const [token, email] = [textOf(body, 'invitation'), textOf(body, 'email')]
  if (token === null || email === null) return false
  const invitation = await findInvitation(parts.db, token, await parts.serviceNow())
  return invitation?.email === email.toLowerCase()
}

const closed = (policy: Exclude<SignUpPolicy, 'open'>) =>
  new APIError('FORBIDDEN', {
    code: policy === 'off' ? 'SIGN_UP_OFF' : 'SIGN_UP_BY_INVITATION',
    message:
      policy === 'off'
        ? 'Nobody can sign up here'
        : 'Sign up with the link of your invitation: it is for the address it was sent to',
  })

/** True when `token` is ours and was mailed to `email`. */
async function wasMailedTo(token: string, email: string, secret: string): Promise<boolean> {
  const read = await verifyJWT<{ email?: unknown; updateTo?: unknown }>(token, secret).catch(() => null)
  return read !== null && read.updateTo === undefined && read.email === email.toLowerCase()
}

/** `POST /invitation/read`: for the sign-up form of a token holder without a session; every unusable token gets the same 404. */
const readOpenInvitation = (parts: Pick<SignInParts, 'db' | 'serviceNow'>) =>
  createAuthEndpoint('/invitation/read', { method: 'POST' }, async (context) => {
    const token = (context.body as { readonly token?: unknown } | undefined)?.token
    const found =
      typeof token === 'string' && token.length <= 200
        ? await findInvitation(parts.db, token, await parts.serviceNow())
        : null
    if (found === null)
      throw new APIError('NOT_FOUND', {
        code: 'INVITATION_NOT_FOUND',
        message: 'This invitation is not good any more: ask for a new one',
      })
    const { teamName, role, email, invitedBy } = found
    return context.json({ teamName, role, email, invitedBy: invitedBy ?? operatorWords })
  })

/** The plugin; refuses 403 `SIGN_UP_OFF` or `SIGN_UP_BY_INVITATION` before the address is looked up. */
export function signUpRules(parts: Parts): BetterAuthPlugin {
  return {
    id: 'sign-up-rules',
    endpoints: { readOpenInvitation: readOpenInvitation(parts) },
    hooks: {
      before: [
        onRoutes(['/sign-up/email'], async ({ body }) => {
          if (parts.signUp === 'off') throw closed('off')
          if (parts.signUp === 'invited' && !(await isInvited(parts, body))) throw closed('invited')
        }),
        onRoutes(['/sign-in/email'], async ({ body, context }) => {
          const [token, email, password] = ['verification', 'email', 'password'].map((name) => textOf(body, name))
          if (!token || !email || !password || !(await wasMailedTo(token, email, context.secret))) return
          const known = await context.internalAdapter.findUserByEmail(email.toLowerCase(), { includeAccounts: true })
          const hash = known?.accounts.find(({ providerId }) => providerId === 'credential')?.password
          if (!known || known.user.emailVerified || !hash) return
          if (await context.password.verify({ hash, password }))
            await context.internalAdapter.updateUser(known.user.id, { emailVerified: true })
        }),
      ],
      after: [
        onRoutes(
          ['/sign-up/email'],
          // The same answer for a new address and a known one.
          async (context) => {
            if (context.context.returned instanceof Error) return
            return context.json({ next: (await isInvited(parts, context.body)) ? 'sign-in' : 'mail' })
          },
        ),
      ],
    },
  }
}
