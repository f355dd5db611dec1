import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AuthForm, AuthFrame, linkClass, resetPassword } from '../../shell/auth.tsx'

export function Page() {
  const { token } = useSearch({ from: '/reset' })
  const [done, setDone] = useState(false)
  const another = (
    <Link to="/forgot" className={linkClass}>
      Ask for a new link
    </Link>
  )
  if (done)
    return (
      <AuthFrame
        title="Your password was changed"
        footer={
          <Link to="/sign-in" className={linkClass}>
            Sign in
          </Link>
        }
      >
        <p role="status" className="text-sm">
          You were signed out everywhere. Sign in with the new password.
        </p>
      </AuthFrame>
    )
  if (token === undefined)
    return (
      <AuthFrame title="This link is no longer good" footer={another}>
        <p className="text-sm">A link to set a new password can be used once, within an hour.</p>
      </AuthFrame>
    )
  return (
    <AuthFrame title="Set a new password" text="You will be signed out everywhere else." footer={another}>
      <AuthForm
        submit="Set the password"
        fields={[
          {
            name: 'password',
            label: 'New password',
            type: 'password',
            autoComplete: 'new-password',
            hint: 'At least 10 characters.',
            minLength: 10,
            maxLength: 200,
          },
        ]}
        onSubmit={({ password = '' }) => resetPassword(token, password).then(() => setDone(true))}
      />
    </AuthFrame>
  )
}
