/** What the sign-in pages ask of `/app/api/auth`. */
import { client } from '../app/client.ts'
import { oauthQuery } from '../app/arrival.ts'
import { ApiError } from '../api/error.ts'
import { meQuery } from '../api/me.ts'
import { send } from '../api/send.ts'
import { ownPath } from '../app/search.ts'

const root = '/app/api/auth'

const words: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'That email and password do not match.',
  INVALID_EMAIL: 'That is not an email address.',
  EMAIL_NOT_VERIFIED: 'Confirm your address first: we have sent you a mail with a link.',
  SIGN_UP_OFF: 'Nobody can sign up here.',
  SIGN_UP_BY_INVITATION: 'Sign up with the link of your invitation, and with the address it was sent to.',
  PASSWORD_TOO_SHORT: 'The password needs at least 10 characters.',
  PASSWORD_TOO_LONG: 'The password may have at most 200 characters.',
  INVALID_TOKEN: 'This link is no longer good. Ask for a new one.',
}

/** What to tell the person about a refusal of the sign-in. */
export function inWords(error: unknown): string {
  if (error instanceof ApiError && error.status === 429) return 'Too many tries. Wait a minute, then try again.'
  if (error instanceof ApiError && error.code !== undefined && words[error.code] !== undefined)
    return words[error.code]!
  return error instanceof Error ? error.message : String(error)
}

type Answer = { readonly redirect?: boolean; readonly url?: string }

/** Goes on after signing in: back to the app that asked for access, or to the page that was wanted. */
function goOn(answer: Answer, to: string | undefined): void {
  client.removeQueries({ queryKey: meQuery.queryKey })
  if (answer.redirect && typeof answer.url === 'string' && oauthQuery() !== undefined) location.assign(answer.url)
  else location.assign(ownPath(to))
}

const asked = (): object => {
  const query = oauthQuery()
  return query === undefined ? {} : { oauth_query: query }
}

/** Signs in and goes on. */
export async function signIn(
  email: string,
  password: string,
  { to, verify }: { readonly to?: string | undefined; readonly verify?: string | undefined },
): Promise<void> {
  const proof = verify === undefined ? {} : { verification: verify }
  goOn(await send<Answer>('POST', `${root}/sign-in/email`, { email, password, ...proof, ...asked() }), to)
}

/** The token of an invitation that somebody is on the way to; it proves the address it was mailed to. */
export function tokenOfInvitation(to: string | undefined): string | undefined {
  const url = to === undefined ? null : URL.parse(to, location.origin)
  return url?.pathname === '/invite' ? (url.searchParams.get('token') ?? undefined) : undefined
}

/** An invitation as its token alone opens it. */
export type OpenInvitation = {
  readonly teamName: string
  readonly role: 'viewer' | 'member' | 'owner'
  readonly email: string
  /** The mail address of a member, or words for the operator. */
  readonly invitedBy: string
}

/** What an invitation is to; null when it is not good any more. */
export async function readInvitation(token: string): Promise<{ readonly invitation: OpenInvitation | null }> {
  try {
    return { invitation: await send<OpenInvitation>('POST', `${root}/invitation/read`, { token }) }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { invitation: null }
    throw error
  }
}

/**
 * Makes an account. With an invitation it signs in and goes on; without one a mail is on its way, and the answer is the
 * same for an address that is known.
 */
export async function signUp(
  { name, email, password }: { readonly name: string; readonly email: string; readonly password: string },
  to: string | undefined,
): Promise<'mail' | 'sign-in'> {
  const invitation = tokenOfInvitation(to)
  const { next } = await send<{ readonly next: 'mail' | 'sign-in' }>('POST', `${root}/sign-up/email`, {
    name,
    email,
    password,
    ...(invitation === undefined ? {} : { invitation }),
  })
  if (next === 'sign-in') await signIn(email, password, { to })
  return next
}

/** Has a link to a new password sent; answers the same whether there is such an account or not. */
export const requestReset = (email: string): Promise<unknown> =>
  send('POST', `${root}/request-password-reset`, { email, redirectTo: '/reset' })

/** Sets a new password with the token of the mail; all sessions end. */
export const resetPassword = (token: string, newPassword: string): Promise<unknown> =>
  send('POST', `${root}/reset-password`, { token, newPassword })
