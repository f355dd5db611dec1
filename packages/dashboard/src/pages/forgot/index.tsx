import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { AuthForm, AuthFrame, emailField, linkClass, requestReset } from '../../shell/auth.tsx'

export function Page() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const back = (
    <Link to="/sign-in" className={linkClass}>
      Back to sign-in
    </Link>
  )
  if (sentTo !== null)
    return (
      <AuthFrame title="Check your email" footer={back}>
        <p role="status" className="text-sm">
          If there is an account for <strong className="break-words">{sentTo}</strong>, a link to set a new password is
          on its way. It is valid for one hour.
        </p>
      </AuthFrame>
    )
  return (
    <AuthFrame title="Forgot your password?" text="We send you a link to set a new one." footer={back}>
      <AuthForm
        submit="Send the link"
        fields={[emailField()]}
        onSubmit={({ email = '' }) => requestReset(email).then(() => setSentTo(email))}
      />
    </AuthFrame>
  )
}
