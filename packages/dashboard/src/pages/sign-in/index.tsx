import { Link, useSearch } from '@tanstack/react-router'
import {
  AuthForm,
  AuthFrame,
  AuthWaiting,
  emailField,
  goneWords,
  InvitedTo,
  linkClass,
  signIn,
  useInvitation,
} from '../../shell/auth.tsx'

export function Page() {
  const { to, verify } = useSearch({ from: '/sign-in' })
  const { invitation, isGone } = useInvitation(to)
  if (invitation === undefined) return <AuthWaiting title="Sign in" />
  return (
    <AuthFrame
      title={verify === undefined ? 'Sign in' : 'Confirm your address'}
      text={
        verify !== undefined ? (
          'Sign in with the password you chose when you signed up.'
        ) : invitation ? (
          <InvitedTo invitation={invitation} />
        ) : isGone ? (
          goneWords
        ) : undefined
      }
      footer={
        <>
          No account yet?{' '}
          <Link to="/sign-up" search={(before) => before} className={linkClass}>
            Sign up
          </Link>
        </>
      }
    >
      <AuthForm
        submit="Sign in"
        fields={[
          { ...emailField(), ...(invitation ? { value: invitation.email } : {}) },
          { name: 'password', label: 'Password', type: 'password', autoComplete: 'current-password', maxLength: 200 },
        ]}
        onSubmit={({ email = '', password = '' }) => signIn(email, password, { to, verify })}
      />
      <p className="mt-4 text-sm">
        <Link to="/forgot" className={linkClass}>
          Forgot your password?
        </Link>
      </p>
    </AuthFrame>
  )
}
