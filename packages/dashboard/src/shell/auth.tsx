import { useMutation, useQuery, type UseMutationResult } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { ApiError } from '../api/error.ts'
import { meQuery, useMe } from '../api/me.ts'
import { send } from '../api/send.ts'
import { oauthQuery } from '../app/arrival.ts'
import { client } from '../app/client.ts'
import { ownPath } from '../app/search.ts'
import { Button, type Reason } from '../ui/button.tsx'
import { Field, Input } from '../ui/field.tsx'
import { useTitle } from '../ui/page.tsx'
import { Notice, Skeleton } from '../ui/show.tsx'
import { signOut } from './leave.ts'

const root = '/app/api/auth'

const words: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'That email and password do not match.',
  INVALID_EMAIL: 'That is not an email address.',
  EMAIL_NOT_VERIFIED: 'Confirm your address first: we have sent you a mail with a link.',
  SIGN_UP_OFF: 'Nobody can sign up here.',
  SIGN_UP_BY_INVITATION: 'Sign up with the link of your invitation, and with the address it was sent to.',
  PASSWORD_TOO_SHORT: 'The password needs at least 10 characters.',
  PASSWORD_TOO_LONG: 'The password may have at most 200 characters.',
  INVALID_TOKEN: 'This link is no longer valid. Ask for a new one.',
}

export function inWords(error: unknown): string {
  if (error instanceof ApiError && error.status === 429) return 'Too many tries. Wait a minute, then try again.'
  if (error instanceof ApiError && error.code !== undefined && words[error.code] !== undefined)
    return words[error.code]!
  return error instanceof Error ? error.message : String(error)
}

type Answer = { readonly redirect?: boolean; readonly url?: string }

/** Continues after signing in: to the app that asked for access, or to the requested page. */
function goOn(answer: Answer, to: string | undefined): void {
  client.removeQueries({ queryKey: meQuery.queryKey })
  if (answer.redirect && typeof answer.url === 'string' && oauthQuery() !== undefined) location.assign(answer.url)
  else location.assign(ownPath(to))
}

const asked = (): object => {
  const query = oauthQuery()
  return query === undefined ? {} : { oauth_query: query }
}

export async function signIn(
  email: string,
  password: string,
  { to, verify }: { to?: string | undefined; verify?: string | undefined },
): Promise<void> {
  const proof = verify === undefined ? {} : { verification: verify }
  goOn(await send<Answer>('POST', `${root}/sign-in/email`, { email, password, ...proof, ...asked() }), to)
}

/** The token of the invitation at `to`; having it proves that the invited mail address is the user's. */
function tokenOfInvitation(to: string | undefined): string | undefined {
  const url = to === undefined ? null : URL.parse(to, location.origin)
  return url?.pathname === '/invite' ? (url.searchParams.get('token') ?? undefined) : undefined
}

type OpenInvitation = {
  readonly teamName: string
  readonly role: 'viewer' | 'member' | 'owner'
  readonly email: string
  readonly invitedBy: string
}

async function readInvitation(token: string): Promise<{ readonly invitation: OpenInvitation | null }> {
  try {
    return { invitation: await send<OpenInvitation>('POST', `${root}/invitation/read`, { token }) }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { invitation: null }
    throw error
  }
}

/** Creates an account. With an invitation it signs in; else a mail is sent, and the answer is the same for a known address. */
export async function signUp(
  { name, email, password }: { name: string; email: string; password: string },
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

export const requestReset = (email: string): Promise<unknown> =>
  send('POST', `${root}/request-password-reset`, { email, redirectTo: '/reset' })

/** Sets a new password with the mail's token; ends all sessions. */
export const resetPassword = (token: string, newPassword: string): Promise<unknown> =>
  send('POST', `${root}/reset-password`, { token, newPassword })

type AuthField = {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  readonly autoComplete: string
  readonly hint?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly value?: string
  readonly readOnly?: boolean
}

export const emailField = (label = 'Email') =>
  ({ name: 'email', label, type: 'email', autoComplete: 'username', maxLength: 254 }) as const

export const newPasswordField = (label: string) =>
  ({
    name: 'password',
    label,
    type: 'password',
    autoComplete: 'new-password',
    hint: 'At least 10 characters.',
    minLength: 10,
    maxLength: 200,
  }) as const

type AuthFormProps = {
  fields: readonly AuthField[]
  submit: string
  onSubmit: (values: Readonly<Record<string, string>>) => Promise<unknown>
}

export function AuthForm({ fields, submit, onSubmit }: AuthFormProps) {
  // The first empty field.
  const first = fields.findIndex(({ value }) => value === undefined)
  const run = useMutation({ mutationFn: onSubmit })
  const submitted = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)])
    if (!run.isPending) run.mutate(Object.fromEntries(entries))
  }
  return (
    <form onSubmit={submitted} className="flex flex-col gap-4">
      {fields.map(({ name, label, hint, type = 'text', value, ...rest }, index) => (
        <Field key={name} label={label} hint={hint}>
          <Input name={name} type={type} required autoFocus={index === first} defaultValue={value} {...rest} />
        </Field>
      ))}
      {run.error && <Notice tone="bad">{inWords(run.error)}</Notice>}
      <Button type="submit" variant="primary" size="lg" busy={run.isPending}>
        {submit}
      </Button>
    </form>
  )
}

type YesOrNoProps = {
  yes: string
  no: string
  reason?: Reason
  answer: Pick<UseMutationResult<unknown, Error, boolean>, 'error' | 'isPending'> & { mutate: (yes: boolean) => void }
}

export function YesOrNo({ yes, no, reason, answer: { error, isPending, mutate } }: YesOrNoProps) {
  return (
    <>
      {error && <Notice tone="bad">{inWords(error)}</Notice>}
      <div className="flex flex-col gap-2">
        <Button variant="primary" size="lg" reason={reason} busy={isPending} onClick={() => mutate(true)}>
          {yes}
        </Button>
        <Button
          variant="ghost"
          size="lg"
          reason={isPending && 'Your answer is on its way.'}
          onClick={() => mutate(false)}
        >
          {no}
        </Button>
      </div>
    </>
  )
}

export const AuthWaiting = ({ title }: { title: string }) => (
  <AuthFrame title={title}>
    <Skeleton />
  </AuthFrame>
)

/** A page with a message, whose only link leads to the user's teams. */
export function DeadEnd({ title, footer, children }: { title: string; footer?: ReactNode; children: ReactNode }) {
  return (
    <AuthFrame title={title} footer={footer}>
      <p role="alert" className="text-sm">
        {children}{' '}
        <a href="/" className={linkClass}>
          Go to your teams
        </a>
      </p>
    </AuthFrame>
  )
}

type AuthFrameProps = { title: string; text?: ReactNode; children?: ReactNode; footer?: ReactNode }

/** The frame of pages without navigation: signing in, invitations, consent. */
export function AuthFrame({ title, text, children, footer }: AuthFrameProps) {
  useTitle(title)
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-5 px-4 py-10">
      <p className="flex items-center gap-2.5 text-sm font-semibold">
        <img src="/icon.svg" alt="" width={28} height={28} />
        Lead Engagement Service
      </p>
      <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6">
        <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
        {text && <div className="mt-1 text-sm text-muted">{text}</div>}
        {children && <div className="mt-5">{children}</div>}
      </div>
      {footer && <div className="text-sm text-muted">{footer}</div>}
    </main>
  )
}

export const linkClass = 'rounded text-accent-text underline underline-offset-2'

export function SignedInAs() {
  const { user } = useMe()
  return (
    <>
      Signed in as {user.email}.{' '}
      <button type="button" onClick={() => void signOut()} className={linkClass}>
        Use another account
      </button>
    </>
  )
}

/** What each role may do, after «you may». */
export const mayDo: Readonly<Record<OpenInvitation['role'], string>> = {
  viewer: 'see everything and change nothing',
  member: 'track sources and send leads',
  owner: 'do everything, including keys and members',
}

/** The invitation at `to`, read without a session; undefined while loading, null when there is none or it is invalid. */
export function useInvitation(to: string | undefined) {
  const token = tokenOfInvitation(to)
  const { data, isPending } = useQuery({
    queryKey: ['open-invitation', token],
    queryFn: () => readInvitation(token!),
    enabled: token !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (token === undefined) return { invitation: null, isGone: false }
  return { invitation: isPending ? undefined : (data?.invitation ?? null), isGone: data?.invitation === null }
}

export function InvitedTo({ invitation }: { invitation: OpenInvitation }) {
  const { invitedBy, teamName, role } = invitation
  return (
    <span className="break-words">
      {invitedBy} invited you to <strong className="font-semibold text-ink">{teamName}</strong> as {role}: you may{' '}
      {mayDo[role]}.
    </span>
  )
}

export const goneWords =
  'This invitation is no longer valid: it was used or taken back, or is older than 7 days. Ask for a new one.'
