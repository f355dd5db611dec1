import { Link, useSearch } from '@tanstack/react-router'
import { useState, type ComponentProps, type ReactNode } from 'react'
import {
  AuthForm,
  AuthFrame,
  AuthWaiting,
  emailField,
  goneWords,
  InvitedTo,
  linkClass,
  newPasswordField,
  signUp,
  useInvitation,
} from '../../shell/auth.tsx'

const signIn = (words: string): ReactNode => (
  <Link to="/sign-in" search={(before) => before} className={linkClass}>
    {words}
  </Link>
)

/** The fields of signing up; an invitation's mail address is fixed. */
const fieldsFor = (invited: string | undefined): ComponentProps<typeof AuthForm>['fields'] => [
  { name: 'name', label: 'Your name', autoComplete: 'name', maxLength: 100 },
  {
    ...emailField('Work email'),
    ...(invited === undefined ? {} : { value: invited, readOnly: true, hint: 'The invitation is for this address.' }),
  },
  newPasswordField('Password'),
]

export function Page() {
  const { to } = useSearch({ from: '/sign-up' })
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { invitation, isGone } = useInvitation(to)
  if (invitation === undefined) return <AuthWaiting title="Create an account" />
  if (sentTo !== null)
    return (
      <AuthFrame title="Check your email" footer={signIn('Back to sign-in')}>
        <p role="status" className="text-sm">
          A mail to <strong className="break-words">{sentTo}</strong> is on its way. Its link confirms your address,
          together with the password you chose; it is valid for one day.
        </p>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Create an account"
      text={
        invitation ? <InvitedTo invitation={invitation} /> : isGone ? goneWords : 'A new team starts with a free trial.'
      }
      footer={<>Have an account? {signIn('Sign in')}</>}
    >
      <AuthForm
        submit="Create account"
        fields={fieldsFor(invitation?.email)}
        onSubmit={({ name = '', email = '', password = '' }) =>
          signUp({ name, email, password }, to).then((next) => {
            if (next === 'mail') setSentTo(email)
          })
        }
      />
    </AuthFrame>
  )
}
