import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AuthForm, AuthFrame, linkClass, newPasswordField, resetPassword } from '../../shell/auth.tsx'

function Changed() {
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
        You were signed out everywhere, and the apps you had connected were disconnected. Sign in with the new password.
      </p>
      <p className="mt-3 text-sm text-muted">
        API keys belong to the team and keep working, including those a command line made when you signed in with it (
        <code>les auth login</code>). If somebody else had access to your account, revoke the keys you do not recognise
        under Settings, API keys.
      </p>
    </AuthFrame>
  )
}

export function Page() {
  const { token } = useSearch({ from: '/reset' })
  const [done, setDone] = useState(false)
  const another = (
    <Link to="/forgot" className={linkClass}>
      Ask for a new link
    </Link>
  )
  if (done) return <Changed />
  if (token === undefined)
    return (
      <AuthFrame title="This link is no longer valid" footer={another}>
        <p className="text-sm">A link to set a new password can be used once, within an hour.</p>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Set a new password"
      text="You will be signed out everywhere else, and connected apps lose access."
      footer={another}
    >
      <AuthForm
        submit="Set the password"
        fields={[newPasswordField('New password')]}
        onSubmit={({ password = '' }) => resetPassword(token, password).then(() => setDone(true))}
      />
    </AuthFrame>
  )
}
