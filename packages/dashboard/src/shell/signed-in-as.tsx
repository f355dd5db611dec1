import type { ReactNode } from 'react'
import { useMe } from '../api/me.ts'
import { linkClass } from './auth-frame.tsx'
import { signOut } from './leave.ts'

/** Below a page without navigation: whose account it is for, and the way to another. */
export function SignedInAs(): ReactNode {
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
