import { Link, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { signUp } from '../../shell/auth.ts'
import { AuthForm } from '../../shell/auth-form.tsx'
import { AuthFrame, linkClass } from '../../shell/auth-frame.tsx'
import { goneWords, InvitedTo, useInvitation } from '../../shell/invitation.tsx'
import { Skeleton } from '../../ui/show.tsx'

/** Making an account; on the way to an invitation with its address, and who invites to what. */
export function Page(): ReactNode {
  const { to } = useSearch({ from: '/sign-up' })
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { invitation, isGone } = useInvitation(to)
  if (invitation === undefined)
    return (
      <AuthFrame title="Create an account">
        <Skeleton />
      </AuthFrame>
    )
  if (sentTo !== null)
    return (
      <AuthFrame
        title="Look into your mail"
        footer={
          <Link to="/sign-in" search={(before) => before} className={linkClass}>
            Back to sign-in
          </Link>
        }
      >
        <p role="status" className="text-sm">
          A mail to <strong className="break-words">{sentTo}</strong> is on its way. Its link confirms your address,
          together with the password you chose; it is good for a day.
        </p>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Create an account"
      text={
        invitation ? <InvitedTo invitation={invitation} /> : isGone ? goneWords : 'A new team begins with a free trial.'
      }
      footer={
        <>
          Have an account?{' '}
          <Link to="/sign-in" search={(before) => before} className={linkClass}>
            Sign in
          </Link>
        </>
      }
    >
      <AuthForm
        submit="Create account"
        fields={[
          { name: 'name', label: 'Your name', autoComplete: 'name', maxLength: 100 },
          {
            name: 'email',
            label: 'Work email',
            type: 'email',
            autoComplete: 'username',
            maxLength: 254,
            ...(invitation
              ? { value: invitation.email, readOnly: true, hint: 'The invitation is for this address.' }
              : {}),
          },
          {
            name: 'password',
            label: 'Password',
            type: 'password',
            autoComplete: 'new-password',
            hint: 'At least 10 characters.',
            minLength: 10,
            maxLength: 200,
          },
        ]}
        onSubmit={({ name = '', email = '', password = '' }) =>
          signUp({ name, email, password }, to).then((next) => {
            if (next === 'mail') setSentTo(email)
          })
        }
      />
    </AuthFrame>
  )
}
